package dev.doorbell.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Words in memory that another thread, or the kernel, reads or writes at the same time. The method's name says the
 * ordering. Addresses must be aligned to the word's size.
 *
 * <p>Acquire pairs with release: whoever reads with {@code getAcquire} a value that was stored with {@code setRelease}
 * also sees everything that was written before that store.
 *
 * <p>How the accesses are made matters, where the arena of the segment may be closed meanwhile: closing a shared arena
 * waits until no thread stands between the check of the segment and the access itself. The compilers of JDK 25 turn
 * plain and volatile accesses into instructions at every level. The acquire and release modes are calls at the first
 * level, and the first call of a freshly compiled method stops, to be linked, in a place where closing does not see the
 * access behind it: a store to unmapped memory was seen to follow. So acquire is a volatile load here, which costs the
 * same on x86-64, and release is a fence and a plain store.
 */
public final class Shared {
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle().withInvokeExactBehavior();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();

    private Shared() {}

    /** Loads 32 bits; later reads and writes stay behind it. */
    public static int getIntAcquire(MemorySegment segment, long offset) {
        return (int) INT.getVolatile(segment, offset);
    }

    /** Stores 32 bits; earlier reads and writes stay before it. */
    public static void setIntRelease(MemorySegment segment, long offset, int value) {
        VarHandle.releaseFence();
        INT.set(segment, offset, value);
    }

    /** Loads 64 bits; later reads and writes stay behind it. */
    public static long getLongAcquire(MemorySegment segment, long offset) {
        return (long) LONG.getVolatile(segment, offset);
    }

    /** Stores 64 bits; earlier reads and writes stay before it. */
    public static void setLongRelease(MemorySegment segment, long offset, long value) {
        VarHandle.releaseFence();
        LONG.set(segment, offset, value);
    }

    /** Replaces 64 bits by {@code next} if they hold {@code expected}; returns what was there. Sequentially consistent. */
    public static long compareAndExchangeLong(MemorySegment segment, long offset, long expected, long next) {
        while (true) {
            long found = (long) LONG.getVolatile(segment, offset);
            if (found != expected || LONG.compareAndSet(segment, offset, expected, next)) {
                return found;
            }
        }
    }

    /** Adds to 64 bits, wrapping; returns what was there. Sequentially consistent. */
    public static long getAndAddLong(MemorySegment segment, long offset, long delta) {
        return (long) LONG.getAndAdd(segment, offset, delta);
    }
}
