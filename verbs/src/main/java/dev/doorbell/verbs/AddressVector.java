package dev.doorbell.verbs;

import dev.doorbell.spec.Gid;

/**
 * Where packets go ({@code struct ibv_ah_attr}). RoCE uses the global route alone; LID fields are for InfiniBand links.
 *
 * @param destination the peer port's GID
 * @param sourceGidIndex slot of the local GID table that packets come from
 * @param flowLabel 20 bits; seeds the UDP source port
 * @param hopLimit time to live; 64 is a sane value
 * @param trafficClass DSCP and ECN byte
 * @param port local port, from 1
 * @param serviceLevel InfiniBand service level or Ethernet priority
 * @param destinationLid LID of the peer; 0 on Ethernet
 * @param isGlobal whether a global route is given at all; always on RoCE
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
        boolean isGlobal) {
    /** A RoCE address: global, from a slot of the local GID table, hop limit 64. */
    public static AddressVector roce(Gid destination, int port, int sourceGidIndex) {
        return new AddressVector(destination, sourceGidIndex, 0, 64, 0, port, 0, 0, true);
    }
}
