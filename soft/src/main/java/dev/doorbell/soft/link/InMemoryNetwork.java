package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Joins devices of one process: what one sends to an address of another lies in the other's queue at once. A full queue
 * drops.
 *
 * <p>Thread rules: any thread.
 */
public final class InMemoryNetwork {
    /** Packets that a device's queue holds unless said otherwise: two senders' windows. */
    public static final int DEFAULT_SLOTS = 256;

    private final int slots;
    private static final InMemoryLink[] NOBODY = {};

    private final Map<Gid, InMemoryLink> links = new ConcurrentHashMap<>();

    /** Who receives a multicast group; the arrays are replaced, never changed. */
    private final Map<Gid, InMemoryLink[]> groups = new ConcurrentHashMap<>();

    /** A network whose queues hold {@link #DEFAULT_SLOTS} packets. */
    public InMemoryNetwork() {
        this(DEFAULT_SLOTS);
    }

    /**
     * A network whose queues hold so many packets.
     *
     * @throws IllegalArgumentException if that is not a power of two
     */
    public InMemoryNetwork(int slots) {
        if (slots < 1 || Integer.bitCount(slots) != 1) {
            throw new IllegalArgumentException(slots + " slots are not a power of two");
        }
        this.slots = slots;
    }

    /**
     * Attaches a device.
     *
     * @throws IllegalArgumentException if one of the addresses is taken
     */
    public InMemoryLink join(List<Gid> addresses) {
        InMemoryLink link = new InMemoryLink(this, addresses, slots);
        for (Gid address : addresses) {
            if (links.putIfAbsent(address, link) != null) {
                link.close();
                throw new IllegalArgumentException("address " + address + " is taken in this network");
            }
        }
        return link;
    }

    @Nullable
    InMemoryLink find(Gid address) {
        return links.get(address);
    }

    void leave(InMemoryLink link) {
        links.values().removeIf(other -> other == link);
        groups.keySet().forEach(group -> leave(link, group));
    }

    void join(InMemoryLink link, Gid group) {
        groups.merge(group, new InMemoryLink[] {link}, (members, joining) -> {
            InMemoryLink[] others = without(members, link);
            InMemoryLink[] more = Arrays.copyOf(others, others.length + 1);
            more[others.length] = link;
            return more;
        });
    }

    void leave(InMemoryLink link, Gid group) {
        groups.computeIfPresent(group, (name, members) -> {
            InMemoryLink[] others = without(members, link);
            return others.length == 0 ? null : others;
        });
    }

    /** The links that receive a multicast group. The array is not to be changed. */
    InMemoryLink[] members(Gid group) {
        return groups.getOrDefault(group, NOBODY);
    }

    private static InMemoryLink[] without(InMemoryLink[] members, InMemoryLink link) {
        return Arrays.stream(members).filter(other -> other != link).toArray(InMemoryLink[]::new);
    }
}
