package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The flows of one sender, made when they are first used. A sender with many destinations keeps as many as there are
 * slots; one more takes the place of another. One thread at a time.
 */
final class UdpFlows {
    private static final int FIRST_SLOTS = 1;
    private static final int MOST_SLOTS = 256;

    private final List<? extends DatagramPort> ports;
    private @Nullable UdpFlow[] slots = new @Nullable UdpFlow[FIRST_SLOTS];
    private int used;

    UdpFlows(List<? extends DatagramPort> ports) {
        this.ports = ports;
    }

    /** The flow from one address to another; null if none leads there. */
    @Nullable
    UdpFlow find(Gid source, Gid destination) {
        UdpFlow flow = slots[slot(destination)];
        return flow != null && flow.leads(source, destination) ? flow : add(source, destination);
    }

    private int slot(Gid destination) {
        long mixed = (destination.low() ^ destination.high()) * 0x9e37_79b9_7f4a_7c15L;
        return (int) (mixed >>> 40) & slots.length - 1;
    }

    private @Nullable UdpFlow add(Gid source, Gid destination) {
        UdpFlow flow = open(source, destination);
        if (flow != null) {
            if (used == slots.length && slots.length < MOST_SLOTS) {
                grow();
            }
            int slot = slot(destination);
            used += slots[slot] == null ? 1 : 0;
            slots[slot] = flow;
        }
        return flow;
    }

    private @Nullable UdpFlow open(Gid source, Gid destination) {
        for (DatagramPort port : ports) {
            if (port.gid().equals(source)) {
                DatagramPort.Route route = port.route(destination);
                return route == null ? null : new UdpFlow(source, destination, route);
            }
        }
        return null;
    }

    private void grow() {
        @Nullable UdpFlow[] old = slots;
        slots = new @Nullable UdpFlow[old.length * 4];
        used = 0;
        for (UdpFlow flow : old) {
            if (flow != null) {
                int slot = slot(flow.destination);
                used += slots[slot] == null ? 1 : 0;
                slots[slot] = flow;
            }
        }
    }
}
