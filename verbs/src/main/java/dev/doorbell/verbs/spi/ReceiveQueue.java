package dev.doorbell.verbs.spi;

/**
 * The end of a receive queue, or shared receive queue, where buffers are posted. Part of the data path. The order of
 * calls is that of {@link SendQueue}.
 *
 * <p>Follows ibv_post_recv(3) and ibv_post_srq_recv(3). Lengths are bytes, unsigned.
 *
 * <p>Thread rules: calls are serialised by the caller.
 */
public interface ReceiveQueue {
    /** Work requests that the queue holds. */
    int capacity();

    /** Most scatter/gather elements of a work request. */
    int maxSge();

    /** Buffers that the device has not taken yet. */
    int outstanding();

    /** Starts a batch. */
    void begin();

    /**
     * Opens the next work request of the batch.
     *
     * @return false if the queue is full; then nothing was opened
     */
    boolean request(long id);

    /** Appends a scatter/gather element. */
    void sge(long address, int length, int lkey);

    /** Closes the work request. */
    void seal();

    /**
     * Hands every sealed work request to the device.
     *
     * @return 0, or the errno with which that was refused; the work requests count as posted either way, and come back when
     *     the queue closes
     */
    int commit();
}
