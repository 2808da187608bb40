package dev.doorbell.wire.cm;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.Guid;
import java.lang.foreign.MemorySegment;

/**
 * REQ: the active side asks for a connection.
 *
 * <pre>
 *      0  be32  localCommId
 *      4        reserved
 *      8  be64  serviceId
 *     16  be64  caGuid
 *     24        reserved
 *     28  be32  qkey
 *     32  be24  qpn            | be8 responderResources
 *     36  be24  local EECN, 0  | be8 initiatorDepth
 *     40  be24  remote EECN, 0 | remoteResponseTimeout 5, transport 2, flowControl 1
 *     44  be24  startingPsn    | localResponseTimeout 5, retryCount 3
 *     48  be16  pkey
 *     50  be8   pathMtu 4 | RDC exists 1 | rnrRetry 3
 *     51  be8   maxCmRetries 4 | srq 1 | extendedTransport 3
 *     52        primary path, {@link CmPath#SIZE} bytes
 *     96        alternate path
 *    140        privateData, {@link #PRIVATE_DATA} bytes
 * </pre>
 *
 * @param localCommId the active side's number of this connection, never 0
 * @param serviceId who is asked
 * @param caGuid the active side's node
 * @param queuePair its queue pair
 * @param transport the service
 * @param extendedTransport which, if that is {@link CmTransport#EXTENDED}
 * @param timing how long the sides wait for each other's messages
 * @param pkey partition
 * @param pathMtu code of the path MTU, for both sides
 * @param primary the path
 * @param alternate another one; {@link CmPath#NONE} for none
 * @param privateData for the programs, and for the IP addresses ({@link IpCmHeader})
 */
public record CmReq(
        int localCommId,
        long serviceId,
        Guid caGuid,
        CmQueuePair queuePair,
        CmTransport transport,
        int extendedTransport,
        Timing timing,
        int pkey,
        int pathMtu,
        CmPath primary,
        CmPath alternate,
        PrivateData privateData)
        implements CmMessage {
    /** Bytes of private data. */
    public static final int PRIVATE_DATA = 92;

    private static final int SERVICE_ID = 8;
    private static final int CA_GUID = 16;
    private static final int QKEY = 28;
    private static final int QPN = 32;
    private static final int RESOURCES = 35;
    private static final int DEPTH = 39;
    private static final int TRANSPORT = 43;
    private static final int STARTING_PSN = 44;
    private static final int RETRY = 47;
    private static final int PKEY = 48;
    private static final int MTU = 50;
    private static final int RETRIES = 51;
    private static final int PRIMARY = 52;
    private static final int ALTERNATE = PRIMARY + CmPath.SIZE;
    private static final int DATA = ALTERNATE + CmPath.SIZE;

    private static final int THREE_BITS = 7;
    private static final int TIMEOUT_SHIFT = 3;
    private static final int SRQ = 0x08;

    /**
     * How long the sides wait for each other's messages; the times are 4.096 µs times two to the power of the code.
     *
     * @param remoteResponseTimeout code of 5 bits: how long the passive side takes to answer at most
     * @param localResponseTimeout how long the active side takes
     * @param maxRetries how often a message is repeated, 4 bits
     */
    public record Timing(int remoteResponseTimeout, int localResponseTimeout, int maxRetries) {}

    static CmReq read(MemorySegment segment, long at) {
        int transport = Be.getUnsignedByte(segment, at + TRANSPORT);
        int retry = Be.getUnsignedByte(segment, at + RETRY);
        int mtu = Be.getUnsignedByte(segment, at + MTU);
        int retries = Be.getUnsignedByte(segment, at + RETRIES);
        CmQueuePair queuePair = new CmQueuePair(
                Be.getUnsigned24(segment, at + QPN),
                Be.getInt(segment, at + QKEY),
                Be.getUnsigned24(segment, at + STARTING_PSN),
                Be.getUnsignedByte(segment, at + RESOURCES),
                Be.getUnsignedByte(segment, at + DEPTH),
                retry & THREE_BITS,
                mtu & THREE_BITS,
                (transport & 1) != 0,
                (retries & SRQ) != 0);
        return new CmReq(
                Be.getInt(segment, at),
                Be.getLong(segment, at + SERVICE_ID),
                Bits.guid(segment, at + CA_GUID),
                queuePair,
                CmTransport.of(transport >>> 1),
                retries & THREE_BITS,
                new Timing(transport >>> TIMEOUT_SHIFT, retry >>> TIMEOUT_SHIFT, retries >>> 4),
                Be.getUnsignedShort(segment, at + PKEY),
                mtu >>> 4,
                CmPath.read(segment, at + PRIMARY),
                CmPath.read(segment, at + ALTERNATE),
                PrivateData.read(segment, at + DATA, PRIVATE_DATA));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        Be.setInt(segment, at, localCommId);
        Be.setLong(segment, at + SERVICE_ID, serviceId);
        Be.setLong(segment, at + CA_GUID, caGuid.value());
        Be.setInt(segment, at + QKEY, queuePair.qkey());
        Be.set24(segment, at + QPN, queuePair.qpn());
        Be.setByte(segment, at + RESOURCES, queuePair.responderResources());
        Be.setByte(segment, at + DEPTH, queuePair.initiatorDepth());
        int service = timing.remoteResponseTimeout << TIMEOUT_SHIFT
                | transport.code() << 1
                | (queuePair.flowControl() ? 1 : 0);
        Be.setByte(segment, at + TRANSPORT, service);
        int retry = timing.localResponseTimeout << TIMEOUT_SHIFT | queuePair.retryCount() & THREE_BITS;
        Be.set24(segment, at + STARTING_PSN, queuePair.startingPsn());
        Be.setByte(segment, at + RETRY, retry);
        Be.setShort(segment, at + PKEY, pkey);
        Be.setByte(segment, at + MTU, pathMtu << 4 | queuePair.rnrRetry() & THREE_BITS);
        int retries = timing.maxRetries << 4 | (queuePair.srq() ? SRQ : 0) | extendedTransport & THREE_BITS;
        Be.setByte(segment, at + RETRIES, retries);
        primary.write(segment, at + PRIMARY);
        alternate.write(segment, at + ALTERNATE);
        privateData.write(segment, at + DATA);
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.REQ;
    }

    @Override
    public String toString() {
        return "REQ id=" + Bits.id(localCommId) + " service=0x%016x".formatted(serviceId) + " ca=" + caGuid.toHex()
                + ' '
                + transport + ' ' + queuePair + " mtu=" + pathMtu + " timeouts=" + timing.remoteResponseTimeout + '/'
                + timing.localResponseTimeout + " retries=" + timing.maxRetries + ' ' + primary
                + (alternate.isPresent() ? " or " + alternate : "") + privateData.printed();
    }
}
