package dev.doorbell.mlx5;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.mlx5.DataSegment;
import dev.doorbell.kernel.abi.mlx5.SrqNextSegment;
import dev.doorbell.verbs.spi.VerbsFault;

/**
 * How large a shared receive queue is. The device is told of twice the work requests where it takes so many: the second half is a
 * list of its own, for work requests that must cool down, which this driver leaves alone.
 *
 * @param entries work requests in memory, a power of two
 * @param requests work requests that can be posted: one less than the first list has
 * @param shift log2 bytes of each
 */
record SharedQueueShape(int entries, int requests, int shift) {
    private static final int LEAST_STRIDE = 32;

    static SharedQueueShape of(int maxWorkRequests, int maxSge, DeviceLimits limits) {
        if (maxWorkRequests < 0 || maxWorkRequests > limits.maxSharedRequests()) {
            throw new VerbsFault(
                    Errno.EINVAL,
                    "CREATE_SRQ: " + maxWorkRequests + " work requests, at most " + limits.maxSharedRequests());
        }
        long stride = SendQueueShape.powerOfTwo(
                Math.max(LEAST_STRIDE, SrqNextSegment.SIZE + (long) DataSegment.SIZE * Math.max(1, maxSge)));
        if (stride > limits.maxReceiveWqe()) {
            throw new VerbsFault(
                    Errno.EINVAL,
                    "CREATE_SRQ: " + maxSge + " elements, at most "
                            + (limits.maxReceiveWqe() - SrqNextSegment.SIZE) / DataSegment.SIZE);
        }
        int list = (int) SendQueueShape.powerOfTwo(maxWorkRequests + 1L);
        int entries = 2L * list <= limits.maxSharedRequests() ? 2 * list : list;
        return new SharedQueueShape(entries, list - 1, Long.numberOfTrailingZeros(stride));
    }

    /** Bytes in all. */
    long bytes() {
        return (long) entries << shift;
    }

    /** Elements of a work request. */
    int maxSge() {
        return ((1 << shift) - SrqNextSegment.SIZE) / DataSegment.SIZE;
    }
}
