package dev.doorbell.cm;

import dev.doorbell.kernel.abi.CmDatagramParameters;
import dev.doorbell.kernel.abi.CmIds;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;

/**
 * Where datagrams go ({@code struct rdma_ud_param}): to the queue pair of a peer that accepted, or to a multicast group.
 *
 * <p>Thread rules: immutable.
 *
 * @param address the way there
 * @param queuePairNumber the peer's queue pair; 0xffffff for a group
 * @param qkey the Q_Key that datagrams carry
 */
public record DatagramDestination(AddressVector address, int queuePairNumber, int qkey) {
    static DatagramDestination read(MemorySegment struct, long at) {
        return new DatagramDestination(
                QueuePairMoves.address(struct, at + CmDatagramParameters.AH_ATTR),
                CmDatagramParameters.qpNum(struct, at),
                CmDatagramParameters.qkey(struct, at));
    }

    static byte[] privateData(MemorySegment struct, long at) {
        int length = Math.min(CmDatagramParameters.privateDataLen(struct, at), CmIds.MAX_PRIVATE_DATA);
        return ConnectionParameters.bytes(struct, at + CmDatagramParameters.PRIVATE_DATA, length);
    }

    /** An address handle for it (ibv_create_ah(3)), to be closed by whoever asked for it. */
    public AddressHandle createAddressHandle(ProtectionDomain domain) {
        return domain.createAddressHandle(address);
    }
}
