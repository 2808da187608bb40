package dev.doorbell.wire.cm;

import java.lang.foreign.MemorySegment;

/**
 * A management datagram of the connection manager.
 *
 * @param transactionId what ties an answer to its question
 * @param message the message
 */
public record CmMad(long transactionId, CmMessage message) {
    /** The number of the queue pairs that they travel between, on every device. */
    public static final int QUEUE_PAIR = 1;

    /** The Q_Key of the queue pairs number 1. */
    public static final int QKEY = 0x8001_0000;

    /** Looks at bytes that may be anything. */
    public static MadDefect check(MemorySegment segment, long at, long length) {
        if (length < MadHeader.MAD_BYTES || at < 0 || at > segment.byteSize() - MadHeader.MAD_BYTES) {
            return MadDefect.TOO_SHORT;
        }
        if (MadHeader.baseVersion(segment, at) != MadHeader.BASE_VERSION) {
            return MadDefect.WRONG_VERSION;
        }
        if (MadHeader.managementClass(segment, at) != MadHeader.CLASS_CM) {
            return MadDefect.OTHER_CLASS;
        }
        if (MadHeader.classVersion(segment, at) != MadHeader.CLASS_VERSION) {
            return MadDefect.WRONG_CLASS_VERSION;
        }
        if (MadHeader.method(segment, at) != MadHeader.METHOD_SEND) {
            return MadDefect.OTHER_METHOD;
        }
        return CmAttribute.of(MadHeader.attributeId(segment, at)) == null
                ? MadDefect.UNKNOWN_ATTRIBUTE
                : MadDefect.NONE;
    }

    /**
     * The datagram that stands in memory. After {@link #check} found nothing wrong this cannot fail.
     *
     * @throws IllegalArgumentException if it is no message of the connection manager
     */
    public static CmMad read(MemorySegment segment, long at) {
        CmAttribute attribute = CmAttribute.of(MadHeader.attributeId(segment, at));
        if (attribute == null) {
            throw new IllegalArgumentException("no message has the attribute id " + MadHeader.attributeId(segment, at));
        }
        return new CmMad(MadHeader.transactionId(segment, at), CmMessage.read(attribute, segment, at + MadHeader.SIZE));
    }

    /** Writes all 256 bytes. */
    public void write(MemorySegment segment, long at) {
        segment.asSlice(at, MadHeader.MAD_BYTES).fill((byte) 0);
        MadHeader.write(segment, at, transactionId, message.attribute().id());
        message.write(segment, at + MadHeader.SIZE);
    }

    /** The bytes on one line: the message, or why they are none. */
    public static String describe(MemorySegment segment, long at, long length) {
        MadDefect defect = check(segment, at, length);
        return defect == MadDefect.NONE ? read(segment, at).toString() : "no CM message: " + defect;
    }

    @Override
    public String toString() {
        return "CM " + message + " tid=0x%016x".formatted(transactionId);
    }
}
