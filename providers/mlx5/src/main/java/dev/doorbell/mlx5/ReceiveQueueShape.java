package dev.doorbell.mlx5;

import dev.doorbell.kernel.abi.mlx5.DataSegment;
import dev.doorbell.verbs.QueuePairCapacity;

/**
 * How large a receive queue is. It lies at the start of the queue pair's buffer, and takes at least 64 bytes.
 *
 * @param requests work requests, a power of two; 0 without a receive queue
 * @param shift log2 bytes of each
 */
record ReceiveQueueShape(int requests, int shift) {
    private static final int LEAST_BYTES = 64;

    static ReceiveQueueShape of(QueuePairCapacity asked, boolean shared, DeviceLimits limits) {
        if (shared || asked.maxReceiveRequests() == 0) {
            return new ReceiveQueueShape(0, 0);
        }
        if (asked.maxReceiveRequests() < 0 || asked.maxReceiveRequests() > limits.maxReceiveRequests()) {
            throw SendQueueShape.refused("a receive queue of " + asked.maxReceiveRequests() + " work requests, at most "
                    + limits.maxReceiveRequests());
        }
        long stride = SendQueueShape.powerOfTwo((long) DataSegment.SIZE * Math.max(1, asked.maxReceiveSge()));
        if (stride > limits.maxReceiveWqe()) {
            throw SendQueueShape.refused(asked.maxReceiveSge() + " elements to receive into, at most "
                    + limits.maxReceiveWqe() / DataSegment.SIZE);
        }
        long bytes = Math.max(LEAST_BYTES, SendQueueShape.powerOfTwo(asked.maxReceiveRequests()) * stride);
        return new ReceiveQueueShape((int) (bytes / stride), Long.numberOfTrailingZeros(stride));
    }

    /** Bytes of the queue. */
    long bytes() {
        return (long) requests << shift;
    }

    /** Elements of a work request. */
    int maxSge() {
        return requests == 0 ? 0 : (1 << shift) / DataSegment.SIZE;
    }
}
