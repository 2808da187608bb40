package dev.doorbell.soft.kernel;

/**
 * How much a device of the embedded kernel hands out. Counts are for the whole device, sizes for one object.
 *
 * @param queuePairs most queue pairs
 * @param workRequests most work requests of a send or receive queue
 * @param sge most scatter/gather elements of a work request
 * @param inlineBytes most inline bytes of a send work request
 * @param completionQueues most completion queues
 * @param completions most completions of a completion queue
 * @param regions most memory regions
 * @param windows most memory windows
 * @param domains most protection domains
 * @param sharedQueues most shared receive queues
 * @param addressHandles most address handles
 * @param ringBytes most bytes of rings that one context may have
 */
public record SoftLimits(
        int queuePairs,
        int workRequests,
        int sge,
        int inlineBytes,
        int completionQueues,
        int completions,
        int regions,
        int windows,
        int domains,
        int sharedQueues,
        int addressHandles,
        long ringBytes) {
    private static final int MANY = 1 << 20;

    /** The limits of Linux's rxe. */
    public static final SoftLimits RXE =
            new SoftLimits(MANY, MANY, 32, 512, MANY, (1 << 15) - 1, MANY, MANY, MANY, MANY, (1 << 15) - 1, 2L << 30);

    /** The same with another number of queue pairs. */
    public SoftLimits withQueuePairs(int value) {
        return new SoftLimits(
                value,
                workRequests,
                sge,
                inlineBytes,
                completionQueues,
                completions,
                regions,
                windows,
                domains,
                sharedQueues,
                addressHandles,
                ringBytes);
    }

    /** The same with another number of completion queues. */
    public SoftLimits withCompletionQueues(int value) {
        return new SoftLimits(
                queuePairs,
                workRequests,
                sge,
                inlineBytes,
                value,
                completions,
                regions,
                windows,
                domains,
                sharedQueues,
                addressHandles,
                ringBytes);
    }

    /** The same with other numbers of memory regions and protection domains. */
    public SoftLimits withMemory(int newRegions, int newDomains) {
        return new SoftLimits(
                queuePairs,
                workRequests,
                sge,
                inlineBytes,
                completionQueues,
                completions,
                newRegions,
                windows,
                newDomains,
                sharedQueues,
                addressHandles,
                ringBytes);
    }

    /** The same with another allowance of ring bytes for a context. */
    public SoftLimits withRingBytes(long value) {
        return new SoftLimits(
                queuePairs,
                workRequests,
                sge,
                inlineBytes,
                completionQueues,
                completions,
                regions,
                windows,
                domains,
                sharedQueues,
                addressHandles,
                value);
    }

    /** The same with another number of address handles. */
    public SoftLimits withAddressHandles(int value) {
        return new SoftLimits(
                queuePairs,
                workRequests,
                sge,
                inlineBytes,
                completionQueues,
                completions,
                regions,
                windows,
                domains,
                sharedQueues,
                value,
                ringBytes);
    }
}
