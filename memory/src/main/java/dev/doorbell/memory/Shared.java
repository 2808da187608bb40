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
 */
public final class Shared {
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle().withInvokeExactBehavior();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();

    private Shared() {}

    /** Loads 32 bits; later reads and writes stay behind it. */
    public static int getIntAcquire(MemorySegment segment, long offset) {
        return (int) INT.getAcquire(segment, offset);
    }

    /** Stores 32 bits; earlier reads and writes stay before it. */
    public static void setIntRelease(MemorySegment segment, long offset, int value) {
        INT.setRelease(segment, offset, value);
    }

    /** Loads 32 bits whole, without ordering other accesses. */
    public static int getIntOpaque(MemorySegment segment, long offset) {
        return (int) INT.getOpaque(segment, offset);
    }

    /** Loads 64 bits; later reads and writes stay behind it. */
    public static long getLongAcquire(MemorySegment segment, long offset) {
        return (long) LONG.getAcquire(segment, offset);
    }

    /** Stores 64 bits; earlier reads and writes stay before it. */
    public static void setLongRelease(MemorySegment segment, long offset, long value) {
        LONG.setRelease(segment, offset, value);
    }

    /** Replaces 64 bits by {@code next} if they hold {@code expected}; returns what was there. Sequentially consistent. */
    public static long compareAndExchangeLong(MemorySegment segment, long offset, long expected, long next) {
        return (long) LONG.compareAndExchange(segment, offset, expected, next);
    }

    /** Adds to 64 bits, wrapping; returns what was there. Sequentially consistent. */
    public static long getAndAddLong(MemorySegment segment, long offset, long delta) {
        return (long) LONG.getAndAdd(segment, offset, delta);
    }
}
