package dev.doorbell.soft.hca;

import dev.doorbell.spec.AsyncEventType;

/**
 * What a device reports by itself.
 *
 * <p>Thread rules: called from whichever thread drives the device at that moment, while it may hold locks of the data
 * path. An implementation takes note, wakes somebody if it must, and returns; it never blocks and never calls into the
 * device.
 */
public interface HcaListener {
    /** Something happened to a queue pair. */
    void queuePairEvent(HcaQueuePair queuePair, AsyncEventType event);

    /**
     * The device has work sooner than its last {@link Hca#nextDeadlineNs()} said: whoever sleeps until then looks
     * again.
     */
    void workScheduled();
}
