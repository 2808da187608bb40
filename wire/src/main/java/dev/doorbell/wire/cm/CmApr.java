package dev.doorbell.wire.cm;

import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * APR: the answer to a LAP.
 *
 * <pre>
 *      0  be32  localCommId
 *      4  be32  remoteCommId
 *      8  be8   length of the additional information
 *      9  be8   status | reserved 2
 *     12        additional information, {@link #ADDITIONAL} bytes
 *     84        privateData, {@link #PRIVATE_DATA} bytes
 * </pre>
 *
 * @param localCommId the sender's number of the connection
 * @param remoteCommId the receiver's
 * @param status {@link #UNSUPPORTED} where there are no alternate paths
 * @param additionalLength how much of the additional information counts
 * @param additional what the status wants to add
 * @param privateData for the programs
 */
public record CmApr(
        int localCommId,
        int remoteCommId,
        int status,
        int additionalLength,
        PrivateData additional,
        PrivateData privateData)
        implements CmMessage {
    /** Bytes of private data. */
    public static final int PRIVATE_DATA = 148;

    /** Bytes of additional information. */
    public static final int ADDITIONAL = 72;

    /** Alternate paths are not supported. */
    public static final int UNSUPPORTED = 2;

    private static final int REMOTE_COMM_ID = 4;
    private static final int LENGTH = 8;
    private static final int STATUS = 9;
    private static final int INFORMATION = 12;
    private static final int DATA = 84;

    static CmApr read(MemorySegment segment, long at) {
        return new CmApr(
                Be.getInt(segment, at),
                Be.getInt(segment, at + REMOTE_COMM_ID),
                Be.getUnsignedByte(segment, at + STATUS),
                Be.getUnsignedByte(segment, at + LENGTH),
                PrivateData.read(segment, at + INFORMATION, ADDITIONAL),
                PrivateData.read(segment, at + DATA, PRIVATE_DATA));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        Be.setInt(segment, at, localCommId);
        Be.setInt(segment, at + REMOTE_COMM_ID, remoteCommId);
        Be.setByte(segment, at + LENGTH, additionalLength);
        Be.setByte(segment, at + STATUS, status);
        additional.write(segment, at + INFORMATION);
        privateData.write(segment, at + DATA);
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.APR;
    }

    @Override
    public String toString() {
        return "APR id=" + Bits.id(localCommId) + " to=" + Bits.id(remoteCommId) + " status=" + status
                + privateData.printed();
    }
}
