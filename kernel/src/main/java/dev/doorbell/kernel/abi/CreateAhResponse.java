package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The answer of CREATE_AH.
 *
 * <pre>
 *   struct ib_uverbs_create_ah_resp
 *      0  u32    ah_handle  the new address handle, for commands
 *      4  bytes in all
 * </pre>
 */
public final class CreateAhResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 4;

    private static final int AH_HANDLE = 0;

    private CreateAhResponse() {}

    /** The new address handle, for commands. */
    public static int ahHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + AH_HANDLE);
    }

    /** Stores {@link #ahHandle}. */
    public static void setAhHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + AH_HANDLE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_create_ah_resp", SIZE).u32("ah_handle", AH_HANDLE);
    }
}
