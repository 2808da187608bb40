package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;

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
