package dev.doorbell.verbs;

import dev.doorbell.spec.Guid;

/**
 * Capabilities and limits of a device ({@code struct ibv_device_attr}, ibv_query_device(3)). Sizes are in bytes, limits are
 * counts; unsigned 64-bit values keep their bits. Of the others, {@code pageSizes} has a bit for each size of a page in
 * bytes, {@code capabilities} the bits of {@link dev.doorbell.spec.DeviceCapability}, {@code atomicCapability} a number of
 * {@link dev.doorbell.spec.AtomicCapability} and {@code localAckDelay} a code of {@link dev.doorbell.spec.AckTimeout}.
 *
 * <p>Thread rules: immutable.
 */
public record DeviceAttributes(
        String firmwareVersion,
        Guid nodeGuid,
        Guid systemImageGuid,
        long maxRegionSize,
        long pageSizes,
        int vendorId,
        int vendorPartId,
        int hardwareVersion,
        int maxQueuePairs,
        int maxWorkRequests,
        long capabilities,
        int maxSge,
        int maxReadSge,
        int maxCompletionQueues,
        int maxCompletions,
        int maxRegions,
        int maxProtectionDomains,
        int maxReadAtomicPerQueuePair,
        int maxReadAtomicPerEndToEnd,
        int maxReadAtomicResources,
        int maxInitiatedReadAtomicPerQueuePair,
        int maxInitiatedReadAtomicPerEndToEnd,
        int atomicCapability,
        int maxEndToEnd,
        int maxReliableDatagramDomains,
        int maxWindows,
        int maxRawIpv6QueuePairs,
        int maxRawEthertypeQueuePairs,
        int maxMulticastGroups,
        int maxMulticastQueuePairs,
        int maxTotalMulticastAttaches,
        int maxAddressHandles,
        int maxFmrs,
        int maxMapsPerFmr,
        int maxSharedReceiveQueues,
        int maxSharedReceiveRequests,
        int maxSharedReceiveSge,
        int maxPkeys,
        int localAckDelay,
        int ports) {}
