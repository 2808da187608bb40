package dev.doorbell.soft.kernel;

/**
 * What is alive on a device at a moment, for tests that look for leaks.
 *
 * @param contexts open contexts
 * @param domains protection domains
 * @param regions memory regions
 * @param windows memory windows
 * @param channels completion channels
 * @param completionQueues completion queues
 * @param queuePairs queue pairs
 * @param sharedQueues shared receive queues
 * @param addressHandles address handles
 * @param pins pinned segments
 * @param pinnedBytes bytes of the pinned segments
 * @param mappings rings that are mapped
 * @param ringBytes bytes of rings
 */
public record Census(
        long contexts,
        long domains,
        long regions,
        long windows,
        long channels,
        long completionQueues,
        long queuePairs,
        long sharedQueues,
        long addressHandles,
        long pins,
        long pinnedBytes,
        long mappings,
        long ringBytes) {
    /** A device that nobody uses. */
    public static final Census EMPTY = new Census(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Whether nothing is alive. */
    public boolean isEmpty() {
        return equals(EMPTY);
    }
}
