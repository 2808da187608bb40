package dev.doorbell.kernel.abi.mlx5;

/**
 * Objects, methods and attributes that the driver adds to the ioctl commands, with the numbers of {@code rdma/mlx5_user_ioctl_cmds.h}.
 */
public final class Mlx5IoctlIds {
    /** General commands. */
    public static final int OBJECT_DEVX = 0x1000;

    /** Of {@link #OBJECT_DEVX}: any command. */
    public static final int DEVX_OTHER = 0x1000;

    /** Of {@link #DEVX_OTHER}: the command. */
    public static final int DEVX_OTHER_IN = 0x1000;

    /** Of {@link #DEVX_OTHER}: its answer. */
    public static final int DEVX_OTHER_OUT = 0x1001;

    /** A page of registers. */
    public static final int OBJECT_UAR = 0x1008;

    /** Of {@link #OBJECT_UAR}: makes one. */
    public static final int UAR_ALLOC = 0x1000;

    /** Of {@link #UAR_ALLOC}: the new handle. */
    public static final int UAR_ALLOC_HANDLE = 0x1000;

    /** Of {@link #UAR_ALLOC}: 8 bytes, {@link #UAR_BLUE_FLAME} or {@link #UAR_NON_CACHED}. */
    public static final int UAR_ALLOC_TYPE = 0x1001;

    /** Of {@link #UAR_ALLOC}: answers 8 bytes, the offset to map. */
    public static final int UAR_ALLOC_MMAP_OFFSET = 0x1002;

    /** Of {@link #UAR_ALLOC}: answers 4 bytes, the length to map. */
    public static final int UAR_ALLOC_MMAP_LENGTH = 0x1003;

    /** Of {@link #UAR_ALLOC}: answers 4 bytes, the page's number. */
    public static final int UAR_ALLOC_PAGE_ID = 0x1004;

    /** Of {@link #OBJECT_UAR}: ends it. */
    public static final int UAR_DESTROY = 0x1001;

    /** Of {@link #UAR_DESTROY}: the handle. */
    public static final int UAR_DESTROY_HANDLE = 0x1000;

    /** Stores are combined: for queue pairs. */
    public static final int UAR_BLUE_FLAME = 0;

    /** Stores are not combined: for completion queues, and queue pairs without BlueFlame. */
    public static final int UAR_NON_CACHED = 1;

    private Mlx5IoctlIds() {}
}
