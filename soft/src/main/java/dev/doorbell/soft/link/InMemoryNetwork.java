package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
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
    private final Map<Gid, InMemoryLink> links = new ConcurrentHashMap<>();

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
    }
}
