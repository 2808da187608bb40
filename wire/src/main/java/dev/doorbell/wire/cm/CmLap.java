package dev.doorbell.wire.cm;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;

/**
 * LAP: the active side asks for another alternate path, of which there are none on RoCE.
 *
 * <pre>
 *      0  be32  localCommId
 *      4  be32  remoteCommId
 *     12  be24  remoteQpn | reserved
 *     24  gid   localGid
 *     40  gid   remoteGid
 *     64        privateData, {@link #PRIVATE_DATA} bytes
 * </pre>
 *
 * <p>Only what a refusal needs is read; the rest is written as zeros.
 *
 * @param localCommId the sender's number of the connection
 * @param remoteCommId the receiver's
 * @param remoteQpn the receiver's queue pair
 * @param localGid the sender's address on the alternate path
 * @param remoteGid the receiver's
 * @param privateData for the programs
 */
public record CmLap(
        int localCommId, int remoteCommId, int remoteQpn, Gid localGid, Gid remoteGid, PrivateData privateData)
        implements CmMessage {
    /** Bytes of private data. */
    public static final int PRIVATE_DATA = 168;

    private static final int REMOTE_COMM_ID = 4;
    private static final int REMOTE_QPN = 12;
    private static final int LOCAL_GID = 24;
    private static final int REMOTE_GID = 40;
    private static final int DATA = 64;

    static CmLap read(MemorySegment segment, long at) {
        return new CmLap(
                Be.getInt(segment, at),
                Be.getInt(segment, at + REMOTE_COMM_ID),
                Be.getUnsigned24(segment, at + REMOTE_QPN),
                Bits.gid(segment, at + LOCAL_GID),
                Bits.gid(segment, at + REMOTE_GID),
                PrivateData.read(segment, at + DATA, PRIVATE_DATA));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        Be.setInt(segment, at, localCommId);
        Be.setInt(segment, at + REMOTE_COMM_ID, remoteCommId);
        Be.set24(segment, at + REMOTE_QPN, remoteQpn);
        Bits.setGid(segment, at + LOCAL_GID, localGid);
        Bits.setGid(segment, at + REMOTE_GID, remoteGid);
        privateData.write(segment, at + DATA);
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.LAP;
    }

    @Override
    public String toString() {
        return "LAP id=" + Bits.id(localCommId) + " to=" + Bits.id(remoteCommId) + " qp=0x%x ".formatted(remoteQpn)
                + localGid + "→" + remoteGid + privateData.printed();
    }
}
