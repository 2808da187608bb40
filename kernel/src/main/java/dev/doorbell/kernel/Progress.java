package dev.doorbell.kernel;

/**
 * Work of a device that any thread may do for it: whoever finds a completion queue empty offers its thread before it
 * looks again. Devices that run by themselves have none.
 */
public interface Progress {
    /** For devices that run by themselves. */
    Progress NONE = () -> false;

    /**
     * Does what can be done now, without blocking, allocating or calling back.
     *
     * @return whether anything was done
     */
    boolean poll();

    /** The time by which waits on the device are measured, in nanoseconds: that of a simulation where there is one. */
    default long nanoTime() {
        return System.nanoTime();
    }
}
