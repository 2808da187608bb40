package dev.doorbell.wire;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.Opcode;
import dev.doorbell.spec.Psn;
import java.lang.foreign.MemorySegment;

/**
 * The base transport header, at the start of every packet.
 *
 * <pre>
 *   byte      7    6    5    4    3    2    1    0
 *      0   |            operation code             |
 *      1   | SE |  M |   pad   |  version, 0       |
 *    2-3   |            partition key              |
 *      4   | FE | BE |         reserved, 0         |    FE, BE: congestion met, congestion notified
 *    5-7   |      destination queue pair           |
 *      8   |  A |            reserved, 0           |    A: acknowledge this packet
 *   9-11   |      packet sequence number           |
 * </pre>
 *
 * <p>SE asks for a solicited event. M says that the path is in the state "migrated"; it is always sent and never looked
 * at. Pad is the number of zero bytes behind the payload.
 */
public final class Bth {
    /** Bytes of the header. */
    public static final int SIZE = 12;

    /** The partition key that everybody has. */
    public static final int DEFAULT_PKEY = 0xffff;

    /** The destination of multicast packets. */
    public static final int MULTICAST_QP = 0xffffff;

    private static final int OPCODE = 0;
    private static final int FLAGS = 1;
    private static final int PKEY = 2;
    private static final int CONGESTION = 4;
    private static final int DEST_QP = 5;
    private static final int ACK = 8;
    private static final int SEQUENCE = 9;

    private static final int SOLICITED = 0x80;
    private static final int MIGRATED = 0x40;
    private static final int PAD_SHIFT = 4;
    private static final int PAD_MASK = 3;
    private static final int VERSION_MASK = 0xf;
    private static final int FECN = 0x80;
    private static final int BECN = 0x40;
    private static final int ACK_REQUESTED = 0x80;

    private Bth() {}

    /**
     * Writes all twelve bytes: default partition key, migrated, no event and no acknowledgement asked for.
     *
     * @param pad bytes of pad behind the payload, 0 to 3
     */
    public static void write(MemorySegment segment, long at, int opcode, int pad, int destQp, int psn) {
        Be.setByte(segment, at + OPCODE, opcode);
        Be.setByte(segment, at + FLAGS, MIGRATED | (pad & PAD_MASK) << PAD_SHIFT);
        Be.setShort(segment, at + PKEY, DEFAULT_PKEY);
        Be.setInt(segment, at + CONGESTION, destQp & MULTICAST_QP);
        Be.setInt(segment, at + ACK, psn & Psn.MASK);
    }

    /** Operation code, see {@link Opcode}. */
    public static int opcode(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + OPCODE);
    }

    /** Stores {@link #opcode}. */
    public static void setOpcode(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + OPCODE, value);
    }

    /** Whether the receiver is asked to raise a solicited event. */
    public static boolean solicited(MemorySegment segment, long at) {
        return (Be.getUnsignedByte(segment, at + FLAGS) & SOLICITED) != 0;
    }

    /** Stores {@link #solicited}. */
    public static void setSolicited(MemorySegment segment, long at, boolean value) {
        setBit(segment, at + FLAGS, SOLICITED, value);
    }

    /** Whether the path is migrated. */
    public static boolean migrated(MemorySegment segment, long at) {
        return (Be.getUnsignedByte(segment, at + FLAGS) & MIGRATED) != 0;
    }

    /** Stores {@link #migrated}. */
    public static void setMigrated(MemorySegment segment, long at, boolean value) {
        setBit(segment, at + FLAGS, MIGRATED, value);
    }

    /** Zero bytes behind the payload, 0 to 3. */
    public static int padCount(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + FLAGS) >>> PAD_SHIFT & PAD_MASK;
    }

    /** Stores {@link #padCount}. */
    public static void setPadCount(MemorySegment segment, long at, int value) {
        int others = Be.getUnsignedByte(segment, at + FLAGS) & ~(PAD_MASK << PAD_SHIFT);
        Be.setByte(segment, at + FLAGS, others | (value & PAD_MASK) << PAD_SHIFT);
    }

    /** Version of the transport, 0. */
    public static int version(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + FLAGS) & VERSION_MASK;
    }

    /** Partition key. */
    public static int pkey(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + PKEY);
    }

    /** Stores {@link #pkey}. */
    public static void setPkey(MemorySegment segment, long at, int value) {
        Be.setShort(segment, at + PKEY, value);
    }

    /** Whether the packet met congestion. */
    public static boolean fecn(MemorySegment segment, long at) {
        return (Be.getUnsignedByte(segment, at + CONGESTION) & FECN) != 0;
    }

    /** Whether the packet notifies of congestion. */
    public static boolean becn(MemorySegment segment, long at) {
        return (Be.getUnsignedByte(segment, at + CONGESTION) & BECN) != 0;
    }

    /** Stores {@link #becn}. */
    public static void setBecn(MemorySegment segment, long at, boolean value) {
        setBit(segment, at + CONGESTION, BECN, value);
    }

    /** Destination queue pair, 24 bits. */
    public static int destQp(MemorySegment segment, long at) {
        return Be.getUnsigned24(segment, at + DEST_QP);
    }

    /** Stores {@link #destQp}. */
    public static void setDestQp(MemorySegment segment, long at, int value) {
        Be.set24(segment, at + DEST_QP, value);
    }

    /** Whether an acknowledgement is asked for. */
    public static boolean ackRequested(MemorySegment segment, long at) {
        return (Be.getUnsignedByte(segment, at + ACK) & ACK_REQUESTED) != 0;
    }

    /** Stores {@link #ackRequested}. */
    public static void setAckRequested(MemorySegment segment, long at, boolean value) {
        setBit(segment, at + ACK, ACK_REQUESTED, value);
    }

    /** Packet sequence number, see {@link Psn}. */
    public static int psn(MemorySegment segment, long at) {
        return Be.getUnsigned24(segment, at + SEQUENCE);
    }

    /** Stores {@link #psn}. */
    public static void setPsn(MemorySegment segment, long at, int value) {
        Be.set24(segment, at + SEQUENCE, value);
    }

    /** The header on one line. */
    public static String print(MemorySegment segment, long at) {
        StringBuilder text = new StringBuilder(Opcode.name(opcode(segment, at)));
        text.append(" qp=0x").append(Integer.toHexString(destQp(segment, at)));
        text.append(" psn=").append(Psn.toString(psn(segment, at)));
        flag(text, " ack-requested", ackRequested(segment, at));
        flag(text, " solicited", solicited(segment, at));
        flag(text, " fecn", fecn(segment, at));
        flag(text, " becn", becn(segment, at));
        if (pkey(segment, at) != DEFAULT_PKEY) {
            text.append(" pkey=0x%04x".formatted(pkey(segment, at)));
        }
        if (padCount(segment, at) != 0) {
            text.append(" pad=").append(padCount(segment, at));
        }
        if (version(segment, at) != 0) {
            text.append(" version=").append(version(segment, at));
        }
        return text.toString();
    }

    private static void flag(StringBuilder text, String name, boolean set) {
        if (set) {
            text.append(name);
        }
    }

    private static void setBit(MemorySegment segment, long offset, int bit, boolean value) {
        int others = Be.getUnsignedByte(segment, offset) & ~bit;
        Be.setByte(segment, offset, value ? others | bit : others);
    }
}
