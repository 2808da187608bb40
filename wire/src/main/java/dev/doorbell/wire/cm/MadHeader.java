package dev.doorbell.wire.cm;

import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * What every management datagram begins with.
 *
 * <pre>
 *      0  be8   baseVersion        1
 *      1  be8   managementClass    7 for the connection manager
 *      2  be8   classVersion       2
 *      3  be8   method             3, Send
 *      4  be16  status             0
 *      6  be16  class specific     0
 *      8  be64  transactionId      chosen by whoever asks, repeated by whoever answers
 *     16  be16  attributeId        which message
 *     18  be16  reserved           0
 *     20  be32  attributeModifier  0
 *     24  bytes in all
 * </pre>
 */
public final class MadHeader {
    /** Bytes of the header. */
    public static final int SIZE = 24;

    /** Bytes of every management datagram, header included. */
    public static final int MAD_BYTES = 256;

    static final int BASE_VERSION = 1;
    static final int CLASS_CM = 7;
    static final int CLASS_VERSION = 2;
    static final int METHOD_SEND = 3;

    private static final int BASE_VERSION_AT = 0;
    private static final int CLASS_AT = 1;
    private static final int CLASS_VERSION_AT = 2;
    private static final int METHOD_AT = 3;
    private static final int TRANSACTION_ID_AT = 8;
    private static final int ATTRIBUTE_ID_AT = 16;

    private MadHeader() {}

    /** Writes the header of a message of the connection manager. */
    static void write(MemorySegment segment, long at, long transactionId, int attributeId) {
        segment.asSlice(at, SIZE).fill((byte) 0);
        Be.setByte(segment, at + BASE_VERSION_AT, BASE_VERSION);
        Be.setByte(segment, at + CLASS_AT, CLASS_CM);
        Be.setByte(segment, at + CLASS_VERSION_AT, CLASS_VERSION);
        Be.setByte(segment, at + METHOD_AT, METHOD_SEND);
        Be.setLong(segment, at + TRANSACTION_ID_AT, transactionId);
        Be.setShort(segment, at + ATTRIBUTE_ID_AT, attributeId);
    }

    /** Version of all management datagrams. */
    public static int baseVersion(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + BASE_VERSION_AT);
    }

    /** Who the datagram is for: 7 is the connection manager. */
    public static int managementClass(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + CLASS_AT);
    }

    /** Version of the class. */
    public static int classVersion(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + CLASS_VERSION_AT);
    }

    /** What to do: 3 is Send, the only one of the connection manager. */
    public static int method(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + METHOD_AT);
    }

    /** What ties an answer to its question. */
    public static long transactionId(MemorySegment segment, long at) {
        return Be.getLong(segment, at + TRANSACTION_ID_AT);
    }

    /** Which message follows, see {@link CmAttribute}. */
    public static int attributeId(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + ATTRIBUTE_ID_AT);
    }
}
