package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The driver's part of CREATE_QP. The receive queue lies at the start of the buffer, the send queue behind it.
 *
 * <pre>
 *   struct mlx5_ib_create_qp
 *      0  u64    buf_addr      address of the queues
 *      8  u64    db_addr       address of the doorbell record, a multiple of 8
 *     16  u32    sq_wqe_count  64-byte blocks of the send queue, a power of two
 *     20  u32    rq_wqe_count  work requests of the receive queue, a power of two
 *     24  u32    rq_wqe_shift  log2 bytes of a receive WQE
 *     28  u32    flags         see the constants
 *     32  u32    uidx          index that completions carry, 24 bits
 *     36  u32    bfreg_index   register, or with the flag register page
 *     40  u64    sq_buf_addr   0 but for raw packets
 *     48  u32    ece_options   vendor connection options
 *     52  2 B    dci_streams
 *     54  u16    reserved
 *     56  bytes in all
 * </pre>
 */
public final class Mlx5CreateQp {
    /** Bytes of the struct. */
    public static final int SIZE = 56;

    /** In {@link #flags}: work requests are signed. */
    public static final int SIGNATURE = 1;
    /** In {@link #flags}: received data may come inside completions. */
    public static final int SCATTER_TO_CQE = 2;
    /** In {@link #flags}: {@link #register} names a static register. */
    public static final int NAMES_REGISTER = 8;
    /** In {@link #flags}: {@link #register} names a register page. */
    public static final int NAMES_REGISTER_PAGE = 1 << 10;

    private static final int BUFFER = 0;
    private static final int RECORD = 8;
    private static final int SEND_BLOCKS = 16;
    private static final int RECEIVE_REQUESTS = 20;
    private static final int RECEIVE_SHIFT = 24;
    private static final int FLAGS = 28;
    private static final int USER_INDEX = 32;
    private static final int REGISTER = 36;
    private static final int SEND_BUFFER = 40;
    private static final int CONNECTION_OPTIONS = 48;

    private Mlx5CreateQp() {}

    /** Address of the queues. */
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

    /** 64-byte blocks of the send queue, a power of two. */
    public static int sendBlocks(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SEND_BLOCKS);
    }

    /** Stores {@link #sendBlocks}. */
    public static void setSendBlocks(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SEND_BLOCKS, value);
    }

    /** Work requests of the receive queue, a power of two. */
    public static int receiveRequests(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RECEIVE_REQUESTS);
    }

    /** Stores {@link #receiveRequests}. */
    public static void setReceiveRequests(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RECEIVE_REQUESTS, value);
    }

    /** Log2 bytes of a receive WQE. */
    public static int receiveShift(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RECEIVE_SHIFT);
    }

    /** Stores {@link #receiveShift}. */
    public static void setReceiveShift(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RECEIVE_SHIFT, value);
    }

    /** See the constants. */
    public static int flags(MemorySegment segment, long at) {
        return Host.getInt(segment, at + FLAGS);
    }

    /** Stores {@link #flags}. */
    public static void setFlags(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + FLAGS, value);
    }

    /** Index that completions carry, 24 bits. */
    public static int userIndex(MemorySegment segment, long at) {
        return Host.getInt(segment, at + USER_INDEX);
    }

    /** Stores {@link #userIndex}. */
    public static void setUserIndex(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + USER_INDEX, value);
    }

    /** Register, or with the flag register page. */
    public static int register(MemorySegment segment, long at) {
        return Host.getInt(segment, at + REGISTER);
    }

    /** Stores {@link #register}. */
    public static void setRegister(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + REGISTER, value);
    }

    /** 0 but for raw packets. */
    public static long sendBuffer(MemorySegment segment, long at) {
        return Host.getLong(segment, at + SEND_BUFFER);
    }

    /** Stores {@link #sendBuffer}. */
    public static void setSendBuffer(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + SEND_BUFFER, value);
    }

    /** Vendor connection options. */
    public static int connectionOptions(MemorySegment segment, long at) {
        return Host.getInt(segment, at + CONNECTION_OPTIONS);
    }

    /** Stores {@link #connectionOptions}. */
    public static void setConnectionOptions(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + CONNECTION_OPTIONS, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_ib_create_qp", SIZE)
                .u64("buf_addr", BUFFER)
                .u64("db_addr", RECORD)
                .u32("sq_wqe_count", SEND_BLOCKS)
                .u32("rq_wqe_count", RECEIVE_REQUESTS)
                .u32("rq_wqe_shift", RECEIVE_SHIFT)
                .u32("flags", FLAGS)
                .u32("uidx", USER_INDEX)
                .u32("bfreg_index", REGISTER)
                .u64("sq_buf_addr", SEND_BUFFER)
                .u32("ece_options", CONNECTION_OPTIONS)
                .reserved("dci_streams", 52, 2)
                .reserved("reserved", 54, 2);
    }
}
