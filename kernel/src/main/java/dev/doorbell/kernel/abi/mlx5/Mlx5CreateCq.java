package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The driver's part of CREATE_CQ: the queue lies in the program's memory.
 *
 * <pre>
 *   struct mlx5_ib_create_cq
 *      0  u64    buf_addr             address of the entries
 *      8  u64    db_addr              address of the doorbell record, a multiple of 8
 *     16  u32    cqe_size             64 or 128
 *     20  u8     cqe_comp_en          0
 *     21  u8     cqe_comp_res_format  0
 *     22  u16    flags                1 pads 128-byte entries, 2 names the register page
 *     24  u16    uar_page_index       register page for arming
 *     26  u16    reserved0
 *     28  u32    reserved1
 *     32  bytes in all
 * </pre>
 */
public final class Mlx5CreateCq {
    /** Bytes of the struct. */
    public static final int SIZE = 32;

    /** In {@link #flags}: {@link #registerPage} is valid. */
    public static final int NAMES_REGISTER_PAGE = 2;

    private static final int BUFFER = 0;
    private static final int RECORD = 8;
    private static final int ENTRY_SIZE = 16;
    private static final int COMPRESSION = 20;
    private static final int COMPRESSION_FORMAT = 21;
    private static final int FLAGS = 22;
    private static final int REGISTER_PAGE = 24;

    private Mlx5CreateCq() {}

    /** Address of the entries. */
    public static long buffer(MemorySegment segment, long at) {
        return Host.getLong(segment, at + BUFFER);
    }

    /** Stores {@link #buffer}. */
    public static void setBuffer(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + BUFFER, value);
    }

    /** Address of the doorbell record, a multiple of 8. */
    public static long record(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RECORD);
    }

    /** Stores {@link #record}. */
    public static void setRecord(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RECORD, value);
    }

    /** 64 or 128. */
    public static int entrySize(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ENTRY_SIZE);
    }

    /** Stores {@link #entrySize}. */
    public static void setEntrySize(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ENTRY_SIZE, value);
    }

    /** 0. */
    public static int compression(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + COMPRESSION);
    }

    /** Stores {@link #compression}. */
    public static void setCompression(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + COMPRESSION, value);
    }

    /** 0. */
    public static int compressionFormat(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + COMPRESSION_FORMAT);
    }

    /** Stores {@link #compressionFormat}. */
    public static void setCompressionFormat(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + COMPRESSION_FORMAT, value);
    }

    /** 1 pads 128-byte entries, 2 names the register page. */
    public static int flags(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + FLAGS);
    }

    /** Stores {@link #flags}. */
    public static void setFlags(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + FLAGS, value);
    }

    /** Register page for arming. */
    public static int registerPage(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + REGISTER_PAGE);
    }

    /** Stores {@link #registerPage}. */
    public static void setRegisterPage(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + REGISTER_PAGE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_ib_create_cq", SIZE)
                .u64("buf_addr", BUFFER)
                .u64("db_addr", RECORD)
                .u32("cqe_size", ENTRY_SIZE)
                .u8("cqe_comp_en", COMPRESSION)
                .u8("cqe_comp_res_format", COMPRESSION_FORMAT)
                .u16("flags", FLAGS)
                .u16("uar_page_index", REGISTER_PAGE)
                .reserved("reserved0", 26, 2)
                .reserved("reserved1", 28, 4);
    }
}
