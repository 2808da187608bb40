package dev.doorbell.soft.kernel;

/**
 * Who runs devices that have no thread of their own, such as those of a simulation: it knows all of them, and the clock.
 */
public interface Conductor {
    /**
     * Does what can be done now, on every device.
     *
     * @return whether anything was done
     */
    boolean doWork();

    /**
     * Moves the time on to the next moment at which something happens, but not beyond the deadline.
     *
     * @return false if the deadline is reached, or nothing will ever happen
     */
    boolean advance(long deadlineNs);
}
