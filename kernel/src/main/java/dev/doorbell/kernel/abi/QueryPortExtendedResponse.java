package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of the ioctl method QUERY_PORT. Kernels that know no {@code active_speed_ex} leave it 0.
 *
 * <pre>
 *   struct ib_uverbs_query_port_resp_ex
 *      0  40 B   legacy_resp      {@link QueryPortResponse}
 *     40  u16    port_cap_flags2  further capability bits
 *     42  u16    reserved
 *     44  u32    active_speed_ex  code of the link speed, for speeds that need more than 8 bits
 *     48  bytes in all
 * </pre>
 */
public final class QueryPortExtendedResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 48;

    /** Where the {@link QueryPortResponse} lies in this struct. */
    public static final int LEGACY = 0;

    private static final int PORT_CAP_FLAGS2 = 40;
    private static final int ACTIVE_SPEED_EX = 44;

    private QueryPortExtendedResponse() {}

    /** Further capability bits. */
    public static int portCapFlags2(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + PORT_CAP_FLAGS2);
    }

    /** Stores {@link #portCapFlags2}. */
    public static void setPortCapFlags2(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + PORT_CAP_FLAGS2, value);
    }

    /** Code of the link speed, for speeds that need more than 8 bits. */
    public static int activeSpeedEx(MemorySegment segment, long at) {
        return Host.getInt(segment, at + ACTIVE_SPEED_EX);
    }

    /** Stores {@link #activeSpeedEx}. */
    public static void setActiveSpeedEx(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + ACTIVE_SPEED_EX, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_query_port_resp_ex", SIZE)
                .struct("legacy_resp", LEGACY, QueryPortResponse.layout())
                .u16("port_cap_flags2", PORT_CAP_FLAGS2)
                .reserved("reserved", 42, 2)
                .u32("active_speed_ex", ACTIVE_SPEED_EX);
    }
}
