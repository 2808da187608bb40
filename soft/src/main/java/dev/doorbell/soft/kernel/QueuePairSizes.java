package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.abi.RxeSge;

/**
 * Sizes of a queue pair's queues, as asked for or as granted.
 *
 * @param sendRequests send work requests
 * @param receiveRequests receive work requests
 * @param sendSge elements of a send
 * @param receiveSge elements of a receive
 * @param inlineBytes inline bytes of a send
 */
record QueuePairSizes(int sendRequests, int receiveRequests, int sendSge, int receiveSge, int inlineBytes) {
    /** Whether a device with these limits can grant it. The numbers are unsigned. */
    boolean fits(SoftLimits limits) {
        return isAtMost(sendRequests, limits.workRequests())
                && isAtMost(receiveRequests, limits.workRequests())
                && isAtMost(sendSge, limits.sge())
                && isAtMost(receiveSge, limits.sge())
                && isAtMost(inlineBytes, limits.inlineBytes());
    }

    private static boolean isAtMost(int value, int limit) {
        return Integer.compareUnsigned(value, limit) <= 0;
    }

    /** Bytes behind a send work request's fixed part, which elements and inline data share. */
    int sendPayload() {
        return Math.max(sendSge * RxeSge.SIZE, inlineBytes);
    }

    /** What is granted for it, given the rings that were made. */
    QueuePairSizes granted(int sendCapacity, int receiveCapacity) {
        int payload = sendPayload();
        return new QueuePairSizes(sendCapacity, receiveCapacity, payload / RxeSge.SIZE, receiveSge, payload);
    }
}
