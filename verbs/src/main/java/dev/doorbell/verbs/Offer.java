package dev.doorbell.verbs;

import dev.doorbell.spec.DeviceCapability;
import dev.doorbell.verbs.spi.Operation;
import dev.doorbell.verbs.spi.ProviderContext;

/**
 * What one device has of what not every device has: by what it says of itself and what its driver has.
 *
 * @param device what it says
 * @param driver its driver
 */
record Offer(ExtendedDeviceAttributes device, ProviderContext driver) {
    boolean has(Capability capability) {
        return switch (capability) {
            case MEMORY_WINDOW_TYPE_1 -> any(DeviceCapability.MEM_WINDOW);
            case MEMORY_WINDOW_TYPE_2 -> any(DeviceCapability.MEM_WINDOW_TYPE_2A, DeviceCapability.MEM_WINDOW_TYPE_2B);
            case INVALIDATION ->
                any(
                        DeviceCapability.MEM_MGT_EXTENSIONS,
                        DeviceCapability.MEM_WINDOW_TYPE_2A,
                        DeviceCapability.MEM_WINDOW_TYPE_2B);
            case ATOMIC_WRITE -> any(DeviceCapability.ATOMIC_WRITE);
            case FLUSH_GLOBAL -> any(DeviceCapability.FLUSH_GLOBAL);
            case FLUSH_PERSISTENT -> any(DeviceCapability.FLUSH_PERSISTENT);
            case REREGISTRATION -> driver.offers(Operation.REREG_MR);
            case COMPLETION_TIMESTAMPS -> device.timestampMask() != 0 && driver.offers(Operation.CREATE_CQ_EX);
            case CLOCK -> device.coreClockKilohertz() != 0 && driver.offers(Operation.QUERY_RT_VALUES);
            case SHARED_RECEIVE_QUEUE -> device.base().maxSharedReceiveQueues() > 0;
            case SHARED_RECEIVE_QUEUE_RESIZE -> any(DeviceCapability.SRQ_RESIZE);
            case COMPLETION_QUEUE_RESIZE -> driver.offers(Operation.RESIZE_CQ);
            case MULTICAST -> device.base().maxMulticastGroups() > 0 && driver.offers(Operation.ATTACH_MCAST);
            case ON_DEMAND_PAGING -> (device.onDemandPaging().general() & 1) != 0;
            case PREFETCH -> driver.offers(Operation.ADVISE_MR);
            case COMPLETION_MODERATION -> device.maxModerationCount() > 0 && driver.offers(Operation.MODIFY_CQ);
            case DEVICE_MEMORY -> device.maxDeviceMemory() > 0 && driver.offers(Operation.ALLOC_DM);
            case NULL_REGION -> driver.offers(Operation.ALLOC_NULL_MR);
            case DMA_BUFFER_REGION -> driver.offers(Operation.REG_DMABUF_MR);
            case THREAD_DOMAIN -> driver.offers(Operation.ALLOC_TD);
            case XRC -> any(DeviceCapability.XRC) && driver.offers(Operation.OPEN_XRCD);
            case FLOW_STEERING -> any(DeviceCapability.MANAGED_FLOW_STEERING) && driver.offers(Operation.CREATE_FLOW);
            case RECEIVE_WORK_QUEUE -> device.maxReceiveWorkQueues() > 0 && driver.offers(Operation.CREATE_WQ);
            case COUNTERS -> driver.offers(Operation.CREATE_COUNTERS);
            case RATE_LIMIT -> driver.offers(Operation.MODIFY_QP_RATE_LIMIT);
            case CONNECTION_OPTIONS -> driver.offers(Operation.QUERY_ECE);
            case TAG_MATCHING -> device.tagMatching().maxTags() > 0 && driver.offers(Operation.POST_SRQ_OPS);
        };
    }

    private boolean any(DeviceCapability... capabilities) {
        for (DeviceCapability capability : capabilities) {
            if (capability.isIn(device.base().capabilities())) {
                return true;
            }
        }
        return false;
    }
}
