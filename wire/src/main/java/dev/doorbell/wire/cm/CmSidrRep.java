package dev.doorbell.wire.cm;

import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * SIDR_REP: the answer to a SIDR_REQ.
 *
 * <pre>
 *      0  be32  requestId
 *      4  be8   status
 *      5  be8   length of the additional information | reserved 2
 *      8  be24  qpn | reserved
 *     12  be64  serviceId
 *     20  be32  qkey
 *     24        additional information, {@link #ADDITIONAL} bytes
 *     96        privateData, {@link #PRIVATE_DATA} bytes
 * </pre>
 *
 * @param requestId the asking side's number of the question
 * @param status {@link #VALID}, or why not
 * @param additionalLength how much of the additional information counts
 * @param qpn the queue pair, 24 bits
 * @param serviceId who was asked
 * @param qkey the queue pair's Q_Key
 * @param additional such as where else to ask
 * @param privateData for the programs
 */
public record CmSidrRep(
        int requestId,
        int status,
        int additionalLength,
        int qpn,
        long serviceId,
        int qkey,
        PrivateData additional,
        PrivateData privateData)
        implements CmMessage {
    /** Bytes of private data. */
    public static final int PRIVATE_DATA = 136;

    /** Bytes of additional information. */
    public static final int ADDITIONAL = 72;

    /** The queue pair is valid. */
    public static final int VALID = 0;
    /** Nobody serves this service id. */
    public static final int UNSUPPORTED = 1;
    /** Whoever serves it does not want to. */
    public static final int REJECTED = 2;
    /** There is no queue pair. */
    public static final int NO_QP = 3;
    /** Ask somewhere else. */
    public static final int REDIRECT = 4;
    /** A version that nobody knows. */
    public static final int UNSUPPORTED_VERSION = 5;

    private static final int STATUS = 4;
    private static final int LENGTH = 5;
    private static final int QPN = 8;
    private static final int SERVICE_ID = 12;
    private static final int QKEY = 20;
    private static final int INFORMATION = 24;
    private static final int DATA = 96;

    static CmSidrRep read(MemorySegment segment, long at) {
        return new CmSidrRep(
                Be.getInt(segment, at),
                Be.getUnsignedByte(segment, at + STATUS),
                Be.getUnsignedByte(segment, at + LENGTH),
                Be.getUnsigned24(segment, at + QPN),
                Be.getLong(segment, at + SERVICE_ID),
                Be.getInt(segment, at + QKEY),
                PrivateData.read(segment, at + INFORMATION, ADDITIONAL),
                PrivateData.read(segment, at + DATA, PRIVATE_DATA));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        Be.setInt(segment, at, requestId);
        Be.setByte(segment, at + STATUS, status);
        Be.setByte(segment, at + LENGTH, additionalLength);
        Be.set24(segment, at + QPN, qpn);
        Be.setLong(segment, at + SERVICE_ID, serviceId);
        Be.setInt(segment, at + QKEY, qkey);
        additional.write(segment, at + INFORMATION);
        privateData.write(segment, at + DATA);
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.SIDR_REP;
    }

    @Override
    public String toString() {
        return "SIDR_REP id=" + Bits.id(requestId) + " status=" + status
                + " service=0x%016x qp=0x%x qkey=0x%08x".formatted(serviceId, qpn, qkey)
                + (additionalLength == 0 ? "" : " information=" + additional) + privateData.printed();
    }
}
