package dev.doorbell.wire.cm;

import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * DREQ: one side ends the connection.
 *
 * <pre>
 *      0  be32  localCommId
 *      4  be32  remoteCommId
 *      8  be24  remoteQpn | reserved
 *     12        privateData, {@link #PRIVATE_DATA} bytes
 * </pre>
 *
 * @param localCommId the sender's number of the connection
 * @param remoteCommId the receiver's
 * @param remoteQpn the receiver's queue pair
 * @param privateData for the programs
 */
public record CmDreq(int localCommId, int remoteCommId, int remoteQpn, PrivateData privateData) implements CmMessage {
    /** Bytes of private data. */
    public static final int PRIVATE_DATA = 220;

    private static final int REMOTE_COMM_ID = 4;
    private static final int REMOTE_QPN = 8;
    private static final int DATA = 12;

    static CmDreq read(MemorySegment segment, long at) {
        return new CmDreq(
                Be.getInt(segment, at),
                Be.getInt(segment, at + REMOTE_COMM_ID),
                Be.getUnsigned24(segment, at + REMOTE_QPN),
                PrivateData.read(segment, at + DATA, PRIVATE_DATA));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        Be.setInt(segment, at, localCommId);
        Be.setInt(segment, at + REMOTE_COMM_ID, remoteCommId);
        Be.set24(segment, at + REMOTE_QPN, remoteQpn);
        privateData.write(segment, at + DATA);
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.DREQ;
    }

    @Override
    public String toString() {
        return "DREQ id=" + Bits.id(localCommId) + " to=" + Bits.id(remoteCommId) + " qp=0x%x".formatted(remoteQpn)
                + privateData.printed();
    }
}
