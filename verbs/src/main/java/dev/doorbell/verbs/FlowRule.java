package dev.doorbell.verbs;

import dev.doorbell.spec.Gid;
import java.util.List;

/**
 * Which packets of a port go to a queue pair ({@code struct ibv_flow_attr}, ibv_create_flow(3)); for raw packet queue
 * pairs. No device that Doorbell drives today steers flows.
 *
 * <p>Thread rules: immutable; {@link #attachTo} from any thread.
 *
 * @param priority 0 first
 * @param port from 1
 * @param matches what all must hold, from the outermost header inwards; none matches everything
 */
public record FlowRule(int priority, int port, List<Match> matches) {
    /** Takes a copy of the list. */
    public FlowRule {
        matches = List.copyOf(matches);
    }

    /** What is compared of a header; bits that are 0 in a mask are not looked at. */
    public sealed interface Match {
        /** Addresses of the Ethernet header, 48 bits each, and its type. */
        record Ethernet(long destination, long destinationMask, long source, long sourceMask, int type, int typeMask)
                implements Match {}

        /** Addresses of the IPv4 header, as numbers. */
        record Ipv4(int source, int sourceMask, int destination, int destinationMask) implements Match {}

        /** Addresses of the IPv6 header. */
        record Ipv6(Gid source, Gid sourceMask, Gid destination, Gid destinationMask) implements Match {}

        /** Ports of the TCP or UDP header. */
        record Ports(boolean udp, int source, int sourceMask, int destination, int destinationMask) implements Match {}
    }

    /**
     * Puts it into force until what is returned is closed (ibv_destroy_flow(3)).
     *
     * @throws NotSupportedException if the device does not steer flows
     */
    public DeviceObject attachTo(QueuePair queuePair) {
        return queuePair.extend(
                "CREATE_FLOW",
                provider -> new DeviceObject("flow rule", "DESTROY_FLOW", provider.steer(this), queuePair.lifetime()));
    }
}
