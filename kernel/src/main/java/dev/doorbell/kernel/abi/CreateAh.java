package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of CREATE_AH: makes an address handle.
 *
 * <pre>
 *   struct ib_uverbs_create_ah
 *      0  u64    response     left to the carrier
 *      8  u64    user_handle  cookie
 *     16  u32    pd_handle    protection domain
 *     20  u32    reserved     0
 *     24  32 B   attr         {@link AhAttributes}
 *     56  bytes in all
 * </pre>
 */
public final class CreateAh {
    /** Bytes of the struct. */
    public static final int SIZE = 56;

    /** Where the {@link AhAttributes} lies in this struct. */
    public static final int ATTRIBUTES = 24;

    private static final int RESPONSE = 0;
    private static final int USER_HANDLE = 8;
    private static final int PD_HANDLE = 16;

    private CreateAh() {}

    /** Left to the carrier. */
    public static long response(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RESPONSE);
    }

    /** Stores {@link #response}. */
    public static void setResponse(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RESPONSE, value);
    }

    /** Cookie. */
    public static long userHandle(MemorySegment segment, long at) {
        return Host.getLong(segment, at + USER_HANDLE);
    }

    /** Stores {@link #userHandle}. */
    public static void setUserHandle(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + USER_HANDLE, value);
    }

    /** Protection domain. */
    public static int pdHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + PD_HANDLE);
    }

    /** Stores {@link #pdHandle}. */
    public static void setPdHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + PD_HANDLE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_create_ah", SIZE)
                .u64("response", RESPONSE)
                .u64("user_handle", USER_HANDLE)
                .u32("pd_handle", PD_HANDLE)
                .reserved("reserved", 20, 4)
                .struct("attr", ATTRIBUTES, AhAttributes.layout());
    }
}
