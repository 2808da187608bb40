package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;

/**
 * The first bytes of every datagram that was received: the IP header that it came with. Whoever fills it knows both addresses
 * and the length; the rest is made up, as a host would send it, unless it is known too.
 *
 * <pre>
 *   IPv4                                      IPv6, and the global route header of InfiniBand
 *      0  20 B   undefined                       0  be32   version 6, traffic class 8 bits, flow label 20 bits
 *     20  be8    0x45: version, words            4  be16   bytes behind this header
 *     21  be8    type of service                 6  be8    next header, 17 for UDP
 *     22  be16   bytes with this header          7  be8    hop limit
 *     24  be16   identification                  8  be128  source
 *     26  be16   flags, fragment                24  be128  destination
 *     28  be8    time to live                   40  bytes in all
 *     29  be8    protocol, 17 for UDP
 *     30  be16   checksum of this header
 *     32  be32   source
 *     36  be32   destination
 *     40  bytes in all
 * </pre>
 *
 * <p>A reader tells one from the other as the C library does: by the version at the start, unless that says 6 by chance;
 * then a header of five words with a right checksum is IPv4. Soft-RoCE leaves the checksum out where a datagram stays on
 * the machine.
 */
public final class GrhArea {
    /** Bytes in front of the payload. */
    public static final int SIZE = 40;

    private static final int IPV4 = 20;
    private static final int IPV4_BYTES = 20;
    private static final int VERSION_4_FIVE_WORDS = 0x45;
    private static final int DONT_FRAGMENT = 0x4000;
    private static final int UDP = 17;
    private static final int HOPS = 64;
    private static final int WORD_MASK = 0xffff;

    private static final int V4_LENGTH = IPV4 + 2;
    private static final int V4_FLAGS = IPV4 + 6;
    private static final int V4_TTL = IPV4 + 8;
    private static final int V4_PROTOCOL = IPV4 + 9;
    private static final int V4_CHECKSUM = IPV4 + 10;
    private static final int V4_SOURCE = IPV4 + 12;
    private static final int V4_DESTINATION = IPV4 + 16;

    private static final int V6_LENGTH = 4;
    private static final int V6_NEXT = 6;
    private static final int V6_HOPS = 7;
    private static final int V6_SOURCE = 8;
    private static final int V6_DESTINATION = 24;
    private static final int VERSION_6 = 0x6000_0000;

    private GrhArea() {}

    /**
     * Fills the area.
     *
     * @param udpBytes bytes behind the IP header
     */
    public static void write(MemorySegment segment, long at, Gid source, Gid destination, int udpBytes) {
        if (destination.isIpv4Mapped()) {
            writeIpv4(segment, at, (int) source.low(), (int) destination.low(), udpBytes);
        } else {
            writeIpv6(segment, at, source, destination, udpBytes);
        }
    }

    /** Changes what {@link #write} made up: traffic class or type of service, flow label, hop limit or time to live. */
    public static void mark(MemorySegment segment, long at, int trafficClass, int flowLabel, int hopLimit) {
        if (isIpv4(segment, at)) {
            Be.setByte(segment, at + IPV4 + 1, trafficClass);
            Be.setByte(segment, at + V4_TTL, hopLimit);
            sum(segment, at);
        } else {
            Be.setInt(segment, at, VERSION_6 | trafficClass << 20 | flowLabel);
            Be.setByte(segment, at + V6_HOPS, hopLimit);
        }
    }

    private static void writeIpv4(MemorySegment segment, long at, int source, int destination, int udpBytes) {
        Be.setLong(segment, at, 0);
        Be.setLong(segment, at + Long.BYTES, 0);
        Be.setInt(segment, at + 2 * Long.BYTES, 0);
        Be.setByte(segment, at + IPV4, VERSION_4_FIVE_WORDS);
        Be.setByte(segment, at + IPV4 + 1, 0);
        Be.setShort(segment, at + V4_LENGTH, IPV4_BYTES + udpBytes);
        Be.setInt(segment, at + V4_FLAGS - 2, DONT_FRAGMENT);
        Be.setByte(segment, at + V4_TTL, HOPS);
        Be.setByte(segment, at + V4_PROTOCOL, UDP);
        Be.setInt(segment, at + V4_SOURCE, source);
        Be.setInt(segment, at + V4_DESTINATION, destination);
        sum(segment, at);
    }

