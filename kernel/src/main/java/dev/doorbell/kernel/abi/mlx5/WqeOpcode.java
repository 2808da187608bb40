package dev.doorbell.kernel.abi.mlx5;

/**
 * Operations of send WQEs.
 */
public final class WqeOpcode {
    /** Does nothing. */
    public static final int NOP = 0x00;

    /** SEND with invalidation. */
    public static final int SEND_INVALIDATE = 0x01;

    /** RDMA WRITE. */
    public static final int RDMA_WRITE = 0x08;

    /** RDMA WRITE with immediate data. */
    public static final int RDMA_WRITE_IMMEDIATE = 0x09;

    /** SEND. */
    public static final int SEND = 0x0a;

    /** SEND with immediate data. */
    public static final int SEND_IMMEDIATE = 0x0b;

    /** RDMA READ. */
    public static final int RDMA_READ = 0x10;

    /** Atomic compare-and-swap. */
    public static final int COMPARE_AND_SWAP = 0x11;

    /** Atomic fetch-and-add. */
    public static final int FETCH_AND_ADD = 0x12;

    /** Changes a memory key: binds, invalidates. */
    public static final int UMR = 0x25;

    private WqeOpcode() {}
}
