package dev.doorbell.soft.hca;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;

/**
 * A queue pair of the device.
 *
 * <p>Thread rules: any thread.
 */
public final class HcaQueuePair {
    private final Hca hca;
    private final int number;
    private final QueuePairRequest request;

    HcaQueuePair(Hca hca, int number, QueuePairRequest request) {
        this.hca = hca;
        this.number = number;
        this.request = request;
    }

    /** The queue pair's number, 24 bits. */
    public int number() {
        return number;
    }

    /** Its transport service. */
    public QueuePairType type() {
        return request.type();
    }

    Hca hca() {
        return hca;
    }

    /** The present state. */
    public QueuePairState state() {
        return QueuePairState.RESET;
    }

    /**
     * Changes attributes and state, as MODIFY_QP asks.
     *
     * @param settings the values
     * @param mask which of them count: {@code QueuePairAttribute} bits
     * @return 0, or EINVAL if the transition or a value is refused; nothing has changed then
     */
    public int modify(QueuePairSettings settings, int mask) {
        return Errno.EINVAL;
    }

    /** The present attributes; a copy. */
    public QueuePairSettings query() {
        return new QueuePairSettings();
    }

    /**
     * The doorbell: executes what the program has released into the send ring, in the caller's thread as far as
     * possible.
     *
     * @return 0, or EINVAL if the state is below RTS
     */
    public int ring() {
        return Errno.EINVAL;
    }

    /**
     * Tells the device that receive work requests were posted. Only needed in the ERROR state, where nothing else looks
     * at them; otherwise harmless.
     */
    public void receivesPosted() {}

    /** Removes the queue pair without completions. When this returns, nothing of it is in use. Idempotent. */
    public void destroy() {}
}
