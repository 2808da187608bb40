package dev.doorbell.wire.cm;

import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * SIDR_REQ: which queue pair serves datagrams for a service?
 *
 * <pre>
 *      0  be32  requestId
 *      4  be16  pkey | reserved 2
 *      8  be64  serviceId
 *     16        privateData, {@link #PRIVATE_DATA} bytes
 * </pre>
 *
 * @param requestId the asking side's number of the question
 * @param pkey partition
 * @param serviceId who is asked
 * @param privateData for the programs, and for the IP addresses ({@link IpCmHeader})
 */
public record CmSidrReq(int requestId, int pkey, long serviceId, PrivateData privateData) implements CmMessage {
    /** Bytes of private data. */
    public static final int PRIVATE_DATA = 216;

    private static final int PKEY = 4;
    private static final int SERVICE_ID = 8;
    private static final int DATA = 16;

    static CmSidrReq read(MemorySegment segment, long at) {
        return new CmSidrReq(
                Be.getInt(segment, at),
                Be.getUnsignedShort(segment, at + PKEY),
                Be.getLong(segment, at + SERVICE_ID),
                PrivateData.read(segment, at + DATA, PRIVATE_DATA));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        Be.setInt(segment, at, requestId);
        Be.setShort(segment, at + PKEY, pkey);
        Be.setLong(segment, at + SERVICE_ID, serviceId);
        privateData.write(segment, at + DATA);
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.SIDR_REQ;
    }

    @Override
    public String toString() {
        return "SIDR_REQ id=" + Bits.id(requestId) + " service=0x%016x".formatted(serviceId) + privateData.printed();
    }
}
