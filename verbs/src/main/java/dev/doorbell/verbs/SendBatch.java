package dev.doorbell.verbs;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.FlushPlacement;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkRequestOpcode;
import java.lang.ref.Reference;
import java.util.Set;

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
 *
 * <p>A whole program, {@code examples/RemoteRead.java}:
 * {@snippet file="RemoteRead.java"}
 */
public final class SendBatch extends SendRequest implements AutoCloseable {
    private static final int WRITE = WorkRequestOpcode.RDMA_WRITE.code();
    private static final int WRITE_IMM = WorkRequestOpcode.RDMA_WRITE_WITH_IMM.code();
    private static final int SEND = WorkRequestOpcode.SEND.code();
    private static final int SEND_IMM = WorkRequestOpcode.SEND_WITH_IMM.code();
    private static final int READ = WorkRequestOpcode.RDMA_READ.code();
    private static final int SWAP = WorkRequestOpcode.ATOMIC_CMP_AND_SWP.code();
    private static final int ADD = WorkRequestOpcode.ATOMIC_FETCH_AND_ADD.code();
    private static final int SEND_INV = WorkRequestOpcode.SEND_WITH_INV.code();
    private static final int LOCAL_INV = WorkRequestOpcode.LOCAL_INV.code();
    private static final int BIND = WorkRequestOpcode.BIND_MW.code();
    private static final int ATOMIC_WRITE = WorkRequestOpcode.ATOMIC_WRITE.code();
    private static final int FLUSH = WorkRequestOpcode.FLUSH.code();
    private static final int READY_TO_SEND = QueuePairState.RTS.code();

    SendBatch(QueuePair queuePair, QueuePairCore core) {
        super(queuePair, core);
    }

    SendBatch begin() {
        turn.begin(POST);
        if (core.state.code() < READY_TO_SEND) {
            turn.end();
            throw PostRefusals.state(POST, core, "RTS, SQD, SQE or ERROR");
        }
        restart();
        return this;
    }

    /** How many more work requests it can take now. */
    public int room() {
        turn.check(POST);
        return core.vacant();
    }

