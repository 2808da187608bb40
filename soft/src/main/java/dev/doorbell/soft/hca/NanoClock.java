package dev.doorbell.soft.hca;

/** The time as a device sees it: monotonic, of an arbitrary origin. Real, or set by hand in a simulation. */
@FunctionalInterface
public interface NanoClock {
    /** The present time in nanoseconds. Called by any thread. */
    long nanoTime();
}
