package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.RxeQueueHeader;
import dev.doorbell.memory.SharedRing;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The rings of one context, and which of them a program may map or has mapped.
 *
 * <p>A ring is offered under a key when it is made; the key works once, as rxe's does. Rings keep their memory until the
 * object is destroyed and the mapping ended, in whichever order.
 *
 * <p>Thread rules: any thread.
 */
final class RingStore {
    private final Quotas quotas;
    private final Quota bytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Slabs slabs = new Slabs();
    private final Map<Long, Ring> offered = new HashMap<>();
    private final Map<Long, Ring> mapped = new HashMap<>();
    private long nextKey;
    private boolean closed;

    RingStore(Quotas quotas, long limitBytes, RandomGenerator random) {
        this.quotas = quotas;
        this.bytes = new Quota(limitBytes);
        this.nextKey = (long) random.nextInt(1, 1 << 20) * Slabs.PAGE;
    }

    /**
     * Makes an empty ring and offers it.
     *
     * @param elementBytes what an element needs
     * @param elements how many it must hold, not negative
     * @return null if there is no memory for it
     */
    @Nullable
    Ring create(long elementBytes, int elements) {
        int log2 = RxeQueueHeader.log2ElemSizeFor(elementBytes);
        int mask = RxeQueueHeader.indexMaskFor(elements);
        long pages = Slabs.round(RxeQueueHeader.bytes(log2, mask));
        if (pages > Integer.MAX_VALUE || !bytes.take(pages)) {
            return null;
        }
        lock.lock();
        try {
            MemorySegment memory = closed ? null : slabs.take(pages);
            if (memory == null) {
                bytes.give(pages);
                return null;
            }
            quotas.ringBytes.take(pages);
            SharedRing view = RxeQueueHeader.create(memory, log2, mask);
            Ring ring = new Ring(view, memory, nextKey);
            nextKey += pages + Slabs.PAGE;
            offered.put(ring.key(), ring);
            return ring;
        } finally {
            lock.unlock();
        }
    }

    /** The object that used the ring is gone: nobody of the device touches it any more. */
    void release(@Nullable Ring ring) {
        if (ring == null) {
            return;
        }
        lock.lock();
        try {
            offered.remove(ring.key());
            ring.owned = false;
            recycle(ring);
        } finally {
            lock.unlock();
        }
    }

    MemorySegment map(long key, long length) {
        lock.lock();
        try {
            Ring ring = offered.get(key);
            if (ring == null || length <= 0 || length > ring.bytes()) {
                throw new KernelException(
                        Errno.EINVAL,
                        "nothing of " + length + " bytes can be mapped at offset " + key
                                + ": an offset comes with the answer of a command and works once");
            }
            offered.remove(key);
            ring.mapped = true;
            mapped.put(ring.memory().address(), ring);
            quotas.mappings.take();
            return ring.memory().asSlice(0, length);
        } finally {
            lock.unlock();
        }
    }

    void unmap(MemorySegment mapping) {
        lock.lock();
        try {
            Ring ring = mapped.remove(mapping.address());
            if (ring != null) {
                ring.mapped = false;
                quotas.mappings.give();
                recycle(ring);
            }
        } finally {
            lock.unlock();
        }
    }

    private void recycle(Ring ring) {
        if (!ring.owned && !ring.mapped && !closed) {
            long pages = ring.memory().byteSize();
            slabs.give(ring.memory());
            bytes.give(pages);
            quotas.ringBytes.give(pages);
        }
    }

    /** Ends all mappings and frees all rings. No object may use one any more. Idempotent. */
    void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            quotas.mappings.give(mapped.size());
            quotas.ringBytes.give(bytes.used());
            mapped.clear();
            offered.clear();
            slabs.close();
        } finally {
            lock.unlock();
        }
    }
}
