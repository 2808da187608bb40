package dev.doorbell.wire.cm;

import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * MRA: the message has arrived, the answer takes a while.
 *
 * <pre>
 *      0  be32  localCommId
 *      4  be32  remoteCommId
 *      8  be8   acknowledged 2 | reserved 6
 *      9  be8   serviceTimeout 5 | reserved 3
 *     10        privateData, {@link #PRIVATE_DATA} bytes
 * </pre>
 *
 * @param localCommId the sender's number of the connection
 * @param remoteCommId the receiver's
 * @param acknowledged which message: {@link #REQ}, {@link #REP} or {@link #LAP}
 * @param serviceTimeout code of 5 bits: how long the answer may take
 * @param privateData for the programs
 */
public record CmMra(int localCommId, int remoteCommId, int acknowledged, int serviceTimeout, PrivateData privateData)
        implements CmMessage {
    /** Bytes of private data. */
    public static final int PRIVATE_DATA = 222;

    /** A REQ has arrived. */
    public static final int REQ = 0;
    /** A REP has arrived. */
    public static final int REP = 1;
    /** A LAP has arrived. */
    public static final int LAP = 2;

    private static final int REMOTE_COMM_ID = 4;
    private static final int ACKNOWLEDGED = 8;
    private static final int TIMEOUT = 9;
    private static final int DATA = 10;

    private static final int ACKNOWLEDGED_SHIFT = 6;
    private static final int TIMEOUT_SHIFT = 3;

    static CmMra read(MemorySegment segment, long at) {
        return new CmMra(
                Be.getInt(segment, at),
                Be.getInt(segment, at + REMOTE_COMM_ID),
                Be.getUnsignedByte(segment, at + ACKNOWLEDGED) >>> ACKNOWLEDGED_SHIFT,
                Be.getUnsignedByte(segment, at + TIMEOUT) >>> TIMEOUT_SHIFT,
                PrivateData.read(segment, at + DATA, PRIVATE_DATA));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        Be.setInt(segment, at, localCommId);
        Be.setInt(segment, at + REMOTE_COMM_ID, remoteCommId);
        Be.setByte(segment, at + ACKNOWLEDGED, acknowledged << ACKNOWLEDGED_SHIFT);
        Be.setByte(segment, at + TIMEOUT, serviceTimeout << TIMEOUT_SHIFT);
        privateData.write(segment, at + DATA);
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.MRA;
    }

    @Override
    public String toString() {
        return "MRA id=" + Bits.id(localCommId) + " to=" + Bits.id(remoteCommId) + " of=" + acknowledged + " timeout="
                + serviceTimeout + privateData.printed();
    }
}
