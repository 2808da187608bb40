package dev.doorbell.wire.cm;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;

/**
 * What rdma_cm puts at the start of the private data of a REQ or a SIDR_REQ: which IP addresses are to be connected. The
 * destination's port stands in the service id.
 *
 * <pre>
 *      0  be8   version, 0
 *      1  be8   ipVersion 4 | reserved 4
 *      2  be16  sourcePort
 *      4        source, 16 bytes; an IPv4 address is the last four
 *     20        destination, 16 bytes
 *     36  bytes in all
 * </pre>
 *
 * @param sourcePort the asking side's port
 * @param source its address; an IPv4 address as a mapped one
 * @param destination the address that is asked; of the same family
 */
public record IpCmHeader(int sourcePort, Gid source, Gid destination) {
    /** Bytes of the header. */
    public static final int SIZE = 36;

    private static final int VERSION = 0;
    private static final int IP_VERSION = 1;
    private static final int SOURCE_PORT = 2;
    private static final int SOURCE = 4;
    private static final int DESTINATION = 20;
    private static final int IP_VERSION_SHIFT = 4;
    private static final int IPV4_OFFSET = 12;

    /** What private data says. */
    public enum Defect {
        /** It begins with this header. */
        NONE,
        /** A version that nobody knows. */
        WRONG_VERSION,
        /** Neither IPv4 nor IPv6. */
        UNKNOWN_IP_VERSION
    }

    /** Looks at private data that may be anything; at least {@link #SIZE} bytes. */
    public static Defect check(MemorySegment segment, long at) {
        if (Be.getUnsignedByte(segment, at + VERSION) != 0) {
            return Defect.WRONG_VERSION;
        }
        int version = Be.getUnsignedByte(segment, at + IP_VERSION) >>> IP_VERSION_SHIFT;
        return version == 4 || version == 6 ? Defect.NONE : Defect.UNKNOWN_IP_VERSION;
    }

    /** The header that stands in memory, after {@link #check} found nothing wrong. */
    public static IpCmHeader read(MemorySegment segment, long at) {
        boolean ipv4 = Be.getUnsignedByte(segment, at + IP_VERSION) >>> IP_VERSION_SHIFT == 4;
        return new IpCmHeader(
                Be.getUnsignedShort(segment, at + SOURCE_PORT),
                address(segment, at + SOURCE, ipv4),
                address(segment, at + DESTINATION, ipv4));
    }

    private static Gid address(MemorySegment segment, long at, boolean ipv4) {
        return ipv4 ? Gid.ofIpv4(Be.getInt(segment, at + IPV4_OFFSET)) : Bits.gid(segment, at);
    }

    /** Writes the header. */
    public void write(MemorySegment segment, long at) {
        boolean ipv4 = destination.isIpv4Mapped();
        segment.asSlice(at, SIZE).fill((byte) 0);
        Be.setByte(segment, at + IP_VERSION, (ipv4 ? 4 : 6) << IP_VERSION_SHIFT);
        Be.setShort(segment, at + SOURCE_PORT, sourcePort);
        setAddress(segment, at + SOURCE, source, ipv4);
        setAddress(segment, at + DESTINATION, destination, ipv4);
    }

    private static void setAddress(MemorySegment segment, long at, Gid address, boolean ipv4) {
        if (ipv4) {
            Be.setInt(segment, at + IPV4_OFFSET, (int) address.low());
        } else {
            Bits.setGid(segment, at, address);
        }
    }

    /**
     * Private data that begins with this header.
     *
     * @param data what the program adds
     * @param capacity bytes of the area
     * @throws IllegalArgumentException if it does not fit
     */
    public PrivateData with(byte[] data, int capacity) {
        if (data.length > capacity - SIZE) {
            throw new IllegalArgumentException(
                    data.length + " bytes of private data do not fit into " + (capacity - SIZE));
        }
        byte[] bytes = new byte[capacity];
        write(MemorySegment.ofArray(bytes), 0);
        System.arraycopy(data, 0, bytes, SIZE, data.length);
        return PrivateData.of(bytes, capacity);
    }

    @Override
    public String toString() {
        return "IP " + source + " port " + sourcePort + "→" + destination;
    }
}
