package dev.doorbell.wire.cm;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.Guid;
import java.lang.foreign.MemorySegment;

/**
 * REP: the passive side accepts.
 *
 * <pre>
 *      0  be32  localCommId
 *      4  be32  remoteCommId
 *      8  be32  qkey
 *     12  be24  qpn         | reserved
 *     16  be24  EECN, 0     | reserved
 *     20  be24  startingPsn | reserved
 *     24  be8   responderResources
 *     25  be8   initiatorDepth
 *     26  be8   targetAckDelay 5 | failover 2 | flowControl 1
 *     27  be8   rnrRetry 3 | srq 1 | reserved 4
 *     28  be64  caGuid
 *     36        privateData, {@link #PRIVATE_DATA} bytes
 * </pre>
 *
 * @param localCommId the passive side's number of this connection
 * @param remoteCommId the active side's
 * @param queuePair the passive side's queue pair; its retry count is not sent
 * @param targetAckDelay code of 5 bits: how long the passive side may take for an acknowledgement
 * @param failover whether the alternate path was accepted, 2 bits
 * @param caGuid the passive side's node
 * @param privateData for the programs
 */
public record CmRep(
        int localCommId,
        int remoteCommId,
        CmQueuePair queuePair,
        int targetAckDelay,
        int failover,
        Guid caGuid,
        PrivateData privateData)
        implements CmMessage {
    /** Bytes of private data. */
    public static final int PRIVATE_DATA = 196;

    private static final int REMOTE_COMM_ID = 4;
    private static final int QKEY = 8;
    private static final int QPN = 12;
    private static final int STARTING_PSN = 20;
    private static final int RESOURCES = 24;
    private static final int DEPTH = 25;
    private static final int DELAY = 26;
    private static final int RNR = 27;
    private static final int CA_GUID = 28;
    private static final int DATA = 36;

    private static final int DELAY_SHIFT = 3;
    private static final int RNR_SHIFT = 5;
    private static final int RNR_MASK = 7;
    private static final int SRQ = 0x10;

    static CmRep read(MemorySegment segment, long at) {
        int delay = Be.getUnsignedByte(segment, at + DELAY);
        int rnr = Be.getUnsignedByte(segment, at + RNR);
        CmQueuePair queuePair = new CmQueuePair(
                Be.getUnsigned24(segment, at + QPN),
                Be.getInt(segment, at + QKEY),
                Be.getUnsigned24(segment, at + STARTING_PSN),
                Be.getUnsignedByte(segment, at + RESOURCES),
                Be.getUnsignedByte(segment, at + DEPTH),
                0,
                rnr >>> RNR_SHIFT,
                (delay & 1) != 0,
                (rnr & SRQ) != 0);
        return new CmRep(
                Be.getInt(segment, at),
                Be.getInt(segment, at + REMOTE_COMM_ID),
                queuePair,
                delay >>> DELAY_SHIFT,
                delay >>> 1 & 3,
                Bits.guid(segment, at + CA_GUID),
                PrivateData.read(segment, at + DATA, PRIVATE_DATA));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        Be.setInt(segment, at, localCommId);
        Be.setInt(segment, at + REMOTE_COMM_ID, remoteCommId);
        Be.setInt(segment, at + QKEY, queuePair.qkey());
        Be.set24(segment, at + QPN, queuePair.qpn());
        Be.set24(segment, at + STARTING_PSN, queuePair.startingPsn());
        Be.setByte(segment, at + RESOURCES, queuePair.responderResources());
        Be.setByte(segment, at + DEPTH, queuePair.initiatorDepth());
        int delay = targetAckDelay << DELAY_SHIFT | (failover & 3) << 1 | (queuePair.flowControl() ? 1 : 0);
        Be.setByte(segment, at + DELAY, delay);
        int rnr = (queuePair.rnrRetry() & RNR_MASK) << RNR_SHIFT | (queuePair.srq() ? SRQ : 0);
        Be.setByte(segment, at + RNR, rnr);
        Be.setLong(segment, at + CA_GUID, caGuid.value());
        privateData.write(segment, at + DATA);
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.REP;
    }

    @Override
    public String toString() {
        return "REP id=" + Bits.id(localCommId) + " to=" + Bits.id(remoteCommId) + " ca=" + caGuid.toHex() + ' '
                + queuePair
                + " ack-delay=" + targetAckDelay + (failover == 0 ? "" : " failover=" + failover)
                + privateData.printed();
    }
}
