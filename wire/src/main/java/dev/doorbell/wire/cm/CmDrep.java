package dev.doorbell.wire.cm;

import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * DREP: the answer to a DREQ.
 *
 * <pre>
 *      0  be32  localCommId
 *      4  be32  remoteCommId
 *      8        privateData, {@link #PRIVATE_DATA} bytes
 * </pre>
 *
 * @param localCommId the sender's number of the connection
 * @param remoteCommId the receiver's
 * @param privateData for the programs
 */
public record CmDrep(int localCommId, int remoteCommId, PrivateData privateData) implements CmMessage {
    /** Bytes of private data. */
    public static final int PRIVATE_DATA = 224;

    private static final int REMOTE_COMM_ID = 4;
    private static final int DATA = 8;

    static CmDrep read(MemorySegment segment, long at) {
        return new CmDrep(
                Be.getInt(segment, at),
                Be.getInt(segment, at + REMOTE_COMM_ID),
                PrivateData.read(segment, at + DATA, PRIVATE_DATA));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        Be.setInt(segment, at, localCommId);
        Be.setInt(segment, at + REMOTE_COMM_ID, remoteCommId);
        privateData.write(segment, at + DATA);
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.DREP;
    }

    @Override
    public String toString() {
        return "DREP id=" + Bits.id(localCommId) + " to=" + Bits.id(remoteCommId) + privateData.printed();
    }
}
