package dev.doorbell.spec;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A global identifier: the 128-bit address of a port. On RoCEv2 it is the IPv6 address of the port, or its IPv4 address
 * a.b.c.d as ::ffff:a.b.c.d.
 *
 * <p>Follows {@code union ibv_gid} (ibv_query_gid(3)).
 *
 * <p>Thread rules: immutable.
 *
 * @param high the first eight bytes, most significant first (subnet prefix)
 * @param low the last eight bytes, most significant first (interface identifier)
 */
public record Gid(long high, long low) {
    /** Bytes of a GID in memory and on the wire. */
    public static final int BYTES = 16;

    /** The empty slot of a GID table. */
    public static final Gid ZERO = new Gid(0, 0);

    private static final long MAPPED_PREFIX = 0xffffL << 32;

    /** The GID of an IP address; IPv4 addresses are mapped into IPv6. */
    public static Gid of(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == 4) {
            return ofIpv4(ByteBuffer.wrap(bytes).getInt());
        }
        return of(bytes);
    }

    /** The GID of an IPv4 address, whose first byte is the most significant of the number. */
    public static Gid ofIpv4(int address) {
        return new Gid(0, MAPPED_PREFIX | Integer.toUnsignedLong(address));
    }

    /**
     * The GID of a multicast group: of an IPv4 group such as 239.1.2.3, or of an IPv6 group such as ff12::1.
     *
     * @throws IllegalArgumentException if the address is no multicast address
     */
    public static Gid ofGroup(InetAddress group) {
        if (!group.isMulticastAddress()) {
            throw new IllegalArgumentException(group.getHostAddress() + " is no multicast address");
        }
        return of(group);
    }

    /**
     * The GID in 16 bytes, in network order.
     *
     * @throws IllegalArgumentException if there are not 16 bytes
     */
    public static Gid of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a GID has 16 bytes, not " + bytes.length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Gid(buffer.getLong(), buffer.getLong());
    }

    /** The link-local GID fe80::/64 with an EUI-64 as interface identifier. */
    public static Gid linkLocal(long eui64) {
        return new Gid(0xfe80L << 48, eui64);
    }

    /**
     * Reads the 32 hexadecimal digits that the ibverbs-utils programs exchange.
     *
     * @throws IllegalArgumentException if the text is anything else
     */
    public static Gid parseHex(String digits) {
        return of(HexFormat.of().parseHex(digits));
    }

    /** The 16 bytes in network order. */
    public byte[] toBytes() {
        return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
    }

    /** Whether this is an IPv4 address in IPv6 clothes. */
    public boolean isIpv4Mapped() {
        return high == 0 && low >>> 32 == 0xffff;
    }

    /** Whether this is link-local, fe80::/10. */
    public boolean isLinkLocal() {
        return high >>> 54 == 0xfe80 >>> 6;
    }

    /** Whether this is the zero GID of an empty slot. */
    public boolean isZero() {
        return high == 0 && low == 0;
    }

    /** Whether this is a multicast group: ff00::/8, or an IPv4 group (224.0.0.0/4) in IPv6 clothes. */
    public boolean isMulticast() {
        return high >>> 56 == 0xff || (isIpv4Mapped() && (low >>> 28 & 0xf) == 0xe);
    }

    /** The address as Java's sockets know it: an {@link Inet4Address} for a mapped one. */
    public InetAddress toInetAddress() {
        try {
            return InetAddress.getByAddress(toBytes());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("16 bytes are always an address", e);
        }
    }

    /** The 32 hexadecimal digits that the ibverbs-utils programs exchange. */
    public String toHex() {
        return HexFormat.of().formatHex(toBytes());
    }

    /** As inet_ntop(3) writes it, and so the programs of ibverbs-utils: fe80::5054:ff:fe00:1, or ::ffff:a.b.c.d. */
    @Override
    public String toString() {
        if (isIpv4Mapped()) {
            return "::ffff:" + toInetAddress().getHostAddress();
        }
        return Ipv6Text.of(this);
    }
}
