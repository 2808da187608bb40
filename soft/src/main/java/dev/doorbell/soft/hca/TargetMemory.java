package dev.doorbell.soft.hca;

import dev.doorbell.memory.Barriers;
import dev.doorbell.memory.Faults;
import dev.doorbell.memory.Host;
import dev.doorbell.memory.Shared;
import dev.doorbell.spec.AccessFlag;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The memory that peers name by key: finds it, behind a memory region or a memory window, and carries out what needs
 * nothing else. Belongs to a responder and its lock; {@link #release} comes before that lock is given up.
 */
final class TargetMemory extends Padded {
    private static final int REMOTE_WRITE = AccessFlag.REMOTE_WRITE.bit();
    private static final int REMOTE_ATOMIC = AccessFlag.REMOTE_ATOMIC.bit();
    private static final int GLOBAL = 1;
    private static final int PERSISTENT = 2;
    private static final int RANGE = 0;
    private static final int WHOLE = 1;

    private final HcaQueuePair queuePair;
    private final RegionLookup regions;
    private final MemoryWindows windows;

    private MemorySegment memory = MemorySegment.NULL;
    private long offset;

    /** The window through which the memory was found. */
    private @Nullable HcaMemoryWindow entered;

    TargetMemory(HcaQueuePair queuePair, MemoryRegions regions, MemoryWindows windows) {
        this.queuePair = queuePair;
        this.regions = new RegionLookup(regions);
        this.windows = windows;
    }

    /**
     * Finds a range.
     *
     * @param needed {@code AccessFlag} bits that the access requires
     * @return false if the key does not open it; otherwise {@link #memory()} and {@link #offset()} say where it lies
     */
    boolean locate(int key, long address, long bytes, int needed) {
        if (MemoryWindows.owns(key)) {
            return locateInWindow(key, address, bytes, needed);
        }
        HcaMemoryRegion region = regions.find(key, queuePair.domain());
        long at = region == null ? -1 : region.locate(address, bytes, needed);
        if (region == null || at < 0) {
            return false;
        }
        memory = region.memory();
        offset = at;
        return true;
    }

    private boolean locateInWindow(int key, long address, long bytes, int needed) {
        release();
        HcaMemoryWindow window = windows.find(key);
        long at = window == null ? -1 : window.enter(key, queuePair, address, bytes, needed);
        if (window == null || at < 0) {
            return false;
        }
        entered = window;
        memory = window.memory();
        offset = at;
        return true;
    }

    private boolean locateWhole(int key, int needed) {
        if (!MemoryWindows.owns(key)) {
            HcaMemoryRegion region = regions.find(key, queuePair.domain());
            return region != null && region.allows(needed);
        }
        release();
        HcaMemoryWindow window = windows.find(key);
        if (window == null || !window.enterWhole(key, queuePair, needed)) {
            return false;
        }
        entered = window;
        return true;
    }

    MemorySegment memory() {
        return memory;
    }

    long offset() {
        return offset;
    }

    /** Lets go of the window through which memory was found, so that it can be withdrawn. */
    void release() {
        HcaMemoryWindow window = entered;
        if (window != null) {
            entered = null;
            window.leave();
        }
    }

    /** Rule 3.14: what a SEND with invalidate invalidates. */
    boolean invalidate(int key) {
        release();
        HcaMemoryWindow window = MemoryWindows.owns(key) ? windows.find(key) : null;
        return window != null && window.invalidate(key, queuePair);
    }

    /** Rule 3.7: compare and swap, fetch and add. */
    Verdict atomic(InboundRequest request) {
        Verdict found = locateWord(request, REMOTE_ATOMIC);
        if (found != Verdict.ACCEPTED) {
            return found;
        }
        try {
            request.original = request.operation == Operation.COMPARE_SWAP
                    ? Shared.compareAndExchangeLong(memory, offset, request.compareAdd, request.swap)
                    : Shared.getAndAddLong(memory, offset, request.compareAdd);
            Faults.deliver(memory);
            return Verdict.ACCEPTED;
        } catch (RuntimeException | InternalError gone) {
            return Verdict.ACCESS_ERROR;
        }
    }

    /** Rule 3.15: an ATOMIC WRITE stores the eight bytes of its payload as they are, in one piece. */
    Verdict atomicWrite(InboundRequest request) {
        MemoryCursor payload = request.payload;
        if (request.messageBytes != Long.BYTES || !payload.fill() || payload.left() < Long.BYTES) {
            return Verdict.INVALID_REQUEST;
        }
        Verdict found = locateWord(request, REMOTE_WRITE);
        if (found != Verdict.ACCEPTED) {
            return found;
        }
        try {
            Shared.setLongRelease(memory, offset, Host.getLong(payload.memory(), payload.at()));
            Faults.deliver(memory);
            return Verdict.ACCEPTED;
        } catch (RuntimeException | InternalError gone) {
            return Verdict.ACCESS_ERROR;
        }
    }

    private Verdict locateWord(InboundRequest request, int needed) {
        if (request.badLength || (request.remoteAddress & Long.BYTES - 1) != 0) {
            return Verdict.INVALID_REQUEST;
        }
        if (!locate(request.remoteKey, request.remoteAddress, Long.BYTES, needed)) {
            return Verdict.ACCESS_ERROR;
        }
        return (memory.address() + offset & Long.BYTES - 1) == 0 ? Verdict.ACCEPTED : Verdict.INVALID_REQUEST;
    }

    /**
     * Rule 3.15: FLUSH. What this queue pair wrote before is in place already; here it becomes visible to all processors
     * before the answer goes. No memory of this device can be flushed to persistence: none grants it.
     */
    Verdict flush(InboundRequest request) {
        if (request.badLength || !isFlush(request.placement, request.selectivity)) {
            return Verdict.INVALID_REQUEST;
        }
        int needed = flushAccess(request.placement);
        boolean found = request.selectivity == WHOLE
                ? locateWhole(request.remoteKey, needed)
                : locate(request.remoteKey, request.remoteAddress, request.messageBytes, needed);
        if (!found) {
            return Verdict.ACCESS_ERROR;
        }
        Barriers.storeLoad();
        return Verdict.ACCEPTED;
    }

    private static boolean isFlush(int placement, int selectivity) {
        return placement != 0
                && (placement & ~(GLOBAL | PERSISTENT)) == 0
                && (selectivity == RANGE || selectivity == WHOLE);
    }

    /** The {@code AccessFlag} bits that a placement asks for. */
    static int flushAccess(int placement) {
        int global = (placement & GLOBAL) == 0 ? 0 : AccessFlag.FLUSH_GLOBAL.bit();
        return (placement & PERSISTENT) == 0 ? global : global | AccessFlag.FLUSH_PERSISTENT.bit();
    }
}
