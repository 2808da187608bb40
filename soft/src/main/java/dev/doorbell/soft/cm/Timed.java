package dev.doorbell.soft.cm;

/** Something with a deadline, at which it does something. */
abstract class Timed {
    static final int UNSCHEDULED = -1;

    // Both belong to CmTimers.
    long deadlineNs = Long.MAX_VALUE;
    int slot = UNSCHEDULED;

    /** The deadline has come; there is none any more unless this sets another. */
    abstract void expire(long nowNs);
}
