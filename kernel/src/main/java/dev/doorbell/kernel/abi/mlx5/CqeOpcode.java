package dev.doorbell.kernel.abi.mlx5;

/**
 * What a completion queue entry says.
 */
public final class CqeOpcode {
    /** A work request of a send queue is done. */
    public static final int REQUEST = 0;

    /** An RDMA WRITE with immediate data came. */
    public static final int RECEIVED_WRITE_IMMEDIATE = 1;

    /** A SEND came. */
    public static final int RECEIVED_SEND = 2;

    /** A SEND with immediate data came. */
    public static final int RECEIVED_SEND_IMMEDIATE = 3;

    /** A SEND with invalidation came. */
    public static final int RECEIVED_SEND_INVALIDATE = 4;

    /** The queue goes on in its new buffer. */
    public static final int RESIZE = 5;

    /** A work request of a send queue failed. */
    public static final int REQUEST_ERROR = 13;

    /** A receive work request failed. */
    public static final int RESPONSE_ERROR = 14;

    /** Nothing: the entry was never written. */
    public static final int INVALID = 15;

    private CqeOpcode() {}
}
