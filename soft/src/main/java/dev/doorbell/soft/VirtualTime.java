package dev.doorbell.soft;

import dev.doorbell.soft.hca.NanoClock;

/** A clock that stands still until it is moved: the time of a simulation. */
public interface VirtualTime extends NanoClock {
    /** Moves the clock; never back. */
    void advanceTo(long nowNs);
}
