package dev.doorbell.libibverbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.RxeCqe;
import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.memory.SpinLock;
import dev.doorbell.spec.WorkCompletionFlag;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue: completions are fetched from the library a handful at a time, and the cursor goes over those.
 *
 * <p>When a queue pair closes, what the library has for it must be known: {@link #drain()} fetches it from any thread and
 * keeps it for the cursor.
 *
 * <p>Thread rules: calls are serialised by the caller, but for {@link #arm} and {@link #drain()}.
 */
final class LibraryCompletionQueue implements ProviderCompletionQueue {
    private static final int BATCH = 16;
    private static final int WITH_INV = WorkCompletionFlag.WITH_INV.bit();
    private static final int MODERATE = 1;

    /** What Soft-RoCE's kernel says for it, in the kernel's own numbers, which its driver hands on. */
    private static final int RXE_WITH_INV = RxeCqe.WITH_INVALIDATE;

    private final VerbsLibrary library;
    private final DataPath path;
    private final PostingTable postings;
    private final boolean isRxe;
    private final MemorySegment fetched = Arena.ofAuto().allocate((long) BATCH * Wc.SIZE, 64);
    private final long fetchedAddress = fetched.address();
    private final SpinLock lock = new SpinLock();

    /** Where the cursor's completions are: what was fetched, or what was drained. */
    private MemorySegment entries = fetched;

    private long at = -Wc.SIZE;
    private long end;

    // Guarded by the lock; the queue is also read without it.
    private volatile long queue;
    private @Nullable MemorySegment drained;
    private long drainedEnd;
    private @Nullable MemorySegment draining;

    LibraryCompletionQueue(VerbsLibrary library, DataPath path, PostingTable postings, boolean isRxe, long queue) {
        this.isRxe = isRxe;
        this.library = library;
        this.path = path;
        this.postings = postings;
        this.queue = queue;
    }

    /** The {@code ibv_cq}. */
    long pointer() {
        return queue;
    }

    @Override
    public int handle() {
        return queue == 0 ? 0 : Foreign.intAt(queue + Heads.CQ_HANDLE);
    }

    @Override
    public int capacity() {
        return queue == 0 ? 0 : Foreign.intAt(queue + Heads.CQ_ENTRIES);
    }

    @Override
    public boolean next() {
        at += Wc.SIZE;
        return at < end || fetch();
    }

    private boolean fetch() {
        at = 0;
        end = 0;
        int failed = 0;
        lock.lock();
        MemorySegment kept = drained;
        if (kept != null) {
            entries = kept;
            end = drainedEnd;
            drained = null;
        } else if (queue != 0) {
            int count = path.poll(queue, BATCH, fetchedAddress);
            entries = fetched;
            end = (long) Math.max(count, 0) * Wc.SIZE;
            failed = Math.min(count, 0);
            retire(fetched, 0, end);
        }
        lock.unlock();
        if (failed != 0) {
            at = -Wc.SIZE;
            throw new VerbsFault(Errno.EIO, "POLL_CQ");
        }
        if (end == 0) {
            at = -Wc.SIZE;
            return false;
        }
        return true;
    }

    /** Replaces the numbers under which work requests travelled by their programs' own. */
    private void retire(MemorySegment segment, long from, long to) {
        for (long offset = from; offset < to; offset += Wc.SIZE) {
            Host.setLong(segment, offset, postings.retire(Host.getLong(segment, offset)));
        }
    }

    /** Fetches everything; see {@link #drain()}. */
    boolean drainAll() {
        boolean any = false;
        while (drain()) {
            any = true;
        }
        return any;
    }

    /**
     * Fetches a handful of what the library has and keeps it for the cursor; not more than the queue can hold.
     *
     * @return whether there was anything
     */
    boolean drain() {
        lock.lock();
        try {
            long room = queue == 0 ? 0 : (long) capacity() * Wc.SIZE - (drained == null ? 0 : drainedEnd);
            if (room < Wc.SIZE) {
                return false;
            }
            int count = path.poll(queue, (int) Math.min(BATCH, room / Wc.SIZE), fetchedForDraining());
            if (count <= 0) {
                return false;
            }
            keep(count);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private long fetchedForDraining() {
        MemorySegment segment = draining;
        if (segment == null) {
            segment = Arena.ofAuto().allocate((long) BATCH * Wc.SIZE, 64);
            draining = segment;
        }
        return segment.address();
    }

    private void keep(int count) {
        MemorySegment from = draining;
        if (from == null) {
            return;
        }
        long bytes = (long) count * Wc.SIZE;
        retire(from, 0, bytes);
        MemorySegment kept = drained;
        long before = kept == null ? 0 : drainedEnd;
        if (kept == null || kept.byteSize() < before + bytes) {
            MemorySegment larger = Arena.ofAuto().allocate(Math.max(2 * before, before + bytes), 64);
            if (kept != null) {
                MemorySegment.copy(kept, 0, larger, 0, before);
            }
            kept = larger;
        }
        MemorySegment.copy(from, 0, kept, before, bytes);
        drained = kept;
        drainedEnd = before + bytes;
    }

    @Override
    public void end() {
        // The library's slot was given back when the completion was fetched.
    }

    @Override
    public long id() {
        return Host.getLong(entries, at + Wc.WR_ID);
    }

    @Override
    public int status() {
        return Host.getInt(entries, at + Wc.STATUS);
    }

    @Override
    public int vendorError() {
        return Host.getInt(entries, at + Wc.VENDOR_ERR);
    }

    @Override
    public int queuePairNumber() {
        return Host.getInt(entries, at + Wc.QP_NUM);
    }

    @Override
    public int opcode() {
        return Host.getInt(entries, at + Wc.OPCODE);
    }

    @Override
    public long byteLength() {
        return Integer.toUnsignedLong(Host.getInt(entries, at + Wc.BYTE_LEN));
    }

    @Override
    public int flags() {
        int flags = Host.getInt(entries, at + Wc.WC_FLAGS);
        return isRxe && (flags & RXE_WITH_INV) != 0 ? flags ^ RXE_WITH_INV | WITH_INV : flags;
    }

    @Override
    public int immediate() {
        return (flags() & WITH_INV) != 0
                ? Host.getInt(entries, at + Wc.IMM_DATA)
                : Be.getInt(entries, at + Wc.IMM_DATA);
    }

    @Override
    public int sourceQueuePair() {
        return Host.getInt(entries, at + Wc.SRC_QP);
    }

    @Override
    public int slid() {
        return Host.getUnsignedShort(entries, at + Wc.SLID);
    }

    @Override
    public int serviceLevel() {
        return Host.getUnsignedByte(entries, at + Wc.SL);
    }

    @Override
    public int dlidPathBits() {
        return Host.getUnsignedByte(entries, at + Wc.DLID_PATH_BITS);
    }

    @Override
    public int pkeyIndex() {
        return Host.getUnsignedShort(entries, at + Wc.PKEY_INDEX);
    }

    @Override
    public void arm(boolean solicitedOnly) {
        long armed = queue;
        int errno = armed == 0 ? Errno.EBADF : path.arm(armed, solicitedOnly);
        check(errno, "REQ_NOTIFY_CQ");
    }

    @Override
    public void resize(int entryCount) {
        lock.lock();
        long waiting = drained == null ? 0 : drainedEnd / Wc.SIZE;
        lock.unlock();
        if (entryCount >= 0 && entryCount < waiting) {
            // They wait here and not in the library, which would not object.
            throw new VerbsFault(Errno.EINVAL, Function.RESIZE_CQ.name());
        }
        library.check(Function.RESIZE_CQ, queue, entryCount);
    }

    @Override
    public void moderate(int completions, int periodMicros) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(2L * Integer.BYTES, Integer.BYTES);
            Host.setInt(attributes, 0, MODERATE);
            Host.setShort(attributes, Integer.BYTES, completions);
            Host.setShort(attributes, Integer.BYTES + Short.BYTES, periodMicros);
            check(path.modifyCompletions(queue, attributes), "MODIFY_CQ");
        }
    }

    private static void check(int errno, String operation) {
        if (errno != 0) {
            throw new VerbsFault(errno, operation);
        }
    }

    @Override
    public void close() {
        lock.lock();
        long closing = queue;
        queue = 0;
        lock.unlock();
        if (closing == 0) {
            return;
        }
        // Not under the lock: the library waits here until events that were read are acknowledged.
        try {
            library.check(Function.DESTROY_CQ, closing);
        } catch (VerbsFault e) {
            queue = closing;
            throw e;
        }
    }
}
