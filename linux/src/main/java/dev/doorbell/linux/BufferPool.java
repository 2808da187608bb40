package dev.doorbell.linux;

import dev.doorbell.memory.SpinLock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Native buffers for system calls, used again and again so that a command or a wait allocates nothing. A buffer that
 * finds no room on its return, and one that was never returned, is freed by the garbage collector.
 *
 * <p>Thread rules: any thread may take and give back.
 */
final class BufferPool {
    /** Bytes of each buffer; more than the largest command of the usual kind with its answer. */
    static final int BUFFER_SIZE = 4096;

    private static final int ALIGNMENT = 64;
    private static final int KEPT = 16;

    private final SpinLock lock = new SpinLock();
    private final @Nullable MemorySegment[] kept = new MemorySegment[KEPT];
    private int count;

    /** A buffer of at least {@code size} bytes, with anything in it. */
    MemorySegment take(long size) {
        if (size > BUFFER_SIZE) {
            return allocate(size);
        }
        MemorySegment buffer = null;
        lock.lock();
        if (count > 0) {
            buffer = kept[--count];
            kept[count] = null;
        }
        lock.unlock();
        return buffer == null ? allocate(BUFFER_SIZE) : buffer;
    }

    /** Gives a buffer back that {@link #take} returned. */
    void give(MemorySegment buffer) {
        if (buffer.byteSize() != BUFFER_SIZE) {
            return;
        }
        lock.lock();
        if (count < KEPT) {
            kept[count++] = buffer;
        }
        lock.unlock();
    }

    private static MemorySegment allocate(long size) {
        return Arena.ofAuto().allocate(size, ALIGNMENT);
    }
}
