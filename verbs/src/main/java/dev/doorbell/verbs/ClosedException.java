package dev.doorbell.verbs;

/**
 * The object was closed before, or is being closed by another thread (EBADF).
 *
 * <p>In C the use of an object after its destruction (ibv_destroy_qp(3) and its siblings) is undefined; here it is this
 * exception, wherever the object is needed.
 *
 * <p>Thread rules: immutable. It may be thrown in any thread that uses the object, also in one that waits for it.
 */
public final class ClosedException extends VerbsException {
    private static final long serialVersionUID = 1L;

    ClosedException(Refusal refusal) {
        super(refusal);
    }

    /**
     * For libraries that stand on the verbs and have objects of their own.
     *
     * @param operation what was asked
     * @param object of what
     */
    public static ClosedException of(String operation, String object) {
        return Lifetime.closed(operation, object);
    }
}
