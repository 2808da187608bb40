package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A device's attachment to a network of packets. Packets may be lost, duplicated or reordered, but arrive intact or not
 * at all.
 *
 * <p>Thread rules: every method may be called from any thread; a {@link Transmitter} belongs to one thread at a time.
 */
public interface PacketLink extends AutoCloseable {
    /** The addresses at which this link receives. */
    List<Gid> addresses();

    /** The most bytes that one packet may have, from the BTH on. */
    int maxPacketBytes();

    /** A place to build packets in, for one queue pair. Not part of the data path. */
    Transmitter newTransmitter();

    /** Whether packets may come that somebody waits for; while not, nobody need look after this link. Reads only. */
    default boolean isUsed() {
        return true;
    }

    /** Whether a packet waits. Reads only. */
    boolean hasPackets();

    /**
     * Hands packets that have arrived to the sink, in order of their arrival. If another thread is at it already,
     * nothing is done.
     *
     * @param nowNs the present time
     * @param limit the most packets to hand over
     * @return how many were handed over
     */
    int receive(PacketSink sink, long nowNs, int limit);

    /** When {@link #receive} must be called even if nothing arrives meanwhile; {@link Long#MAX_VALUE} for never. */
    long nextDeadlineNs();

    /**
     * The own address from which packets to another address go; null if there is no way. Not part of the data path.
     *
     * @param scope the interface of a link-local destination; 0 for none
     */
    default @Nullable Gid route(Gid destination, int scope) {
        for (Gid own : addresses()) {
            if (own.isIpv4Mapped() == destination.isIpv4Mapped() && own.isLinkLocal() == destination.isLinkLocal()) {
                return own;
            }
        }
        return null;
    }

    /** Sets what runs, in the sender's thread, after a packet has arrived. It must neither block nor call back. */
    void onArrival(Runnable wakeUp);

    /**
     * Somebody may send here from now on, also without ever having been sent anything: a link that saves itself the
     * looking begins to look. Not part of the data path.
     */
    default void listen() {}

    /**
     * Receives from now on what is sent to a multicast group, beside what is sent to this link's own addresses. A
     * sender's own packets do not come back to it. Joining twice is joining once. Not part of the data path.
     *
     * @throws dev.doorbell.kernel.KernelException if the system refuses
     */
    void join(Gid group);

    /** Receives no more of what is sent to a multicast group. */
    void leave(Gid group);

    /** Whether packets travel at the moment. */
    default boolean isUp() {
        return true;
    }

    /** Whether the network has one of this link's addresses at the moment: packets can come from it, and get there. */
    default boolean has(Gid address) {
        return true;
    }

    /**
     * Sets what runs after {@link #isUp()}, {@link #has} or {@link #activeMtu()} has changed; in any thread, without locks of
     * this link. It may ask them.
     */
    default void onStateChange(Runnable action) {}

    /** How threads sleep until packets arrive, for a link that does not tell of arrivals; null for one that does. */
    default @Nullable PacketWatch watch() {
        return null;
    }

    /**
     * Somebody begins to use the device: a link that takes something from the system takes it now. A link that gets
     * nothing stays usable inside the process and says so in {@link #state()}.
     *
     * @return where the link is from now on, at least one address; empty if it is where it always was
     */
    default Optional<List<Gid>> attach() {
        return Optional.empty();
    }

    /** Nobody uses the device any more: what was taken from the system is given back. Idempotent. */
    default void detach() {}

    /** The largest path MTU that the network carries. */
    default Mtu activeMtu() {
        return Mtu.MTU_4096;
    }

    /** What this link is, and why, for people. */
    default String state() {
        return "local only: no network link, reaches the devices of this process";
    }

    /** The link's counters by name. */
    default Map<String, Long> counters() {
        return Map.of();
    }

    /** Leaves the network; later packets in both directions are dropped. Idempotent. */
    @Override
    void close();
}
