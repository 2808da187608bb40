package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The driver's answer of CREATE_QP.
 *
 * <pre>
 *   struct mlx5_ib_create_qp_resp
 *      0  u32    bfreg_index   static register, all ones where a page was named
 *      4  u32    ece_options   connection options that were taken
 *      8  u32    comp_mask     which of the later fields are valid
 *     12  u32    tirn          not used
 *     16  u32    tisn          not used
 *     20  u32    rqn           not used
 *     24  u32    sqn           not used
 *     28  4 B    reserved1
 *     32  u64    tir_icm_addr  not used
 *     40  bytes in all
 * </pre>
 */
public final class Mlx5CreateQpResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 40;

    private static final int REGISTER = 0;
    private static final int CONNECTION_OPTIONS = 4;
    private static final int VALIDITY = 8;
    private static final int RECEIVE_TRANSPORT = 12;
    private static final int SEND_TRANSPORT = 16;
    private static final int RECEIVE_QUEUE = 20;
    private static final int SEND_QUEUE = 24;
    private static final int RECEIVE_TRANSPORT_ADDRESS = 32;

    private Mlx5CreateQpResponse() {}

    /** Static register, all ones where a page was named. */
    public static int register(MemorySegment segment, long at) {
        return Host.getInt(segment, at + REGISTER);
    }

    /** Stores {@link #register}. */
    public static void setRegister(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + REGISTER, value);
    }

    /** Connection options that were taken. */
    public static int connectionOptions(MemorySegment segment, long at) {
        return Host.getInt(segment, at + CONNECTION_OPTIONS);
    }

    /** Stores {@link #connectionOptions}. */
    public static void setConnectionOptions(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + CONNECTION_OPTIONS, value);
    }

    /** Which of the later fields are valid. */
    public static int validity(MemorySegment segment, long at) {
        return Host.getInt(segment, at + VALIDITY);
    }

    /** Stores {@link #validity}. */
    public static void setValidity(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + VALIDITY, value);
    }

    /** Not used. */
    public static int receiveTransport(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RECEIVE_TRANSPORT);
    }

    /** Stores {@link #receiveTransport}. */
    public static void setReceiveTransport(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RECEIVE_TRANSPORT, value);
    }

    /** Not used. */
    public static int sendTransport(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SEND_TRANSPORT);
    }

    /** Stores {@link #sendTransport}. */
    public static void setSendTransport(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SEND_TRANSPORT, value);
    }

    /** Not used. */
    public static int receiveQueue(MemorySegment segment, long at) {
        return Host.getInt(segment, at + RECEIVE_QUEUE);
    }

    /** Stores {@link #receiveQueue}. */
    public static void setReceiveQueue(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + RECEIVE_QUEUE, value);
    }

    /** Not used. */
    public static int sendQueue(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SEND_QUEUE);
    }

    /** Stores {@link #sendQueue}. */
    public static void setSendQueue(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SEND_QUEUE, value);
    }

    /** Not used. */
    public static long receiveTransportAddress(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RECEIVE_TRANSPORT_ADDRESS);
    }

    /** Stores {@link #receiveTransportAddress}. */
    public static void setReceiveTransportAddress(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RECEIVE_TRANSPORT_ADDRESS, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_ib_create_qp_resp", SIZE)
                .u32("bfreg_index", REGISTER)
                .u32("ece_options", CONNECTION_OPTIONS)
                .u32("comp_mask", VALIDITY)
                .u32("tirn", RECEIVE_TRANSPORT)
                .u32("tisn", SEND_TRANSPORT)
                .u32("rqn", RECEIVE_QUEUE)
                .u32("sqn", SEND_QUEUE)
                .reserved("reserved1", 28, 4)
                .u64("tir_icm_addr", RECEIVE_TRANSPORT_ADDRESS);
    }
}
