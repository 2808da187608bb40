package dev.doorbell.memory;

import java.lang.foreign.MemorySegment;

/**
 * Memory that the system may take back: a mapping of a file that was cut off, or of a device that is gone. The VM answers
 * such an access with an {@link InternalError} that it throws when the thread next passes a safepoint, which compiled code
 * may do far from the access, outside of the block that would have caught it.
 *
 * <p>Between access and {@code catch} stands a call from here. Where that costs too much, on the data path, the error may
 * surface one call later.
 */
public final class Faults {
    private static final Object ANY = new Object();

    private Faults() {}

    /**
     * Throws what this thread is owed for its accesses so far. Coming back from a native method is a safepoint.
     *
     * @throws InternalError if one of them was answered by SIGBUS
     */
    public static void deliver() {
        Thread.holdsLock(ANY);
    }

    /**
     * As {@link #deliver()}, where {@code accessed} is a file's mapping; nothing else that the VM knows of can fault.
     *
     * @throws InternalError if an access was answered by SIGBUS
     */
    public static void deliver(MemorySegment accessed) {
        if (accessed.isMapped()) {
            deliver();
        }
    }
}