    /** The checksum over the header, in which it counts as 0 itself. */
    private static void sum(MemorySegment segment, long at) {
        Be.setShort(segment, at + V4_CHECKSUM, 0);
        Be.setShort(segment, at + V4_CHECKSUM, checksum(segment, at));
    }

    private static void writeIpv6(MemorySegment segment, long at, Gid source, Gid destination, int udpBytes) {
        Be.setInt(segment, at, VERSION_6);
        Be.setShort(segment, at + V6_LENGTH, udpBytes);
        Be.setByte(segment, at + V6_NEXT, UDP);
        Be.setByte(segment, at + V6_HOPS, HOPS);
        Be.setLong(segment, at + V6_SOURCE, source.high());
        Be.setLong(segment, at + V6_SOURCE + Long.BYTES, source.low());
        Be.setLong(segment, at + V6_DESTINATION, destination.high());
        Be.setLong(segment, at + V6_DESTINATION + Long.BYTES, destination.low());
    }

    /** Whether the area holds an IPv4 header. */
    public static boolean isIpv4(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + IPV4) == VERSION_4_FIVE_WORDS
                && (Be.getUnsignedByte(segment, at) >>> 4 != 6 || isChecksumRight(segment, at));
    }

    /** Whether the checksum of an IPv4 header is right. */
    public static boolean isChecksumRight(MemorySegment segment, long at) {
        return checksum(segment, at) == 0;
    }

    /** Whether the area holds an IPv6 header, or the global route header of InfiniBand: version 6, if it is not IPv4. */
    public static boolean isIpv6(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at) >>> 4 == 6;
    }

    /** The sender's address. */
    public static Gid source(MemorySegment segment, long at, boolean ipv4) {
        return gid(segment, at + (ipv4 ? V4_SOURCE : V6_SOURCE), ipv4);
    }

    /** The address to which it was sent. */
    public static Gid destination(MemorySegment segment, long at, boolean ipv4) {
        return gid(segment, at + (ipv4 ? V4_DESTINATION : V6_DESTINATION), ipv4);
    }

    /** Traffic class, or type of service. */
    public static int trafficClass(MemorySegment segment, long at, boolean ipv4) {
        return ipv4 ? Be.getUnsignedByte(segment, at + IPV4 + 1) : Be.getInt(segment, at) >>> 20 & 0xff;
    }

    /** Flow label; IPv4 has none. */
    public static int flowLabel(MemorySegment segment, long at, boolean ipv4) {
        return ipv4 ? 0 : Be.getInt(segment, at) & 0xf_ffff;
    }

    /** Hop limit, or time to live. */
    public static int hopLimit(MemorySegment segment, long at, boolean ipv4) {
        return Be.getUnsignedByte(segment, at + (ipv4 ? V4_TTL : V6_HOPS));
    }

    private static Gid gid(MemorySegment segment, long at, boolean ipv4) {
        return ipv4
                ? Gid.ofIpv4(Be.getInt(segment, at))
                : new Gid(Be.getLong(segment, at), Be.getLong(segment, at + Long.BYTES));
    }

    /** The internet checksum of the IPv4 header: 0 where it holds its own. */
    private static int checksum(MemorySegment segment, long at) {
        int sum = 0;
        for (int offset = 0; offset < IPV4_BYTES; offset += Short.BYTES) {
            sum += Be.getUnsignedShort(segment, at + IPV4 + offset);
        }
        sum = (sum & WORD_MASK) + (sum >>> Short.SIZE);
        sum = (sum & WORD_MASK) + (sum >>> Short.SIZE);
        return ~sum & WORD_MASK;
    }
}
