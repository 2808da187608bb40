package dev.doorbell.soft.hca;

import dev.doorbell.spec.AccessFlag;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A memory window: a key that opens a part of a memory region to peers, and can be withdrawn without touching the
 * region. Rules are numbered in docs/spec/transport.md (3.14).
 *
 * <p>A window of type 1 always answers to its latest bind, and opens to every queue pair of its domain; a bind of no
 * bytes shuts it. One of type 2 is bound while it is free, opens to the queue pair that bound it alone, and is free again
 * once it was invalidated.
 *
 * <p>Thread rules: any thread. Its fields are guarded by the gate.
 */
public final class HcaMemoryWindow {
    /** The number of type 1 windows. */
    public static final int TYPE_1 = 1;
    /** The number of type 2 windows. */
    public static final int TYPE_2 = 2;

    private static final int KEY_BYTE = 0xff;
    private static final int ZERO_BASED = AccessFlag.ZERO_BASED.bit();
    private static final int MW_BIND = AccessFlag.MW_BIND.bit();
    private static final int LOCAL_WRITE = AccessFlag.LOCAL_WRITE.bit();
    private static final int REMOTE_CHANGES = AccessFlag.REMOTE_WRITE.bit() | AccessFlag.REMOTE_ATOMIC.bit();
    private static final int SUPPORTED = LOCAL_WRITE
            | REMOTE_CHANGES
            | AccessFlag.REMOTE_READ.bit()
            | MW_BIND
            | ZERO_BASED
            | AccessFlag.FLUSH_GLOBAL.bit()
            | AccessFlag.FLUSH_PERSISTENT.bit();

    private final MemoryWindows table;
    private final HcaProtectionDomain domain;
    private final int index;
    private final int type;
    private final WindowGate gate = new WindowGate();

    // Guarded by the gate.
    private int key;
    private @Nullable HcaMemoryRegion region;
    private @Nullable HcaQueuePair binder;
    private long address;
    private long length;
    private int access;
    private boolean ended;

    HcaMemoryWindow(MemoryWindows table, int key, HcaProtectionDomain domain, int type) {
        this.table = table;
        this.key = key;
        this.index = key >>> MemoryRegions.KEY_BYTE_BITS;
        this.domain = domain;
        this.type = type;
    }

    /** The present key; its upper 24 bits stay the same. */
    public int rkey() {
        gate.enter();
        int present = key;
        gate.leave();
        return present;
    }

    /** The domain it was allocated in. */
    public HcaProtectionDomain domain() {
        return domain;
    }

    /** Ends it. When this returns, no peer reaches memory through it. Idempotent. */
    public void deallocate() {
        if (table.remove(this)) {
            gate.change();
            ended = true;
            withdraw();
            gate.changed();
        }
    }

    int index() {
        return index;
    }

    /**
     * Carries out a BIND MW of a queue pair, whose requester's lock is held (rule 3.14, bind).
     *
     * @param under the region to open; null to shut the window
     * @return false if a rule forbids it; nothing has changed then
     */
    boolean bind(WorkRequest work, HcaQueuePair queuePair, @Nullable HcaMemoryRegion under) {
        gate.change();
        boolean bound = isBindable(work, queuePair, under) && (under == null || under.enterWindow());
        if (bound) {
            withdraw();
            key = key & ~KEY_BYTE | work.bindKey & KEY_BYTE;
            region = under;
            binder = queuePair;
            address = work.remoteAddress;
            length = work.bindLength;
            access = work.bindAccess;
        }
        gate.changed();
        return bound;
    }

    private boolean isBindable(WorkRequest work, HcaQueuePair queuePair, @Nullable HcaMemoryRegion under) {
        if (ended || key != work.remoteKey || queuePair.domain() != domain || (work.bindAccess & ~SUPPORTED) != 0) {
            return false;
        }
        boolean fits = type == TYPE_1 ? (work.bindAccess & ZERO_BASED) == 0 : region == null && under != null;
        return fits && (under == null || isGranted(work, under));
    }

    /** What the region must allow, so that a window gives nobody more than its owner has. */
    private static boolean isGranted(WorkRequest work, HcaMemoryRegion under) {
        int needed = (work.bindAccess & REMOTE_CHANGES) == 0 ? MW_BIND : MW_BIND | LOCAL_WRITE;
        return under.locate(work.remoteAddress, work.bindLength, needed) >= 0;
    }

    /**
     * Frees a window of type 2 (rule 3.14, invalidate). Whoever calls uses no window.
     *
     * @return false if the key is not its present one, or it is not bound by this queue pair
     */
    boolean invalidate(int staleKey, HcaQueuePair queuePair) {
        gate.change();
        boolean valid = type == TYPE_2 && key == staleKey && region != null && binder == queuePair;
        if (valid) {
            withdraw();
        }
        gate.changed();
        return valid;
    }

    private void withdraw() {
        HcaMemoryRegion under = region;
        if (under != null) {
            region = null;
            binder = null;
            under.leaveWindow();
        }
    }

    /**
     * Opens it for one access. If that succeeds, it stays as it is until {@link #leave}.
     *
     * @return where the range lies in {@link #memory()}, or -1 if this key does not open it
     */
    long enter(int asked, HcaQueuePair user, long start, long bytes, int needed) {
        gate.enter();
        long offset = locate(asked, user, start, bytes, needed);
        if (offset < 0) {
            gate.leave();
        }
        return offset;
    }

    /** As {@link #enter}, for all of it. */
    boolean enterWhole(int asked, HcaQueuePair user, int needed) {
        gate.enter();
        boolean open = isOpen(asked, user, needed);
        if (!open) {
            gate.leave();
        }
        return open;
    }

    /** The memory under it; while it is entered. */
    MemorySegment memory() {
        return Objects.requireNonNull(region).memory();
    }

    void leave() {
        gate.leave();
    }

    private long locate(int asked, HcaQueuePair user, long start, long bytes, int needed) {
        HcaMemoryRegion under = region;
        if (under == null || !isOpen(asked, user, needed)) {
            return -1;
        }
        long inside = (access & ZERO_BASED) == 0 ? start - address : start;
        boolean fits = inside >= 0 && bytes <= length && inside <= length - bytes;
        return fits ? under.locate(address + inside, bytes, 0) : -1;
    }

    private boolean isOpen(int asked, HcaQueuePair user, int needed) {
        return region != null
                && key == asked
                && user.domain() == domain
                && (type == TYPE_1 || binder == user)
                && (access & needed) == needed;
    }
}
