package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Progress;

/** Who runs the device's work, and how threads wait for it. */
interface Driving extends Progress, Idler, AutoCloseable {
    /** A context was opened: from now on there may be work. */
    void start();

    /** A work request was handed to the device in this thread. */
    void posted();

    /** A packet has arrived. In the sender's thread, which must not be held up. */
    void arrived();

    /** The device's next deadline has moved forward. May be called under locks of the device. */
    void rescheduled();

    /**
     * This thread is about to park, and will do the device's work if it is woken for it; false if another does that already, or
     * must sleep elsewhere for it. To be followed by {@link #standDown} if it is true.
     */
    boolean standBy();

    /** This thread is awake again: does what it was woken for, if it was for that. */
    void standDown();

    @Override
    void close();
}
