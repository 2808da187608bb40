package dev.doorbell.verbs;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.verbs.spi.SendQueue;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * Work requests for a send queue, posted together with one doorbell (ibv_wr_start(3), ibv_post_send(3)).
 *
 * <pre>{@code
 * try (SendBatch batch = queuePair.batch()) {
 *     batch.write(1, remote, 0).sge(data);
 *     batch.send(2).sge(header).sge(body).signaled();
 *     batch.submit();
 * }
 * }</pre>
 *
 * <p>An operation opens a work request; the calls after it describe it; the next operation, or {@link #submit()}, seals it.
 * Closing without {@code submit()} posts nothing. After a refused call nothing of the batch can be posted either, but for a
 * {@link QueueFullException}: what was there before it stays.
 *
 * <p>Each queue pair has one such object, which is handed out again and again; nothing is allocated. The send queue waits
 * for the batch to be closed, so do not block in between.
 *
 * <p>Immediate data are given as a number in network order: {@code 0x01020304} travels as the bytes 1, 2, 3, 4, and the
 * receiver reads the same number.
 *
 * <p>Thread rules: belongs to the thread that opened it.
 */
public final class SendBatch implements AutoCloseable {
    private static final String POST = "post send";
    private static final int WRITE = WorkRequestOpcode.RDMA_WRITE.code();
    private static final int WRITE_IMM = WorkRequestOpcode.RDMA_WRITE_WITH_IMM.code();
    private static final int SEND = WorkRequestOpcode.SEND.code();
    private static final int SEND_IMM = WorkRequestOpcode.SEND_WITH_IMM.code();
    private static final int READ = WorkRequestOpcode.RDMA_READ.code();
    private static final int SWAP = WorkRequestOpcode.ATOMIC_CMP_AND_SWP.code();
    private static final int ADD = WorkRequestOpcode.ATOMIC_FETCH_AND_ADD.code();
    private static final int READY_TO_SEND = QueuePairState.RTS.code();
    private static final int ATOMIC_BYTES = 8;

    private final QueuePair queuePair;
    private final QueuePairCore core;
    private final SendQueue queue;
    private final QueueTurn turn;
    private final int maxSge;
    private final int maxInline;

    // The batch; guarded by the turn.
    /** Room for so many more work requests at least; the ring is only looked at when this is used up. */
    private int free;

    private boolean broken;

    // The open work request; guarded by the turn.
    private boolean open;
    private int opcode;
    private int flags;
    private int elements;
    private boolean inlined;
    private long bytes;
    private long remoteBytes;

    SendBatch(QueuePair queuePair, QueuePairCore core) {
        this.queuePair = queuePair;
        this.core = core;
        this.queue = core.sendQueue;
        this.turn = core.sendTurn;
        this.maxSge = queue.maxSge();
        this.maxInline = queue.maxInline();
    }

    SendBatch begin() {
        turn.begin(POST);
        if (core.state.code() < READY_TO_SEND) {
            turn.end();
            throw PostRefusals.state(POST, core, "RTS, SQD, SQE or ERROR");
        }
        queue.begin();
        open = false;
        broken = false;
        return this;
    }

    /** How many more work requests it can take now. */
    public int room() {
        turn.check(POST);
        return core.sendDepth - queue.outstanding() - core.sendIds.staged();
    }

    /** Work requests in it. */
    public int size() {
        turn.check(POST);
        return core.sendIds.staged();
    }

    /**
     * Opens a SEND: fills the peer's next receive work request.
     *
     * @param id comes back in the completion
     * @throws QueueFullException if the queue is full; the batch stays as it is
     */
    public SendBatch send(long id) {
        return request(id, SEND, Long.MAX_VALUE);
    }

    /** Opens a SEND with immediate data. */
    public SendBatch sendWithImmediate(long id, int immediate) {
        request(id, SEND_IMM, Long.MAX_VALUE);
        queue.immediate(immediate);
        return this;
    }

    /** Opens an RDMA WRITE to an address of the peer. */
    public SendBatch write(long id, long remoteAddress, int rkey) {
        return remote(id, WRITE, Long.MAX_VALUE, remoteAddress, rkey);
    }

    /**
     * Opens an RDMA WRITE into the peer's memory.
     *
     * @throws IndexOutOfBoundsException if the offset lies outside; that the bytes fit is checked when it is sealed
     * @throws VerbsException EACCES if the memory does not grant REMOTE_WRITE
     */
    public SendBatch write(long id, RemoteMemory remote, long offset) {
        long rest = reach(remote, offset, AccessFlag.REMOTE_WRITE);
        return remote(id, WRITE, rest, remote.address() + offset, remote.rkey());
    }

    /** Opens an RDMA WRITE to an address of the peer that also completes its next receive work request. */
    public SendBatch writeWithImmediate(long id, long remoteAddress, int rkey, int immediate) {
        remote(id, WRITE_IMM, Long.MAX_VALUE, remoteAddress, rkey);
        queue.immediate(immediate);
        return this;
    }

    /** Opens an RDMA WRITE into the peer's memory that also completes its next receive work request. */
    public SendBatch writeWithImmediate(long id, RemoteMemory remote, long offset, int immediate) {
        long rest = reach(remote, offset, AccessFlag.REMOTE_WRITE);
        remote(id, WRITE_IMM, rest, remote.address() + offset, remote.rkey());
        queue.immediate(immediate);
        return this;
    }

    /** Opens an RDMA READ from an address of the peer. */
    public SendBatch read(long id, long remoteAddress, int rkey) {
        return remote(id, READ, Long.MAX_VALUE, remoteAddress, rkey);
    }

    /** Opens an RDMA READ from the peer's memory. Throws as {@link #write(long, RemoteMemory, long)}. */
    public SendBatch read(long id, RemoteMemory remote, long offset) {
        long rest = reach(remote, offset, AccessFlag.REMOTE_READ);
        return remote(id, READ, rest, remote.address() + offset, remote.rkey());
    }

    /**
     * Opens a compare and swap of the peer's eight bytes at an address that is a multiple of eight. The eight bytes that
     * were there come back in the one element of the work request, in this machine's byte order.
     */
    public SendBatch compareAndSwap(long id, long remoteAddress, int rkey, long expected, long replacement) {
        return atomic(id, SWAP, remoteAddress, rkey, expected, replacement);
    }

    /** Opens a compare and swap of eight bytes of the peer's memory. */
    public SendBatch compareAndSwap(long id, RemoteMemory remote, long offset, long expected, long replacement) {
        atomicReach(remote, offset);
        return atomic(id, SWAP, remote.address() + offset, remote.rkey(), expected, replacement);
    }

    /**
     * Opens a fetch and add, wrapping, on the peer's eight bytes at an address that is a multiple of eight. The eight bytes
     * that were there come back in the one element of the work request, in this machine's byte order.
     */
    public SendBatch fetchAndAdd(long id, long remoteAddress, int rkey, long addend) {
        return atomic(id, ADD, remoteAddress, rkey, addend, 0);
    }

    /** Opens a fetch and add on eight bytes of the peer's memory. */
    public SendBatch fetchAndAdd(long id, RemoteMemory remote, long offset, long addend) {
        atomicReach(remote, offset);
        return atomic(id, ADD, remote.address() + offset, remote.rkey(), addend, 0);
    }

    private SendBatch request(long id, int operation, long reach) {
        turn.check(POST);
        seal();
        if (free <= 0) {
            free = room();
        }
        if (free <= 0 || !queue.request(id, operation)) {
            throw full();
        }
        free--;
        core.sendIds.stage(id);
        open = true;
        opcode = operation;
        flags = 0;
        elements = 0;
        inlined = false;
        bytes = 0;
        remoteBytes = reach;
        return this;
    }

    private SendBatch remote(long id, int operation, long reach, long address, int rkey) {
        request(id, operation, reach);
        queue.remote(address, rkey);
        return this;
    }

    private SendBatch atomic(long id, int operation, long address, int rkey, long compareOrAdd, long swap) {
        request(id, operation, Long.MAX_VALUE);
        if ((address & ATOMIC_BYTES - 1) != 0) {
            throw refuse(PostRefusals.atomicAddress(core.name, address));
        }
        queue.atomic(address, rkey, compareOrAdd, swap);
        return this;
    }

    private long reach(RemoteMemory remote, long offset, AccessFlag needed) {
        turn.check(POST);
        if (!remote.allows(needed)) {
            throw refuse(PostRefusals.remoteAccess(core.name, remote, needed.name()));
        }
        if (offset < 0 || offset > remote.length()) {
            broken = true;
            remote.checkInside(offset, 0);
        }
        return remote.length() - offset;
    }

    private void atomicReach(RemoteMemory remote, long offset) {
        if (reach(remote, offset, AccessFlag.REMOTE_ATOMIC) < ATOMIC_BYTES) {
            broken = true;
            remote.checkInside(offset, ATOMIC_BYTES);
        }
    }

    /** Adds an element: memory to send from, or to read into. Throws as {@link #sge(MemoryRegion, long, long)}. */
    public SendBatch sge(MemorySlice slice) {
        return sge(slice.region(), slice.offset(), slice.length());
    }

    /**
     * Adds an element: memory to send from, or to read into.
     *
     * @throws VerbsException EINVAL for one element too many, more than 2^32 - 1 bytes, a region of another protection
     *     domain, or beside inline bytes
     * @throws ClosedException if the region is closed
     * @throws IndexOutOfBoundsException if the element does not lie in the region
     */
    public SendBatch sge(MemoryRegion region, long offset, long length) {
        describe();
        if (region.protectionDomain() != queuePair.protectionDomain()) {
            throw refuse(PostRefusals.foreignDomain(POST, core.name, region, queuePair.protectionDomain()));
        }
        if (!region.isOpen()) {
            throw refuse(region.closed(POST));
        }
        if ((offset | length) < 0 || length > region.length() - offset) {
            broken = true;
            region.checkInside(offset, length);
        }
        return sge(region.address() + offset, length, region.lkey());
    }

    /** Adds an element by address and lkey; the device checks them when it executes the work request. */
    public SendBatch sge(long address, long length, int lkey) {
        describe();
        if (elements == maxSge) {
            throw refuse(PostRefusals.tooManyElements(POST, core.name, maxSge));
        }
        if (inlined) {
            throw refuse(PostRefusals.inlineMixed(core.name));
        }
        if (length >>> Integer.SIZE != 0) {
            throw refuse(PostRefusals.elementTooLong(POST, core.name, length));
        }
        queue.sge(address, (int) length, lkey);
        elements++;
        bytes += length;
        return this;
    }

    /**
     * Copies bytes into the work request, behind those that are there: no registration is needed, and the memory can be
     * changed at once. For SEND and WRITE.
     *
     * @param source any memory, also on the heap
     * @throws VerbsException EINVAL for more bytes than the queue pair was created for, or beside elements
     */
    public SendBatch inline(MemorySegment source, long offset, long length) {
        describe();
        if (opcode > SEND_IMM) {
            throw refuse(PostRefusals.inlineDirection(core.name));
        }
        if (elements != 0) {
            throw refuse(PostRefusals.inlineMixed(core.name));
        }
        if (length < 0 || length > maxInline - bytes) {
            throw refuse(PostRefusals.inlineTooLong(core.name, bytes + length, maxInline));
        }
        broken = true;
        queue.inline(source, offset, (int) length);
        broken = false;
        inlined = true;
        bytes += length;
        return this;
    }

    /** Asks for a completion also on success. Failures complete in any case. */
    public SendBatch signaled() {
        return flag(SendFlag.SIGNALED.bit());
    }

    /** Raises an event at a peer that waits for solicited completions only; for SEND and WRITE with immediate data. */
    public SendBatch solicited() {
        return flag(SendFlag.SOLICITED.bit());
    }

    /** Starts only after all READs and atomics before it are complete. */
    public SendBatch fence() {
        return flag(SendFlag.FENCE.bit());
    }

    private SendBatch flag(int bit) {
        describe();
        flags |= bit;
        return this;
    }

    /**
     * Posts what is in the batch, with one doorbell. The batch is empty afterwards and can be filled again.
     *
     * @return how many work requests were posted; none rings no doorbell
     * @throws VerbsException if the last work request is not complete, or the doorbell is refused
     */
    public int submit() {
        turn.check(POST);
        try {
            seal();
            int count = core.sendIds.staged();
            return count == 0 ? 0 : post(count);
        } finally {
            Reference.reachabilityFence(queuePair);
        }
    }

    private int post(int count) {
        core.sendIds.commit();
        int errno = queue.commit();
        queue.begin();
        if (errno != 0) {
            throw PostRefusals.doorbell(core, errno);
        }
        return count;
    }

    /** Ends the batch; what was not submitted was never posted. Idempotent. */
    @Override
    public void close() {
        if (turn.isMine()) {
            free += core.sendIds.staged();
            core.sendIds.abandon();
            open = false;
            turn.end();
        }
    }

    private void describe() {
        turn.check(POST);
        if (broken) {
            throw PostRefusals.broken(POST, core.name);
        }
        if (!open) {
            throw PostRefusals.nothingOpen(POST, core.name);
        }
    }

    private void seal() {
        if (broken) {
            throw PostRefusals.broken(POST, core.name);
        }
        if (!open) {
            return;
        }
        if (opcode >= SWAP && bytes != ATOMIC_BYTES) {
            throw refuse(PostRefusals.atomicLength(core.name, bytes));
        }
        if (bytes > remoteBytes) {
            throw refuse(PostRefusals.remoteBounds(core.name, bytes, remoteBytes));
        }
        queue.flags(flags);
        queue.seal();
        open = false;
    }

    private RuntimeException refuse(VerbsException refusal) {
        broken = true;
        return refusal;
    }

    private QueueFullException full() {
        return new QueueFullException(POST, core.name, queue.outstanding() + core.sendIds.staged(), core.sendDepth);
    }
}
