package dev.doorbell.kernel.abi.mlx5;

/**
 * The layout of a 4 KiB page of device registers (UAR). All stores are of 8 bytes, big-endian.
 *
 * <pre>
 *   0x020  arm register of completion queues: arm word, queue number
 *   0x800  BlueFlame register 0: two halves, used in turn
 *   0x800 + size        BlueFlame register 1
 *   ...
 * </pre>
 *
 * <p>A doorbell stores the first 8 bytes of the last WQE at the start of a half; BlueFlame stores the whole WQE there, in blocks of 64 bytes.
 */
public final class RegisterPage {
    /** Bytes of a page. */
    public static final int SIZE = 4096;

    /** Where the arm register lies. */
    public static final int ARM = 0x20;

    /** Where the first BlueFlame register lies. */
    public static final int BLUE_FLAME = 0x800;

    /** Numbers of static registers that a page has; the last two are not BlueFlame registers of a program. */
    public static final int STATIC_PER_PAGE = 4;

    /** BlueFlame registers of a page that programs use. */
    public static final int STATIC_BLUE_FLAME_PER_PAGE = 2;

    /** Bytes between registers where the device has no BlueFlame. */
    public static final int DEFAULT_SIZE = 512;

    private RegisterPage() {}
}
