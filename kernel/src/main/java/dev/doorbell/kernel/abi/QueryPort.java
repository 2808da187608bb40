package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of QUERY_PORT.
 *
 * <pre>
 *   struct ib_uverbs_query_port
 *      0  u64    response  left to the carrier
 *      8  u8     port_num  port, from 1
 *      9  u8[7]  reserved  0
 *     16  bytes in all
 * </pre>
 */
public final class QueryPort {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int RESPONSE = 0;
    private static final int PORT_NUM = 8;

    private QueryPort() {}

    /** Left to the carrier. */
    public static long response(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RESPONSE);
    }

    /** Stores {@link #response}. */
    public static void setResponse(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RESPONSE, value);
    }

    /** Port, from 1. */
    public static int portNum(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + PORT_NUM);
    }

    /** Stores {@link #portNum}. */
    public static void setPortNum(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + PORT_NUM, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_query_port", SIZE)
                .u64("response", RESPONSE)
                .u8("port_num", PORT_NUM)
                .reserved("reserved", 9, 7);
    }
}
