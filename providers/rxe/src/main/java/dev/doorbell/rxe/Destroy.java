package dev.doorbell.rxe;

import dev.doorbell.kernel.Errno;

/** What the answer of a destroy command means for the object. */
final class Destroy {
    private Destroy() {}

    /**
     * Whether the kernel still has the object, so that it stays open and may be closed again. If the device or the
     * context is gone, so is the object, whatever the command answered.
     */
    static boolean keeps(int errno) {
        return switch (errno) {
            case 0, Errno.EIO, Errno.EBADF, Errno.ENODEV -> false;
            default -> true;
        };
    }

    /** Whether mappings of the context are still there to be ended: not once its channel is closed. */
    static boolean mappingsRemain(int errno) {
        return errno != Errno.EBADF;
    }
}
