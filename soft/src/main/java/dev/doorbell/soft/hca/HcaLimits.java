package dev.doorbell.soft.hca;

import dev.doorbell.spec.Mtu;

/**
 * What a device can do at most. Requests beyond are refused; smaller ones are taken as they are.
 *
 * @param maxQueuePairs queue pairs at a time
 * @param maxMemoryRegions memory regions at a time
 * @param maxSge scatter/gather elements of one work request
 * @param maxReadAtomic outstanding READs and atomics of one queue pair, in each direction
 * @param maxMessageBytes longest message
 * @param activeMtu largest path MTU that the port carries
 * @param maxAddressHandles address handles at a time
 * @param maxMulticastGroups multicast groups that the device receives at a time
 * @param maxMulticastMembers queue pairs that receive one of them
 */
public record HcaLimits(
        int maxQueuePairs,
        int maxMemoryRegions,
        int maxSge,
        int maxReadAtomic,
        long maxMessageBytes,
        Mtu activeMtu,
        int maxAddressHandles,
        int maxMulticastGroups,
        int maxMulticastMembers) {
    /**
     * The limits of Linux' rxe where it has them: 128 READs, 32 elements, messages of up to 2 GiB, MTU 4096, 32767
     * address handles, 8192 multicast groups of 56.
     */
    public static final HcaLimits DEFAULT =
            new HcaLimits(1 << 16, 1 << 18, 32, 128, 1L << 31, Mtu.MTU_4096, (1 << 15) - 1, 1 << 13, 56);
}
