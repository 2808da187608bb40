package dev.doorbell.verbs.spi;

/**
 * A completion queue of a driver, with a cursor over it. Part of the data path: neither {@link #next()} nor the fields
 * allocate, lock or make a system call.
 *
 * <p>Thread rules: the API serialises all calls on one queue, except that {@link #arm} may run at the same time as
 * polling.
 *
 * <p>Follows ibv_poll_cq(3) and ibv_start_poll(3).
 */
public interface ProviderCompletionQueue extends AutoCloseable {
    /** The kernel's handle. */
    int handle();

    /** Completions that it holds. */
    int capacity();

    /**
     * Moves the cursor to the next completion. The one it stood on is given back to the device.
     *
     * @return whether there is one; if not, the device has been lent this thread once and there was still none
     */
    boolean next();

    /** Gives the completion under the cursor back to the device and ends the round of polling. */
    void end();

    /** Identifier of the work request. Valid on every completion. */
    long id();

    /** Status number. Valid on every completion. */
    int status();

    /** Vendor's error number. Valid on every completion. */
    int vendorError();

    /** Number of the queue pair. Valid on every completion. */
    int queuePairNumber();

    /** Work completion opcode number. */
    int opcode();

    /** Bytes received, read or swapped: an unsigned 32-bit number. */
    long byteLength();

    /** Bits of {@link dev.doorbell.spec.WorkCompletionFlag}. */
    int flags();

    /** The four immediate bytes as a big-endian number, or the invalidated rkey as a host number. */
    int immediate();

    /** Number of the sending queue pair (UD). */
    int sourceQueuePair();

    /** Source LID (InfiniBand). */
    int slid();

    /** Service level. */
    int serviceLevel();

    /** Low bits of the destination LID. */
    int dlidPathBits();

    /** Index of the P_Key (GSI). */
    int pkeyIndex();

    /** The device's clock when the completion was made; only of a queue that was created with timestamps. */
    default long timestamp() {
        throw VerbsFault.unsupported("completion timestamps");
    }

    /** Whether completions have a {@link #timestamp}. */
    default boolean hasTimestamps() {
        return false;
    }

    /** REQ_NOTIFY_CQ: asks for one event, for the next (solicited) completion. */
    default void arm(boolean solicitedOnly) {
        throw VerbsFault.unsupported("REQ_NOTIFY_CQ");
    }

    /** An event of this queue was taken from its channel. Any thread, also while another one polls. */
    default void eventTaken() {}

    /** RESIZE_CQ; completions that are there stay. */
    default void resize(int entries) {
        throw VerbsFault.unsupported("RESIZE_CQ");
    }

    /** MODIFY_CQ: an event only after so many completions, or so many microseconds; 0 to 65,535 each. */
    default void moderate(int completions, int periodMicros) {
        throw VerbsFault.unsupported("MODIFY_CQ");
    }

    /** DESTROY_CQ. Throws {@link VerbsFault}, EBUSY included. */
    @Override
    void close();
}
