package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.verbs.spi.VerbsFault;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an error while they are put together: what was asked of which object, which errno, which rule or limit,
 * and what to do about it.
 */
final class Refusal {
    final String operation;
    final String object;
    final int errno;
    String rule = "";
    String asked = "";
    String allowed = "";
    String remedy = "";

    @Nullable
    Throwable cause;

    private Refusal(int errno, String operation, String object) {
        this.errno = errno;
        this.operation = operation;
        this.object = object;
    }

    static Refusal of(int errno, String operation, String object) {
        return new Refusal(errno, operation, object);
    }

    /** Takes the errno, and the text where it says more, from below a seam. */
    static Refusal of(RuntimeException fault, String operation, String object) {
        int errno = switch (fault) {
            case VerbsFault refused -> refused.errno();
            case KernelException refused -> refused.errno();
            default -> throw fault;
        };
        Refusal refusal = new Refusal(errno, operation, object);
        refusal.cause = fault;
        if (fault instanceof KernelException said) {
            refusal.rule = String.valueOf(said.getMessage());
        } else if (fault instanceof VerbsFault lost && lost.isLostRing()) {
            refusal.rule = "its ring is lost: resizing it, the kernel made another one, which could not be mapped";
            refusal.remedy = "Resize it once more: what it holds is still in the kernel, and moves along; or close it";
        }
        return refusal;
    }

    Refusal rule(String text) {
        rule = text;
        return this;
    }

    Refusal limit(Object askedValue, Object allowedValue) {
        asked = String.valueOf(askedValue);
        allowed = String.valueOf(allowedValue);
        return this;
    }

    Refusal remedy(String text) {
        remedy = text;
        return this;
    }

    Refusal cause(@Nullable Throwable throwable) {
        cause = throwable;
        return this;
    }

    String message() {
        StringBuilder text = new StringBuilder(operation).append(" on ").append(object);
        if (errno != 0) {
            text.append(": ").append(Errno.name(errno));
        }
        if (!rule.isEmpty()) {
            text.append(": ").append(rule);
        }
        if (!asked.isEmpty()) {
            text.append("; asked ").append(asked).append(", allowed ").append(allowed);
        }
        if (!remedy.isEmpty()) {
            text.append(". ").append(remedy);
        }
        return text.toString();
    }

    /** The exception of the class that users catch for this errno. */
    VerbsException exception() {
        return switch (errno) {
            case Errno.EOPNOTSUPP, Errno.ENOSYS, Errno.EPROTONOSUPPORT -> new NotSupportedException(this);
            case Errno.ENODEV, Errno.EIO -> new DeviceUnavailableException(this);
            default -> new VerbsException(this);
        };
    }
}
