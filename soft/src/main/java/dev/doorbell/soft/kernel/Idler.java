package dev.doorbell.soft.kernel;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * How a program's thread waits on a device: parked while somebody else drives the device, or, where nobody does, by
 * driving it itself.
 */
interface Idler {
    /** The device's time. */
    long nowNs();

    /** How long a thread that is about to wait should look before, driving the device; 0 where waiting costs nothing. */
    long spinNs();

    /** This thread polls all the time from now on, so that nobody needs to be woken for work that turns up. */
    void beginLooking();

    /** Does work that is there; whether there was any. */
    boolean poll();

    /** This thread polls no more: makes sure that somebody looks when there is or will be work. */
    void endLooking();

    /** Said once before a thread waits: it polls no more, others must look after the device. */
    void relinquish();

    /**
     * Waits until somebody wakes this thread, or for no reason, but not beyond the deadline. A wake-up since this
     * thread's last call of this object counts.
     *
     * @return false if the deadline has passed
     */
    boolean idle(long deadlineNs);

    /** Wakes a thread that idles here, or is about to; null wakes nobody. */
    default void wake(@Nullable Thread thread) {
        LockSupport.unpark(thread);
    }
}
