package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The memory that registrations of one context may name: an interval table of pinned segments. An address that lies in
 * no pinned segment cannot be registered, so the device reaches nothing that was not handed to it.
 *
 * <p>Thread rules: any thread.
 */
final class Pins {
    /** Never started: a segment that it may access belongs to no particular thread. */
    private static final Thread STRANGER = Thread.ofPlatform().unstarted(() -> {});

    private record Key(long start, long serial) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int order = Long.compareUnsigned(start, other.start);
            return order != 0 ? order : Long.compare(serial, other.serial);
        }
    }

    private final Quotas quotas;
    private final ReentrantLock lock = new ReentrantLock();
    private final NavigableMap<Key, MemorySegment> segments = new TreeMap<>();
    private long serial;
    private long longest;
    private boolean closed;

    Pins(Quotas quotas) {
        this.quotas = quotas;
    }

    CommandChannel.Pin pin(MemorySegment memory) {
        check(memory);
        lock.lock();
        try {
            if (closed) {
                throw new KernelException(Errno.EBADF, "the context is closed");
            }
            Key key = new Key(memory.address(), serial++);
            segments.put(key, memory);
            longest = Math.max(longest, memory.byteSize());
            quotas.pins.take();
            quotas.pinnedBytes.take(memory.byteSize());
            return () -> release(key);
        } finally {
            lock.unlock();
        }
    }

    private static void check(MemorySegment memory) {
        if (!memory.isNative()) {
            throw new KernelException(
                    Errno.EFAULT,
                    "a device cannot reach memory on the Java heap: take it from an Arena or a direct ByteBuffer");
        }
        if (!memory.scope().isAlive()) {
            throw new KernelException(Errno.EFAULT, "the memory's arena is closed: register memory before closing it");
        }
        if (!memory.isAccessibleBy(STRANGER)) {
            throw new KernelException(
                    Errno.EFAULT,
                    "the memory belongs to a confined arena, which only its thread may touch:"
                            + " take it from a shared or automatic arena");
        }
    }

    /** The part of a pinned segment that has these addresses, or null if no pinned segment covers them all. */
    @Nullable
    MemorySegment find(long start, long length) {
        if (length <= 0) {
            return null;
        }
        lock.lock();
        try {
            for (Map.Entry<Key, MemorySegment> entry : segments.headMap(new Key(start, Long.MAX_VALUE), true)
                    .descendingMap()
                    .entrySet()) {
                long offset = start - entry.getKey().start;
                if (Long.compareUnsigned(offset, longest) > 0) {
                    return null;
                }
                MemorySegment memory = entry.getValue();
                if (offset <= memory.byteSize() && length <= memory.byteSize() - offset) {
                    return memory.asSlice(offset, length);
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void release(Key key) {
        lock.lock();
        try {
            MemorySegment memory = segments.remove(key);
            if (memory != null) {
                quotas.pins.give();
                quotas.pinnedBytes.give(memory.byteSize());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Lets go of everything and takes nothing more; the context closes. */
    void close() {
        lock.lock();
        try {
            closed = true;
            for (MemorySegment memory : segments.values()) {
                quotas.pins.give();
                quotas.pinnedBytes.give(memory.byteSize());
            }
            segments.clear();
        } finally {
            lock.unlock();
        }
    }
}
