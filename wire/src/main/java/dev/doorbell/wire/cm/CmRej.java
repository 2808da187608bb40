package dev.doorbell.wire.cm;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.RejectReason;
import java.lang.foreign.MemorySegment;

/**
 * REJ: no connection, and why.
 *
 * <pre>
 *      0  be32  localCommId
 *      4  be32  remoteCommId
 *      8  be8   rejected 2 | reserved 6
 *      9  be8   length of the additional information 7 | reserved 1
 *     10  be16  reason
 *     12        additional information, {@link #ADDITIONAL} bytes
 *     84        privateData, {@link #PRIVATE_DATA} bytes
 * </pre>
 *
 * @param localCommId the sender's number of the connection; 0 if it never told one
 * @param remoteCommId the receiver's; 0 if it never told one
 * @param rejected which message: {@link #REQ}, {@link #REP} or {@link #OTHER}
 * @param reason the number of a {@link RejectReason}, perhaps one that nobody knows
 * @param additionalLength how much of the additional information counts
 * @param additional what the reason wants to add, such as the address that would have been right
 * @param privateData for the programs
 */
public record CmRej(
        int localCommId,
        int remoteCommId,
        int rejected,
        int reason,
        int additionalLength,
        PrivateData additional,
        PrivateData privateData)
        implements CmMessage {
    /** Bytes of private data. */
    public static final int PRIVATE_DATA = 148;

    /** Bytes of additional information. */
    public static final int ADDITIONAL = 72;

    /** A REQ is rejected. */
    public static final int REQ = 0;
    /** A REP is rejected. */
    public static final int REP = 1;
    /** No particular message. */
    public static final int OTHER = 2;

    private static final int REMOTE_COMM_ID = 4;
    private static final int REJECTED = 8;
    private static final int LENGTH = 9;
    private static final int REASON = 10;
    private static final int INFORMATION = 12;
    private static final int DATA = 84;

    private static final int REJECTED_SHIFT = 6;

    /** Without additional information. */
    public static CmRej of(int localCommId, int remoteCommId, int rejected, RejectReason reason, PrivateData data) {
        return new CmRej(localCommId, remoteCommId, rejected, reason.code(), 0, PrivateData.zero(ADDITIONAL), data);
    }

    static CmRej read(MemorySegment segment, long at) {
        return new CmRej(
                Be.getInt(segment, at),
                Be.getInt(segment, at + REMOTE_COMM_ID),
                Be.getUnsignedByte(segment, at + REJECTED) >>> REJECTED_SHIFT,
                Be.getUnsignedShort(segment, at + REASON),
                Be.getUnsignedByte(segment, at + LENGTH) >>> 1,
                PrivateData.read(segment, at + INFORMATION, ADDITIONAL),
                PrivateData.read(segment, at + DATA, PRIVATE_DATA));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        Be.setInt(segment, at, localCommId);
        Be.setInt(segment, at + REMOTE_COMM_ID, remoteCommId);
        Be.setByte(segment, at + REJECTED, rejected << REJECTED_SHIFT);
        Be.setByte(segment, at + LENGTH, additionalLength << 1);
        Be.setShort(segment, at + REASON, reason);
        additional.write(segment, at + INFORMATION);
        privateData.write(segment, at + DATA);
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.REJ;
    }

    private static String describe(int reason) {
        RejectReason known = RejectReason.of(reason);
        return known == RejectReason.UNKNOWN ? Integer.toString(reason) : reason + " (" + known + ")";
    }

    @Override
    public String toString() {
        return "REJ id=" + Bits.id(localCommId) + " to=" + Bits.id(remoteCommId) + " of=" + rejected + " reason="
                + describe(reason) + (additionalLength == 0 ? "" : " information=" + additional)
                + privateData.printed();
    }
}
