package dev.doorbell.wire;

import dev.doorbell.spec.Gid;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * The invariant CRC of the packets of one flow: from one address and UDP port to another address. It covers the IP
 * and UDP headers too, except for what routers change, so a sender must know its own address before it sends.
 *
 * <pre>
 *   what is hashed            with all ones in place of
 *   8 bytes of ones
 *   IPv4 20 or IPv6 40        type of service, time to live, checksum / traffic class, flow label, hop limit
 *   UDP 8                     checksum
 *   BTH 12                    byte 4: congestion bits and reserved bits
 *   headers, payload, pad
 * </pre>
 *
 * <p>The polynomial is that of Ethernet. The result follows the pad, least significant byte first.
 *
 * <p>Thread rules: not safe; it holds the headers that it hashes. Computing allocates nothing.
 */
public final class Icrc {
    /** Bytes of the CRC at the end of a packet. */
    public static final int SIZE = 4;

    /** The UDP port of RoCEv2. */
    public static final int PORT = 4791;

    /** The IPv4 flags "don't fragment", together with identification 0: what an unconnected UDP socket sends. */
    public static final int DONT_FRAGMENT = 0x4000;

    private static final int ONES = 8;
    private static final int CONGESTION = 4;
    private static final int IPV4 = 20;
    private static final int IPV6 = 40;
    private static final int UDP = 8;
    private static final int PROTOCOL_UDP = 17;

    /** Packets up to here are copied behind their headers, so that all of it is hashed at once: it takes half of the time. */
    private static final int SHORT = 128;

    private final CRC32 crc = new CRC32();
    private final byte[] bytes;

    /** The headers, at the start of {@link #bytes}. */
    private final ByteBuffer prefix;

    private final boolean ipv4;
    private final int udp;

    /**
     * A flow.
     *
     * @throws IllegalArgumentException if one of the addresses is IPv4 and the other is not
     */
    public Icrc(Gid source, Gid destination, int sourcePort) {
        ipv4 = source.isIpv4Mapped();
        if (ipv4 != destination.isIpv4Mapped()) {
            throw new IllegalArgumentException("from " + source + " no packet gets to " + destination);
        }
        udp = ONES + (ipv4 ? IPV4 : IPV6);
        bytes = new byte[udp + UDP + SHORT];
        Arrays.fill(bytes, 0, ONES, (byte) 0xff);
        prefix = ByteBuffer.wrap(bytes);
        if (ipv4) {
            putIpv4(source, destination);
        } else {
            putIpv6(source, destination);
        }
        prefix.putShort(udp, (short) sourcePort);
        prefix.putShort(udp + 2, (short) PORT);
        prefix.putShort(udp + 6, (short) 0xffff);
    }

    /**
     * The CRC of a packet that was sent with {@link #DONT_FRAGMENT} and identification 0.
     *
     * @param packet holds the packet; its position and limit are used, and left at 0 and its capacity
     * @param at where the base transport header starts
     * @param length bytes from there to the end of the pad
     */
    public int compute(ByteBuffer packet, int at, int length) {
        return compute(packet, at, length, 0, DONT_FRAGMENT);
    }

    /**
     * The CRC of a packet.
     *
     * @param packet holds the packet; its position and limit are used, and left at 0 and its capacity
     * @param at where the base transport header starts
     * @param length bytes from there to the end of the pad
     * @param identification of the IPv4 header; IPv6 has none
     * @param fragment flags and fragment offset of the IPv4 header
     */
    public int compute(ByteBuffer packet, int at, int length, int identification, int fragment) {
        int udpLength = UDP + length + SIZE;
        if (ipv4) {
            prefix.putShort(ONES + 2, (short) (IPV4 + udpLength));
            prefix.putShort(ONES + 4, (short) identification);
            prefix.putShort(ONES + 6, (short) fragment);
        } else {
            prefix.putShort(ONES + 4, (short) udpLength);
        }
        prefix.putShort(udp + 4, (short) udpLength);
        int bth = udp + UDP;
        boolean isShort = length <= SHORT;
        packet.clear();
        packet.get(at, bytes, bth, isShort ? length : Bth.SIZE);
        bytes[bth + CONGESTION] = (byte) 0xff;
        crc.reset();
        if (isShort) {
            crc.update(bytes, 0, bth + length);
        } else {
            crc.update(bytes, 0, bth + Bth.SIZE);
            packet.limit(at + length).position(at + Bth.SIZE);
            crc.update(packet);
            packet.clear();
        }
        return (int) crc.getValue();
    }

    /** Stores a CRC, least significant byte first. */
    public static void store(ByteBuffer packet, int at, int crc) {
        for (int i = 0; i < SIZE; i++) {
            packet.put(at + i, (byte) (crc >>> i * Byte.SIZE));
        }
    }

    /** Reads a CRC, least significant byte first. */
    public static int load(ByteBuffer packet, int at) {
        int crc = 0;
        for (int i = 0; i < SIZE; i++) {
            crc |= Byte.toUnsignedInt(packet.get(at + i)) << i * Byte.SIZE;
        }
        return crc;
    }

    private void putIpv4(Gid source, Gid destination) {
        prefix.put(ONES, (byte) 0x45);
        prefix.put(ONES + 1, (byte) 0xff);
        prefix.put(ONES + 8, (byte) 0xff);
        prefix.put(ONES + 9, (byte) PROTOCOL_UDP);
        prefix.putShort(ONES + 10, (short) 0xffff);
        prefix.putInt(ONES + 12, (int) source.low());
        prefix.putInt(ONES + 16, (int) destination.low());
    }

    private void putIpv6(Gid source, Gid destination) {
        prefix.putInt(ONES, 0x6fff_ffff);
        prefix.put(ONES + 6, (byte) PROTOCOL_UDP);
        prefix.put(ONES + 7, (byte) 0xff);
        prefix.putLong(ONES + 8, source.high());
        prefix.putLong(ONES + 16, source.low());
        prefix.putLong(ONES + 24, destination.high());
        prefix.putLong(ONES + 32, destination.low());
    }
}
