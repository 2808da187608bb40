package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sockets of one device, all bound: what carries the packets of a {@link UdpLink} while it is attached. */
interface UdpCarrier extends AutoCloseable {
    /** The bound addresses. */
    List<? extends DatagramPort> ports();

    /**
     * Adapts to where the addresses are now: binds those that have come back, and sends nothing from those that have gone.
     * Not part of the data path.
     *
     * @param places where each address is; empty for one that no interface has
     * @return for each address why it cannot be bound; empty if nothing stands against it
     */
    List<Optional<String>> follow(List<Optional<HostAddresses.Place>> places);

    /** Whether sends are cut into datagrams by the system. */
    Segmentation segmentation();

    /** From now on the sink is told the {@link IpFields} of what arrives, if the system tells them. */
    void tellFields();

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
