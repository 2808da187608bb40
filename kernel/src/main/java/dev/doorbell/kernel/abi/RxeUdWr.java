package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The part of a {@link RxeSendWqe} that UD has. Offsets count from the start of the work request.
 *
 * <pre>
 *   struct rxe_send_wqe
 *     24  u32    wr.wr.ud.remote_qpn   number of the peer's queue pair
 *     28  u32    wr.wr.ud.remote_qkey  its Q_Key
 *     32  u16    wr.wr.ud.pkey_index   slot of the partition key table
 *     34  u16    wr.wr.ud.reserved     0
 *     36  u32    wr.wr.ud.ah_num       number of the address handle; 0: the address vector counts
 *     40  u8[16] wr.wr.ud.pad          0
 *     56  88 B   wr.wr.ud.av           {@link RxeAv}
 *    208  bytes in all
 * </pre>
 */
public final class RxeUdWr {
    /** Bytes of the struct. */
    public static final int SIZE = 208;

    /** Where the {@link RxeAv} lies in this struct. */
    public static final int AV = 56;

    private static final int REMOTE_QPN = 24;
    private static final int REMOTE_QKEY = 28;
    private static final int PKEY_INDEX = 32;
    private static final int AH_NUM = 36;

    private RxeUdWr() {}

    /** Number of the peer's queue pair. */
    public static int remoteQpn(MemorySegment segment, long at) {
        return Host.getInt(segment, at + REMOTE_QPN);
    }

    /** Stores {@link #remoteQpn}. */
    public static void setRemoteQpn(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + REMOTE_QPN, value);
    }

    /** Its Q_Key. */
    public static int remoteQkey(MemorySegment segment, long at) {
        return Host.getInt(segment, at + REMOTE_QKEY);
    }

    /** Stores {@link #remoteQkey}. */
    public static void setRemoteQkey(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + REMOTE_QKEY, value);
    }

    /** Slot of the partition key table. */
    public static int pkeyIndex(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + PKEY_INDEX);
    }

    /** Stores {@link #pkeyIndex}. */
    public static void setPkeyIndex(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + PKEY_INDEX, value);
    }

    /** Number of the address handle; 0: the address vector counts. */
    public static int ahNum(MemorySegment segment, long at) {
        return Host.getInt(segment, at + AH_NUM);
    }

    /** Stores {@link #ahNum}. */
    public static void setAhNum(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + AH_NUM, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rxe_send_wqe", SIZE)
                .u32("wr.wr.ud.remote_qpn", REMOTE_QPN)
                .u32("wr.wr.ud.remote_qkey", REMOTE_QKEY)
                .u16("wr.wr.ud.pkey_index", PKEY_INDEX)
                .reserved("wr.wr.ud.reserved", 34, 2)
                .u32("wr.wr.ud.ah_num", AH_NUM)
                .reserved("wr.wr.ud.pad", 40, 16)
                .struct("wr.wr.ud.av", AV, RxeAv.layout());
    }
}
