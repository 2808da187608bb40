package dev.doorbell.verbs.uverbs;

import dev.doorbell.kernel.Errno;

/** What the answer of a destroy command means for the object. */
public final class Destroy {
    private Destroy() {}

    /**
     * Whether the kernel still has the object, so that it stays open and may be closed again. If the device or the
     * context is gone, so is the object, whatever the command answered.
     */
    public static boolean keeps(int errno) {
        return switch (errno) {
            case 0, Errno.EIO, Errno.EBADF, Errno.ENODEV -> false;
            default -> true;
        };
    }

    /** Whether mappings of the context are still there to be ended: not once its channel is closed. */
    public static boolean mappingsRemain(int errno) {
        return errno != Errno.EBADF;
    }
}
