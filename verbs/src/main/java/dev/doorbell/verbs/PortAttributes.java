package dev.doorbell.verbs;

import dev.doorbell.spec.LinkLayer;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.PortState;

/**
 * State and limits of a port ({@code struct ibv_port_attr}, ibv_query_port(3)).
 *
 * <p>Thread rules: immutable.
 *
 * @param state logical state; work flows on ACTIVE alone
 * @param maxMtu largest MTU of the port
 * @param activeMtu MTU that the link allows at the moment
 * @param gidTableLength slots of the GID table
 * @param capabilityFlags bits of the port's capability mask
 * @param maxMessageSize largest message in bytes, unsigned
 * @param badPkeys packets dropped for their P_Key
 * @param qkeyViolations packets dropped for their Q_Key
 * @param pkeyTableLength slots of the P_Key table
 * @param lid LID of the port; 0 on Ethernet
 * @param subnetManagerLid LID of the subnet manager; 0 on Ethernet
 * @param lidMaskControl low LID bits that are free
 * @param activeWidth link width code: 1 = 1x, 2 = 4x, 4 = 8x, 8 = 12x, 16 = 2x
 * @param activeSpeed link speed code: 1 = 2.5 Gb/s, 2 = 5, 4 and 8 = 10, 16 = 14, 32 = 25, 64 = 50, 128 = 100
 * @param physicalState physical state code: 5 = LinkUp
 * @param linkLayer Ethernet or InfiniBand
 */
public record PortAttributes(
        PortState state,
        Mtu maxMtu,
        Mtu activeMtu,
        int gidTableLength,
        int capabilityFlags,
        long maxMessageSize,
        int badPkeys,
        int qkeyViolations,
        int pkeyTableLength,
        int lid,
        int subnetManagerLid,
        int lidMaskControl,
        int activeWidth,
        int activeSpeed,
        int physicalState,
        LinkLayer linkLayer) {}
