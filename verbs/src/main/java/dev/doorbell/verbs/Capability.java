package dev.doorbell.verbs;

/**
 * What not every device has. {@link Context#supports} answers by what the device says of itself, what its driver has, and
 * for re-registration by asking the kernel. What is missing answers {@link NotSupportedException} where it is called.
 *
 * <p>Follows ibv_query_device_ex(3), and for what a driver may lack the operation tables of the C library, whose empty
 * entries answer EOPNOTSUPP.
 *
 * <p>Thread rules: immutable.
 */
public enum Capability {
    /** Memory windows of type 1. */
    MEMORY_WINDOW_TYPE_1,
    /** Memory windows of type 2. */
    MEMORY_WINDOW_TYPE_2,
    /** Local invalidate, SEND with invalidate. */
    INVALIDATION,
    /** {@link SendBatch#atomicWrite}. */
    ATOMIC_WRITE,
    /** {@link SendBatch#flush} to global visibility. */
    FLUSH_GLOBAL,
    /** {@link SendBatch#flush} to persistence. */
    FLUSH_PERSISTENT,
    /** {@link MemoryRegion#reregister}; which of the changes, the kernel says when it is asked for one. */
    REREGISTRATION,
    /** {@link CompletionQueue.Builder#timestamps}. */
    COMPLETION_TIMESTAMPS,
    /** {@link Context#queryClock}. */
    CLOCK,
    /** Shared receive queues. */
    SHARED_RECEIVE_QUEUE,
    /** Shared receive queues of another size. */
    SHARED_RECEIVE_QUEUE_RESIZE,
    /** Completion queues of another size. */
    COMPLETION_QUEUE_RESIZE,
    /** Multicast groups. */
    MULTICAST,
    /** Memory that is not pinned. */
    ON_DEMAND_PAGING,
    /** {@link ProtectionDomain#prefetch}. */
    PREFETCH,
    /** {@link CompletionQueue#moderate}. */
    COMPLETION_MODERATION,
    /** {@link Context#allocateDeviceMemory}. */
    DEVICE_MEMORY,
    /** {@link ProtectionDomain#nullRegion}. */
    NULL_REGION,
    /** {@link ProtectionDomain#registerDmaBuffer}. */
    DMA_BUFFER_REGION,
    /** {@link ProtectionDomain#threadDomain}. */
    THREAD_DOMAIN,
    /** {@link Context#openXrcDomain}. */
    XRC,
    /** {@link FlowRule}. */
    FLOW_STEERING,
    /** {@link ProtectionDomain#receiveWorkQueue}. */
    RECEIVE_WORK_QUEUE,
    /** {@link Context#createCounters}. */
    COUNTERS,
    /** {@link RateLimit}. */
    RATE_LIMIT,
    /** {@link VendorConnectionOptions}. */
    CONNECTION_OPTIONS,
    /** {@link SharedReceiveQueue#changeTags}. */
    TAG_MATCHING
}
