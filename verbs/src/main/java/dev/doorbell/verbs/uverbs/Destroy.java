package dev.doorbell.verbs.uverbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.verbs.spi.VerbsFault;

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

    /**
     * Gives an object back, and then forgets what was known of it, unless the kernel still has the object.
     *
     * @throws VerbsFault if giving it back did, whether it is forgotten or not
     */
    public static void andForget(Runnable giveBack, Runnable forget) {
        try {
            giveBack.run();
        } catch (VerbsFault e) {
            if (!keeps(e.errno())) {
                forget.run();
            }
            throw e;
        }
        forget.run();
    }

    /** Whether mappings of the context are still there to be ended: not once its channel is closed. */
    public static boolean mappingsRemain(int errno) {
        return errno != Errno.EBADF;
    }
}
