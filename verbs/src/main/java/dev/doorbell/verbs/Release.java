package dev.doorbell.verbs;

/**
 * Gives back what an object has in the kernel. Must not hold on to the public object, or that could never become
 * unreachable.
 */
@FunctionalInterface
interface Release {
    /** Called once by one thread, with no call on the object in progress. May be called again if it threw. */
    void release(Closing mode);

    /** Whether children that the kernel refuses to close go with it, rather than keep it from closing. */
    default boolean takesChildren() {
        return false;
    }
}
