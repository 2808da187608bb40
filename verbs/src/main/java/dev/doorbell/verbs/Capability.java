package dev.doorbell.verbs;

import dev.doorbell.spec.DeviceCapability;
import dev.doorbell.verbs.spi.Operation;
import dev.doorbell.verbs.spi.ProviderContext;

/**
 * What not every device has. {@link Context#supports} answers by what the device says of itself, what its driver has, and
 * for re-registration by asking the kernel. What is missing answers {@link NotSupportedException} where it is called.
 */
public enum Capability {
    /** Memory windows of type 1. */
    MEMORY_WINDOW_TYPE_1(bits(DeviceCapability.MEM_WINDOW)),
    /** Memory windows of type 2. */
    MEMORY_WINDOW_TYPE_2(bits(DeviceCapability.MEM_WINDOW_TYPE_2A, DeviceCapability.MEM_WINDOW_TYPE_2B)),
    /** Local invalidate, SEND with invalidate. */
    INVALIDATION(bits(
            DeviceCapability.MEM_MGT_EXTENSIONS,
            DeviceCapability.MEM_WINDOW_TYPE_2A,
            DeviceCapability.MEM_WINDOW_TYPE_2B)),
    /** {@link SendBatch#atomicWrite}. */
    ATOMIC_WRITE(bits(DeviceCapability.ATOMIC_WRITE)),
    /** {@link SendBatch#flush} to global visibility. */
    FLUSH_GLOBAL(bits(DeviceCapability.FLUSH_GLOBAL)),
    /** {@link SendBatch#flush} to persistence. */
    FLUSH_PERSISTENT(bits(DeviceCapability.FLUSH_PERSISTENT)),
    /** {@link MemoryRegion#reregister}; which of the changes, the kernel says when it is asked for one. */
    REREGISTRATION(has(Operation.REREG_MR)),
    /** {@link CompletionQueue.Builder#timestamps}. */
    COMPLETION_TIMESTAMPS((device, driver) -> device.timestampMask() != 0 && driver.offers(Operation.CREATE_CQ_EX)),
    /** {@link Context#queryClock}. */
    CLOCK((device, driver) -> device.coreClockKilohertz() != 0 && driver.offers(Operation.QUERY_RT_VALUES)),
    /** Shared receive queues. */
    SHARED_RECEIVE_QUEUE((device, driver) -> device.base().maxSharedReceiveQueues() > 0),
    /** Shared receive queues of another size. */
    SHARED_RECEIVE_QUEUE_RESIZE(bits(DeviceCapability.SRQ_RESIZE)),
    /** Completion queues of another size. */
    COMPLETION_QUEUE_RESIZE(has(Operation.RESIZE_CQ)),
    /** Multicast groups. */
    MULTICAST((device, driver) -> device.base().maxMulticastGroups() > 0 && driver.offers(Operation.ATTACH_MCAST)),
    /** Memory that is not pinned. */
    ON_DEMAND_PAGING((device, driver) -> (device.onDemandPaging().general() & 1) != 0),
    /** {@link ProtectionDomain#prefetch}. */
    PREFETCH(has(Operation.ADVISE_MR)),
    /** {@link CompletionQueue#moderate}. */
    COMPLETION_MODERATION((device, driver) -> device.maxModerationCount() > 0 && driver.offers(Operation.MODIFY_CQ)),
    /** {@link Context#allocateDeviceMemory}. */
    DEVICE_MEMORY((device, driver) -> device.maxDeviceMemory() > 0 && driver.offers(Operation.ALLOC_DM)),
    /** {@link ProtectionDomain#nullRegion}. */
    NULL_REGION(has(Operation.ALLOC_NULL_MR)),
    /** {@link ProtectionDomain#registerDmaBuffer}. */
    DMA_BUFFER_REGION(has(Operation.REG_DMABUF_MR)),
    /** {@link ProtectionDomain#threadDomain}. */
    THREAD_DOMAIN(has(Operation.ALLOC_TD)),
    /** {@link Context#openXrcDomain}. */
    XRC((device, driver) ->
            DeviceCapability.XRC.isIn(device.base().capabilities()) && driver.offers(Operation.OPEN_XRCD)),
    /** {@link FlowRule}. */
    FLOW_STEERING((device, driver) ->
            DeviceCapability.MANAGED_FLOW_STEERING.isIn(device.base().capabilities())
                    && driver.offers(Operation.CREATE_FLOW)),
    /** {@link ProtectionDomain#receiveWorkQueue}. */
    RECEIVE_WORK_QUEUE((device, driver) -> device.maxReceiveWorkQueues() > 0 && driver.offers(Operation.CREATE_WQ)),
    /** {@link Context#createCounters}. */
    COUNTERS(has(Operation.CREATE_COUNTERS)),
    /** {@link RateLimit}. */
    RATE_LIMIT(has(Operation.MODIFY_QP_RATE_LIMIT)),
    /** {@link VendorConnectionOptions}. */
    CONNECTION_OPTIONS(has(Operation.QUERY_ECE)),
    /** {@link SharedReceiveQueue#changeTags}. */
    TAG_MATCHING((device, driver) -> device.tagMatching().maxTags() > 0 && driver.offers(Operation.POST_SRQ_OPS));

    /** How a capability is found out. */
    @FunctionalInterface
    private interface Evidence {
        boolean holds(ExtendedDeviceAttributes device, ProviderContext driver);
    }

    private final Evidence evidence;

    Capability(Evidence evidence) {
        this.evidence = evidence;
    }

    private static Evidence bits(DeviceCapability... any) {
        long mask = 0;
        for (DeviceCapability capability : any) {
            mask |= capability.bit();
        }
        long wanted = mask;
        return (device, driver) -> (device.base().capabilities() & wanted) != 0;
    }

    private static Evidence has(Operation operation) {
        return (device, driver) -> driver.offers(operation);
    }

    boolean isOffered(ExtendedDeviceAttributes device, ProviderContext driver) {
        return evidence.holds(device, driver);
    }
}
