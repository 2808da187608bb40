package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import org.jspecify.annotations.Nullable;

/**
 * A verb was refused. The message names the operation, the object, the errno, the rule or limit that was hit with what
 * was asked and what is allowed, and what to do about it; each part can also be read alone.
 *
 * <p>Unchecked, as whoever sets up RDMA seldom has a plan for a refusal. Where programs do branch there is a subclass:
 * {@link QueueFullException}, {@link NotSupportedException}, {@link ClosedException},
 * {@link DeviceUnavailableException}, {@link WorkCompletionException}.
 *
 * <p>No refusal changes anything: the object is as it was before the call, unless the method says otherwise.
 *
 * <p>Thread rules: what it says of the refusal is immutable.
 *
 * <p>A whole program, {@code examples/ErrorHandling.java}:
 * {@snippet file="ErrorHandling.java"}
 */
public class VerbsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String operation;
    private final String object;
    private final int errno;
    private final String asked;
    private final String allowed;
    private final String remedy;

    VerbsException(Refusal refusal) {
        super(refusal.message(), refusal.cause);
        this.operation = refusal.operation;
        this.object = refusal.object;
        this.errno = refusal.errno;
        this.asked = refusal.asked;
        this.allowed = refusal.allowed;
        this.remedy = refusal.remedy;
    }

    /** For libraries that stand on the verbs and refuse in their own name. */
    protected VerbsException(Report report) {
        this(report.refusal());
    }

    /**
     * The parts of a refusal; empty where there is nothing to say.
     *
     * @param operation what was refused
     * @param object the object it was asked of
     * @param errno the error number, positive; 0 where there is none
     * @param rule the rule that was broken, or what happened
     * @param asked the value that went past a limit
     * @param allowed the limit
     * @param remedy what to do about it
     * @param cause what was thrown below; null for nothing
     */
    public record Report(
            String operation,
            String object,
            int errno,
            String rule,
            String asked,
            String allowed,
            String remedy,
            @Nullable Throwable cause) {
        private Refusal refusal() {
            Refusal refusal = Refusal.of(errno, operation, object)
                    .rule(rule)
                    .remedy(remedy)
                    .cause(cause);
            return asked.isEmpty() ? refusal : refusal.limit(asked, allowed);
        }
    }

    /** What was refused, such as {@code CREATE_QP} or {@code post send}. */
    public final String operation() {
        return operation;
    }

    /** The object it was asked of. */
    public final String object() {
        return object;
    }

    /** The error number, positive, with the meaning that the verb's man page gives it; 0 where there is none. */
    public final int errno() {
        return errno;
    }

    /** The error number's name, such as {@code EINVAL}; empty where there is none. */
    public final String errnoName() {
        return errno == 0 ? "" : Errno.name(errno);
    }

    /** The value that went past a limit, or an empty string. */
    public final String asked() {
        return asked;
    }

    /** The limit, or an empty string. */
    public final String allowed() {
        return allowed;
    }

    /** What to do about it, or an empty string. */
    public final String remedy() {
        return remedy;
    }
}
