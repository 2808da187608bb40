package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import java.util.List;
import java.util.Map;

/** Sockets of one device, all bound: what carries the packets of a {@link UdpLink} while it is attached. */
interface UdpCarrier extends AutoCloseable {
    /** The bound addresses. */
    List<? extends DatagramPort> ports();

    /** Whether sends are cut into datagrams by the system. */
    Segmentation segmentation();

    /** See {@link PacketLink#hasPackets}. */
    boolean hasPackets();

    /** See {@link PacketLink#receive}; one thread at a time. */
    int receive(PacketSink sink, int limit);

    /** See {@link PacketLink#join}. */
    void join(Gid group);

    /** See {@link PacketLink#leave}. */
    void leave(Gid group);

    /** See {@link PacketWatch#offers}. */
    boolean offers(PacketWatch.Seat seat);

    /** See {@link PacketWatch#await}. */
    void await(PacketWatch.Seat seat, long timeoutNs);

    /** See {@link PacketWatch#wake}. */
    void wake(PacketWatch.Seat seat);

    /** Adds what only the system counts. */
    void addCounters(Map<String, Long> totals);

    /** What it is, and why, for people. */
    String description();

    /** Wakes sleepers and gives the sockets back. Idempotent. */
    @Override
    void close();
}
