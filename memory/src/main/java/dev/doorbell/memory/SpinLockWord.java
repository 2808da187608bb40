package dev.doorbell.memory;

/** The word of a {@link SpinLock}, and what keeps it off the cache line of the object before. */
class SpinLockWord {
    int gap;
    long before0;
    long before1;
    long before2;
    long before3;
    long before4;
    long before5;
    long before6;
    int held;

    /** 1 while somebody has waited for long: others keep off until it has had its turn. */
    int starving;
}
