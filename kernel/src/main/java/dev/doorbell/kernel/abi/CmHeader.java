package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The header of every command of the connection manager. Lengths are bytes.
 *
 * <pre>
 *   struct rdma_ucm_cmd_hdr
 *      0  u32  cmd  number of the command, see {@link CmCommand#number}
 *      4  u16  in   bytes after this header
 *      6  u16  out  bytes of the answer
 *      8  bytes in all
 * </pre>
 */
public final class CmHeader {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int CMD = 0;
    private static final int IN = 4;
    private static final int OUT = 6;

    private CmHeader() {}

    /** Number of the command, see {@link CmCommand#number}. */
    public static int cmd(MemorySegment segment, long at) {
        return Host.getInt(segment, at + CMD);
    }

    /** Stores {@link #cmd}. */
    public static void setCmd(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + CMD, value);
    }

    /** Bytes after this header. */
    public static int in(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + IN);
    }

    /** Stores {@link #in}. */
    public static void setIn(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + IN, value);
    }

    /** Bytes of the answer. */
    public static int out(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + OUT);
    }

    /** Stores {@link #out}. */
    public static void setOut(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + OUT, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rdma_ucm_cmd_hdr", SIZE).u32("cmd", CMD).u16("in", IN).u16("out", OUT);
    }
}
