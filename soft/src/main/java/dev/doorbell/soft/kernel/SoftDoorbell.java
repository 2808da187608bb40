package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.Errno;
import dev.doorbell.soft.hca.HcaQueuePair;

/** The doorbell of a queue pair: a call into the device, which executes what it can in the caller's thread. */
final class SoftDoorbell implements Doorbell {
    private final SoftContext context;
    private final SoftDevice device;
    private final HcaQueuePair queuePair;

    SoftDoorbell(SoftContext context, HcaQueuePair queuePair) {
        this.context = context;
        this.device = context.device();
        this.queuePair = queuePair;
    }

    @Override
    public int ring() {
        return context.isClosed() ? Errno.EBADF : device.ring(queuePair);
    }

    @Override
    public boolean isSystemCall() {
        return false;
    }
}
