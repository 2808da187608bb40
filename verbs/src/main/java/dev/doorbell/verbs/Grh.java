package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.GrhArea;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;

/**
 * Where a datagram came from: the header in front of every datagram that was received ({@code struct ibv_grh}). It takes
 * the first {@value #BYTES} bytes of the receive's memory, so receives for datagrams need that much more room, and the
 * payload begins behind it. On RoCEv2 it is the IP header; with IPv4 it fills the last twenty of those bytes.
 *
 * <p>The embedded device tells what came where its system does (Linux); elsewhere it makes up hop limit 64, traffic class and
 * flow label 0.
 *
 * <p>Thread rules: immutable; reading it is a use of the memory.
 *
 * <p>A whole program, {@code examples/Multicast.java}:
 * {@snippet file="Multicast.java"}
 *
 * @param version IP version, 4 or 6; InfiniBand's header is version 6
 * @param source the sender's address
 * @param destination the address that it was sent to: this port's, or that of a multicast group
 * @param trafficClass DSCP and ECN byte
 * @param flowLabel 20 bits; 0 with IPv4
 * @param hopLimit time to live that was left
 */
public record Grh(int version, Gid source, Gid destination, int trafficClass, int flowLabel, int hopLimit) {
    /** Bytes in front of the payload of every datagram. */
    public static final int BYTES = 40;

    /**
     * Reads it from received memory.
     *
     * @param offset where the datagram begins
     * @throws VerbsException EINVAL if there is neither an IPv4 header with a right checksum nor a version 6 header
     * @throws IndexOutOfBoundsException if there are fewer than {@value #BYTES} bytes
     */
    public static Grh read(MemorySegment received, long offset) {
        MemorySegment bytes = received.asSlice(offset, BYTES);
        boolean ipv4 = GrhArea.isIpv4(bytes, 0);
        if (!ipv4 && !GrhArea.isIpv6(bytes, 0)) {
            throw Refusal.of(Errno.EINVAL, "read GRH", "received memory")
                    .rule("the first " + BYTES + " bytes are neither an IPv4 nor an IPv6 header")
                    .remedy(
                            "Read it where a datagram was received, after its completion and before the memory is used again")
                    .exception();
        }
        return new Grh(
                ipv4 ? 4 : 6,
                GrhArea.source(bytes, 0, ipv4),
                GrhArea.destination(bytes, 0, ipv4),
                GrhArea.trafficClass(bytes, 0, ipv4),
                GrhArea.flowLabel(bytes, 0, ipv4),
                GrhArea.hopLimit(bytes, 0, ipv4));
    }

    /** Reads it from the start of received memory. Throws as {@link #read(MemorySegment, long)}. */
    public static Grh read(MemorySlice received) {
        return read(received.region().segment(), received.offset());
    }
}