    /** Work requests in it. */
    public int size() {
        turn.check(POST);
        return sendIds.staged();
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

    /**
     * Opens a SEND that also invalidates a key of the peer: that of a memory window of type 2 which the queue pair at the
     * other end has bound. Otherwise both ends fail.
     */
    public SendBatch sendWithInvalidate(long id, int rkey) {
        request(id, SEND_INV, Long.MAX_VALUE);
        queue.invalidate(rkey);
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

    /**
     * Opens an ATOMIC WRITE of eight bytes, in this machine's order, to an address of the peer that is a multiple of eight:
     * no one sees a part of them. It has no elements, and comes after what was written before it (ibv_wr_atomic_write(3)).
     *
     * @throws NotSupportedException if the device does not have it
     */
    public SendBatch atomicWrite(long id, long remoteAddress, int rkey, long value) {
        request(id, ATOMIC_WRITE, Long.MAX_VALUE);
        checkAligned(remoteAddress);
        queue.atomicWrite(remoteAddress, rkey, value);
        return this;
    }

    /** Opens an ATOMIC WRITE into the peer's memory. */
    public SendBatch atomicWrite(long id, RemoteMemory remote, long offset, long value) {
        wordReach(remote, offset, AccessFlag.REMOTE_WRITE);
        return atomicWrite(id, remote.address() + offset, remote.rkey(), value);
    }

    /**
     * Opens a FLUSH of a part of the peer's memory: it completes when what this queue pair wrote there before is visible or
     * persistent (ibv_wr_flush(3)).
     *
     * @throws NotSupportedException if the device does not have it
     * @throws VerbsException EACCES if the memory does not grant FLUSH_GLOBAL or FLUSH_PERSISTENT, whichever is asked for
     */
    public SendBatch flush(long id, RemoteMemory remote, FlushPlacement placement) {
        turn.check(POST);
        if ((remote.access() & placement.access()) != placement.access()) {
            throw refuse(PostRefusals.remoteAccess(
                    core.name, remote, AccessFlag.set(placement.access()).toString()));
        }
        return flush(id, remote.address(), remote.length(), remote.rkey(), placement);
    }

    /**
     * Opens a FLUSH of a range of the peer's memory.
     *
     * @throws VerbsException EINVAL for more than 2^32 - 1 bytes: flush all of the region then
     */
    public SendBatch flush(long id, long remoteAddress, long length, int rkey, FlushPlacement placement) {
        request(id, FLUSH, Long.MAX_VALUE);
        if (length >>> Integer.SIZE != 0) {
            throw refuse(PostRefusals.elementTooLong(POST, core.name, length));
        }
        queue.flush(remoteAddress, length, rkey, placement.code(), false);
        return this;
    }

    /** Opens a FLUSH of everything that a key of the peer opens. */
    public SendBatch flushAll(long id, int rkey, FlushPlacement placement) {
        request(id, FLUSH, Long.MAX_VALUE);
        queue.flush(0, 0, rkey, placement.code(), true);
        return this;
    }

    /**
     * Opens a bind of a memory window to a part of a region, so that peers reach that part by the window's new
     * {@linkplain MemoryWindow#rkey() key} (ibv_wr_bind_mw(3)). The window has the key as soon as the batch is submitted;
     * the peers can use it when the bind is complete.
     *
     * @param access what the window grants, bits of {@link AccessFlag}; {@link AccessFlag#ZERO_BASED} too on a window of
     *     type 2, whose addresses count from 0 then
     * @throws VerbsException EINVAL for a window or a region of another protection domain
     * @throws ClosedException if one of them is closed
     * @throws IndexOutOfBoundsException if the part does not lie in the region
     */
    public SendBatch bind(long id, MemoryWindow window, MemoryRegion region, long offset, long length, int access) {
        checkWindow(window);
        RuntimeException refusal =
                ElementRules.refusal(POST, core.name, queuePair.protectionDomain(), region, offset, length);
        if (refusal != null) {
            spoil();
            throw refusal;
        }
        request(id, BIND, 0);
        stage(window);
        int key = window.stagedKey();
        long address = region.address() + offset;
        queue.bind(address, length, region.lkey(), key, window.stageBind(address, length, access), access);
        return this;
    }

    /** Opens a bind of a memory window; see {@link #bind(long, MemoryWindow, MemoryRegion, long, long, int)}. */
    public SendBatch bind(long id, MemoryWindow window, MemorySlice slice, Set<AccessFlag> access) {
        return bind(id, window, slice.region(), slice.offset(), slice.length(), AccessFlag.mask(access));
    }

    /** Opens a bind of nothing to a window of type 1, which shuts it. */
    public SendBatch unbind(long id, MemoryWindow window) {
        checkWindow(window);
        request(id, BIND, 0);
        stage(window);
        int key = window.stagedKey();
        queue.bind(0, 0, 0, key, window.stageBind(0, 0, 0), 0);
        return this;
    }

    /**
     * Opens a local invalidate of a window of type 2 that this queue pair has bound: when it is complete, no peer comes
     * through the window any more, and it can be bound again (ibv_wr_local_inv(3)).
     */
    public SendBatch invalidate(long id, MemoryWindow window) {
        checkWindow(window);
        request(id, LOCAL_INV, 0);
        stage(window);
        queue.invalidate(window.stagedKey());
        window.stageRelease();
        return this;
    }

    /** Opens a local invalidate of a key of this device. */
    public SendBatch invalidate(long id, int rkey) {
        request(id, LOCAL_INV, 0);
        queue.invalidate(rkey);
        return this;
    }

    private void checkWindow(MemoryWindow window) {
        turn.check(POST);
        if (!window.isOpen()) {
            throw refuse(window.closed(POST));
        }
        if (window.protectionDomain() != queuePair.protectionDomain()) {
            throw refuse(PostRefusals.foreignWindow(core.name, window, queuePair.protectionDomain()));
        }
    }

    private SendBatch remote(long id, int operation, long reach, long address, int rkey) {
        request(id, operation, reach);
        queue.remote(address, rkey);
        return this;
    }

    private SendBatch atomic(long id, int operation, long address, int rkey, long compareOrAdd, long swap) {
        request(id, operation, Long.MAX_VALUE);
        checkAligned(address);
        queue.atomic(address, rkey, compareOrAdd, swap);
        return this;
    }

    private void checkAligned(long address) {
        if ((address & ATOMIC_BYTES - 1) != 0) {
            throw refuse(PostRefusals.atomicAddress(core.name, address));
        }
    }

    private long reach(RemoteMemory remote, long offset, AccessFlag needed) {
        turn.check(POST);
        if (!remote.allows(needed)) {
            throw refuse(PostRefusals.remoteAccess(core.name, remote, needed.name()));
        }
        if (offset < 0 || offset > remote.length()) {
            spoil();
            remote.checkInside(offset, 0);
        }
        return remote.length() - offset;
    }

    private void atomicReach(RemoteMemory remote, long offset) {
        wordReach(remote, offset, AccessFlag.REMOTE_ATOMIC);
    }

    private void wordReach(RemoteMemory remote, long offset, AccessFlag needed) {
        if (reach(remote, offset, needed) < ATOMIC_BYTES) {
            spoil();
            remote.checkInside(offset, ATOMIC_BYTES);
        }
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
            int count = sendIds.staged();
            return count == 0 ? 0 : post(count);
        } catch (InternalError e) {
            throw PostRefusals.lostRing(POST, core.name, e);
        } finally {
            Reference.reachabilityFence(queuePair);
        }
    }

    private int post(int count) {
        sendIds.commit();
        settleWindows(true);
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
            abandon();
            turn.end();
        }
    }
}
