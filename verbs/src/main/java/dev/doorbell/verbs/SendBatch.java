package dev.doorbell.verbs;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkRequestOpcode;
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
public final class SendBatch extends SendRequest implements AutoCloseable {
    private static final int WRITE = WorkRequestOpcode.RDMA_WRITE.code();
    private static final int WRITE_IMM = WorkRequestOpcode.RDMA_WRITE_WITH_IMM.code();
    private static final int SEND = WorkRequestOpcode.SEND.code();
    private static final int SEND_IMM = WorkRequestOpcode.SEND_WITH_IMM.code();
    private static final int READ = WorkRequestOpcode.RDMA_READ.code();
    private static final int SWAP = WorkRequestOpcode.ATOMIC_CMP_AND_SWP.code();
    private static final int ADD = WorkRequestOpcode.ATOMIC_FETCH_AND_ADD.code();
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
        return vacant();
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
            spoil();
            remote.checkInside(offset, 0);
        }
        return remote.length() - offset;
    }

    private void atomicReach(RemoteMemory remote, long offset) {
        if (reach(remote, offset, AccessFlag.REMOTE_ATOMIC) < ATOMIC_BYTES) {
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
            int count = core.sendIds.staged();
            return count == 0 ? 0 : post(count);
        } catch (InternalError e) {
            throw PostRefusals.lostRing(POST, core.name, e);
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
            abandon();
            turn.end();
        }
    }
}
