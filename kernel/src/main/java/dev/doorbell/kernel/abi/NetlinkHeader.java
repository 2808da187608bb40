package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The header of a netlink message; what follows depends on the type. Messages begin at multiples of four bytes.
 *
 * <pre>
 *   struct nlmsghdr
 *      0  u32    nlmsg_len    bytes of header and payload together, without padding
 *      4  u16    nlmsg_type   what it is: {@link NldevIds#type}, {@link NldevIds#MESSAGE_ERROR}, ...
 *      6  u16    nlmsg_flags  see {@link NldevIds}
 *      8  u32    nlmsg_seq    the answers to a request carry its number
 *     12  u32    nlmsg_pid    the socket that asked; 0 in a request
 *     16  bytes in all
 * </pre>
 */
public final class NetlinkHeader {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int LENGTH = 0;
    private static final int TYPE = 4;
    private static final int FLAGS = 6;
    private static final int SEQUENCE = 8;
    private static final int PORT = 12;

    private NetlinkHeader() {}

    /** Bytes of header and payload together, without padding. */
    public static int length(MemorySegment segment, long at) {
        return Host.getInt(segment, at + LENGTH);
    }

    /** Stores {@link #length}. */
    public static void setLength(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + LENGTH, value);
    }

    /** What the message is. */
    public static int type(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + TYPE);
    }

    /** Stores {@link #type}. */
    public static void setType(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + TYPE, value);
    }

    /** Flags of a request or an answer. */
    public static int flags(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + FLAGS);
    }

    /** Stores {@link #flags}. */
    public static void setFlags(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + FLAGS, value);
    }

    /** The request's number. */
    public static int sequence(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SEQUENCE);
    }

    /** Stores {@link #sequence}. */
    public static void setSequence(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SEQUENCE, value);
    }

    /** The socket that asked. */
    public static int port(MemorySegment segment, long at) {
        return Host.getInt(segment, at + PORT);
    }

    /** Stores {@link #port}. */
    public static void setPort(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + PORT, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("nlmsghdr", SIZE)
                .u32("nlmsg_len", LENGTH)
                .u16("nlmsg_type", TYPE)
                .u16("nlmsg_flags", FLAGS)
                .u32("nlmsg_seq", SEQUENCE)
                .u32("nlmsg_pid", PORT);
    }
}
