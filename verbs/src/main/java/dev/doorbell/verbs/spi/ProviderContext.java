package dev.doorbell.verbs.spi;

import dev.doorbell.kernel.EventFile;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.DeviceAttributes;
import dev.doorbell.verbs.ExtendedDeviceAttributes;
import dev.doorbell.verbs.PortAttributes;
import dev.doorbell.verbs.QueuePairCapacity;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One open device, as its driver drives it. Every operation that a driver lacks has its default here, which answers
 * EOPNOTSUPP. Handles of protection domains are the kernel's numbers: they have no user-mode state.
 *
 * <p>Thread rules: any method from any thread.
 *
 * <p>Follows the commands of the kernel's uverbs interface that each method names; a refusal is a {@link VerbsFault}
 * with the kernel's errno.
 */
public interface ProviderContext extends OptionalOperations {
    /** Completion vectors that {@link #createCompletionQueue} accepts, from 0. */
    int completionVectors();

    /** The file of asynchronous events. */
    EventFile asyncEvents();

    /**
     * Each operation that this driver has, with the class that implements it; what is not in the map answers
     * EOPNOTSUPP.
     */
    Map<Operation, Class<?>> operations();

    /** QUERY_DEVICE. */
    DeviceAttributes queryDevice();

    /** QUERY_PORT; EINVAL for a port that the device lacks. */
    PortAttributes queryPort(int port);

    /** ALLOC_PD; returns the handle. */
    int allocateProtectionDomain();

    /** DEALLOC_PD. */
    void deallocateProtectionDomain(int handle);

    /**
     * REG_MR.
     *
     * @param protectionDomain the handle
     * @param memory native memory, of a shared, automatic or global arena
     * @param iova the address by which work requests will name the first byte
     * @param access bits of {@link dev.doorbell.spec.AccessFlag}
     */
    ProviderMemoryRegion registerMemory(int protectionDomain, MemorySegment memory, long iova, int access);

    /**
     * CREATE_CQ.
     *
     * @param entries completions that it must hold at least
     * @param vector completion vector
     * @param channel the completion channel's descriptor, or -1
     * @param cookie comes back in events
     */
    ProviderCompletionQueue createCompletionQueue(int entries, int vector, int channel, long cookie);

    /** CREATE_CQ, or its extended form where that is needed. */
    default ProviderCompletionQueue createCompletionQueue(CompletionQueueRequest request) {
        if (request.timestamps || request.ignoreOverrun) {
            throw VerbsFault.unsupported("EX_CREATE_CQ");
        }
        return createCompletionQueue(request.entries, request.vector, request.channel, request.cookie);
    }

    /** Whether an operation of this driver works on this kernel; asks the kernel where it must. */
    default boolean offers(Operation operation) {
        return operations().containsKey(operation);
    }

    /** EX_QUERY_DEVICE; without it what QUERY_DEVICE says. */
    default ExtendedDeviceAttributes queryDeviceExtended() {
        return ExtendedDeviceAttributes.of(queryDevice());
    }

    /** The device's clock at the moment (ibv_query_rt_values_ex). */
    default long queryClock() {
        throw VerbsFault.unsupported("QUERY_RT_VALUES");
    }

    /** CREATE_QP. */
    ProviderQueuePair createQueuePair(QueuePairRequest request);

    /** CREATE_COMP_CHANNEL. */
    default EventFile createCompletionChannel() {
        throw VerbsFault.unsupported("CREATE_COMP_CHANNEL");
    }

    /** CREATE_AH. */
    default ProviderAddressHandle createAddressHandle(int protectionDomain, AddressVector address) {
        throw VerbsFault.unsupported("CREATE_AH");
    }

    /** CREATE_SRQ. */
    default ProviderSharedReceiveQueue createSharedReceiveQueue(
            int protectionDomain, int maxWorkRequests, int maxSge, int limit, long cookie) {
        throw VerbsFault.unsupported("CREATE_SRQ");
    }

    /** ALLOC_MW. */
    default ProviderMemoryWindow allocateMemoryWindow(int protectionDomain, int type) {
        throw VerbsFault.unsupported("ALLOC_MW");
    }

    /**
     * What a completion queue is to be.
     *
     * @param entries completions that it must hold at least
     * @param vector completion vector
     * @param channel the completion channel's descriptor, or -1
     * @param cookie comes back in events
     * @param timestamps whether completions say when they were made
     * @param ignoreOverrun whether the device need not look for room
     */
    record CompletionQueueRequest(
            int entries, int vector, int channel, long cookie, boolean timestamps, boolean ignoreOverrun) {}

    /** What a queue pair is to be: everything of CREATE_QP. */
    record QueuePairRequest(
            int protectionDomain,
            QueuePairType type,
            ProviderCompletionQueue sendQueue,
            ProviderCompletionQueue receiveQueue,
            @Nullable ProviderSharedReceiveQueue sharedReceiveQueue,
            QueuePairCapacity capacity,
            boolean signalAll,
            long cookie) {}
}
