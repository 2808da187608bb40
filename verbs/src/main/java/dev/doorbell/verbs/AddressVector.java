package dev.doorbell.verbs;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Rate;

/**
 * Where packets go ({@code struct ibv_ah_attr}). RoCE uses the global route alone; LID fields are for InfiniBand links.
 *
 * <p>Thread rules: immutable. Nothing is checked here: what leads nowhere is refused where it is used, by
 * ibv_create_ah(3) and ibv_modify_qp(3).
 *
 * @param destination the peer port's GID, or that of a multicast group
 * @param sourceGidIndex slot of the local GID table that packets come from
 * @param flowLabel 20 bits; seeds the {@linkplain #udpSourcePort(int) UDP source port}
 * @param hopLimit time to live; 64 is a sane value
 * @param trafficClass DSCP and ECN byte
 * @param port local port, from 1
 * @param serviceLevel InfiniBand service level or Ethernet priority
 * @param destinationLid LID of the peer; 0 on Ethernet
 * @param isGlobal whether a global route is given at all; always on RoCE
 * @param sourcePathBits low bits of the local LID; 0 on Ethernet
 * @param rate how fast packets may leave; {@link Rate#MAX} sets no limit
 */
public record AddressVector(
        Gid destination,
        int sourceGidIndex,
        int flowLabel,
        int hopLimit,
        int trafficClass,
        int port,
        int serviceLevel,
        int destinationLid,
        boolean isGlobal,
        int sourcePathBits,
        Rate rate) {
    private static final int HOPS = 64;
    private static final int FIRST_ROCE_PORT = 0xc000;
    private static final int PORT_BITS = 14;
    private static final int PORT_MASK = (1 << PORT_BITS) - 1;
    private static final int FLOW_LABEL_MASK = 0xf_ffff;

    /** A RoCE address: global, from a slot of the local GID table, hop limit 64. */
    public static AddressVector roce(Gid destination, int port, int sourceGidIndex) {
        return new AddressVector(destination, sourceGidIndex, 0, HOPS, 0, port, 0, 0, true, 0, Rate.MAX);
    }

    /** The same with another flow label. */
    public AddressVector withFlowLabel(int value) {
        return new AddressVector(
                destination,
                sourceGidIndex,
                value,
                hopLimit,
                trafficClass,
                port,
                serviceLevel,
                destinationLid,
                isGlobal,
                sourcePathBits,
                rate);
    }

    /** The same with another hop limit and traffic class. */
    public AddressVector withTraffic(int newHopLimit, int newTrafficClass) {
        return new AddressVector(
                destination,
                sourceGidIndex,
                flowLabel,
                newHopLimit,
                newTrafficClass,
                port,
                serviceLevel,
                destinationLid,
                isGlobal,
                sourcePathBits,
                rate);
    }

    /**
     * The UDP source port of RoCEv2 packets with this flow label (ibv_flow_label_to_udp_sport(3)): its high bits folded
     * into the low fourteen, from 0xc000 on.
     *
     * @param flowLabel 20 bits
     */
    public static int udpSourcePort(int flowLabel) {
        int label = flowLabel & FLOW_LABEL_MASK;
        return (label & PORT_MASK ^ label >>> PORT_BITS) | FIRST_ROCE_PORT;
    }
}
