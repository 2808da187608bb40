package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * CONNECT asks for a connection; for datagrams, for the number of the peer's queue pair.
 *
 * <pre>
 *   struct rdma_ucm_connect
 *      0  272 B  conn_param  own wishes
 *    272  u32    id          the identifier
 *    276  u8[4]  reserved    0
 *    280  8 B    ece         vendor options
 *    288  bytes in all
 * </pre>
 */
public final class CmConnect {
    /** Bytes of the struct. */
    public static final int SIZE = 288;

    /** Where the {@link CmConnectionParameters} conn_param lies in this struct. */
    public static final int CONN_PARAM = 0;

    /** Where the {@link CmEce} ece lies in this struct. */
    public static final int ECE = 280;

    private static final int ID = 272;

    private CmConnect() {}

    /** The identifier. */
    public static int id(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ID);
    }

    /** Stores {@link #id}. */
    public static void setId(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ID, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_connect", SIZE)
                .struct("conn_param", CONN_PARAM, CmConnectionParameters.layout())
                .u32("id", ID)
                .reserved("reserved", 276, 4)
                .struct("ece", ECE, CmEce.layout());
    }
}
