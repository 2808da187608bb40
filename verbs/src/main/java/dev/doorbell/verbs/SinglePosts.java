package dev.doorbell.verbs;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.verbs.spi.SendQueue;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * Work requests that a queue pair posts alone, as ibv_post_send(3) does with a list of one: checked, written and rung in one
 * call, which takes less time than a batch of one. Exactly one class extends it, so that each call here has one target.
 */
abstract sealed class SinglePosts permits QueuePair {
    private static final String POST = SendRequest.POST;
    private static final int WRITE = WorkRequestOpcode.RDMA_WRITE.code();
    private static final int SEND = WorkRequestOpcode.SEND.code();
    private static final int READ = WorkRequestOpcode.RDMA_READ.code();
    private static final int SIGNALED = SendFlag.SIGNALED.bit();
    private static final int FLAGS = SIGNALED | SendFlag.SOLICITED.bit() | SendFlag.FENCE.bit();
    private static final int READY_TO_SEND = QueuePairState.RTS.code();

    final QueuePairCore core;
    private final ProtectionDomain domain;
    private final SendQueue queue;
    private final QueueTurn turn;
    private final WorkIds ids;
    private final int maxInline;
    private final int operations;
    private final boolean datagrams;

    SinglePosts(QueuePairPlan asked, QueuePairCore core) {
        this.core = core;
        this.domain = asked.domain;
        this.queue = core.sendQueue;
        this.turn = core.sendTurn;
        this.ids = core.sendIds;
        this.maxInline = queue.maxInline();
        this.operations = core.operations;
        this.datagrams = asked.type == QueuePairType.UD;
    }

    /** Posts one signaled SEND of one element. Throws as {@link #postSend(long, MemoryRegion, long, long, int)}. */
    public final void postSend(long id, MemorySlice slice) {
        postSend(id, slice.region(), slice.offset(), slice.length(), SIGNALED);
    }

    /**
     * Posts one SEND of one element: ibv_post_send(3) with a list of one work request. Allocates nothing.
     *
     * @param id comes back in the completion
     * @param flags bits of {@link SendFlag}: SIGNALED, SOLICITED, FENCE
     * @throws VerbsException EINVAL before RTS, as in C; for other flags, more than 2^32 - 1 bytes, a region of another
     *     protection domain; for datagrams, which need an address ({@link SendBatch#to(AddressHandle, Endpoint)}); EBUSY if
     *     this thread has the {@linkplain QueuePair#batch() batch} open
     * @throws QueueFullException if the queue is full
     * @throws ClosedException if the queue pair or the region is closed
     * @throws IndexOutOfBoundsException if the element does not lie in the region
     */
    public final void postSend(long id, MemoryRegion region, long offset, long length, int flags) {
        element(id, operation(SEND, flags), region, offset, length, 0, 0);
    }

    /**
     * Posts one SEND of bytes that are copied into the work request. Otherwise as
     * {@link #postSend(long, MemoryRegion, long, long, int)}.
     *
     * @param source any memory, also on the heap, which can be changed at once
     * @throws VerbsException EINVAL also for more bytes than the queue pair was created for
     */
    public final void postSendInline(long id, MemorySegment source, long offset, long length, int flags) {
        inline(id, operation(SEND, flags), source, offset, length, 0, 0);
    }

    /**
     * Posts one signaled RDMA WRITE of one element into a peer's memory. Throws as
     * {@link #postSend(long, MemoryRegion, long, long, int)}.
     *
     * @throws VerbsException EACCES also if the peer's memory does not grant REMOTE_WRITE, EINVAL if the bytes do not fit there
     */
    public final void postWrite(long id, MemorySlice slice, RemoteMemory remote, long remoteOffset) {
        remote(id, WRITE, AccessFlag.REMOTE_WRITE, slice, remote, remoteOffset);
    }

    /**
     * Posts one RDMA WRITE of one element to an address of the peer. Throws as
     * {@link #postSend(long, MemoryRegion, long, long, int)}.
     */
    public final void postWrite(
            long id, MemoryRegion region, long offset, long length, long remoteAddress, int rkey, int flags) {
        element(id, operation(WRITE, flags), region, offset, length, remoteAddress, rkey);
    }

    /**
     * Posts one RDMA WRITE of bytes that are copied into the work request, to an address of the peer. Throws as
     * {@link #postSendInline}.
     */
    public final void postWriteInline(
            long id, MemorySegment source, long offset, long length, long remoteAddress, int rkey, int flags) {
        inline(id, operation(WRITE, flags), source, offset, length, remoteAddress, rkey);
    }

    /**
     * Posts one signaled RDMA READ of a peer's memory into one element. Throws as
     * {@link #postSend(long, MemoryRegion, long, long, int)}.
     *
     * @throws VerbsException EACCES also if the peer's memory does not grant REMOTE_READ, EINVAL if it does not reach so far
     */
    public final void postRead(long id, MemorySlice slice, RemoteMemory remote, long remoteOffset) {
        remote(id, READ, AccessFlag.REMOTE_READ, slice, remote, remoteOffset);
    }

    /**
     * Posts one RDMA READ from an address of the peer into one element. Throws as
     * {@link #postSend(long, MemoryRegion, long, long, int)}.
     */
    public final void postRead(
            long id, MemoryRegion region, long offset, long length, long remoteAddress, int rkey, int flags) {
        element(id, operation(READ, flags), region, offset, length, remoteAddress, rkey);
    }

    private void remote(
            long id, int opcode, AccessFlag needed, MemorySlice slice, RemoteMemory remote, long remoteOffset) {
        if (!remote.allows(needed)) {
            throw PostRefusals.remoteAccess(core.name, remote, needed.name());
        }
        if (remoteOffset < 0 || remoteOffset > remote.length()) {
            remote.checkInside(remoteOffset, 0);
        }
        if (slice.length() > remote.length() - remoteOffset) {
            throw PostRefusals.remoteBounds(core.name, slice.length(), remote.length() - remoteOffset);
        }
        long address = remote.address() + remoteOffset;
        int operation = SendQueue.operation(opcode, SIGNALED);
        element(id, operation, slice.region(), slice.offset(), slice.length(), address, remote.rkey());
    }

    private int operation(int opcode, int flags) {
        if ((flags & ~FLAGS) != 0) {
            throw PostRefusals.flags(core.name, flags, FLAGS);
        }
        return SendQueue.operation(opcode, flags);
    }

    private void element(
            long id, int operation, MemoryRegion region, long offset, long length, long remoteAddress, int rkey) {
        turn.begin(POST);
        try {
            check(operation);
            RuntimeException refusal = ElementRules.refusal(POST, core.name, domain, region, offset, length);
            if (refusal != null) {
                throw refusal;
            }
            if (length >>> Integer.SIZE != 0) {
                throw PostRefusals.elementTooLong(POST, core.name, length);
            }
            long address = region.address() + offset;
            done(id, queue.post(id, operation, remoteAddress, rkey, address, (int) length, region.lkey()));
        } catch (InternalError e) {
            throw PostRefusals.lostRing(POST, core.name, e);
        } finally {
            turn.end();
            Reference.reachabilityFence(this);
        }
    }

    private void inline(
            long id, int operation, MemorySegment source, long offset, long length, long remoteAddress, int rkey) {
        turn.begin(POST);
        try {
            check(operation);
            if (length < 0 || length > maxInline) {
                throw PostRefusals.inlineTooLong(core.name, length, maxInline);
            }
            done(id, queue.postInline(id, operation, remoteAddress, rkey, source, offset, (int) length));
        } catch (InternalError e) {
            throw PostRefusals.lostRing(POST, core.name, e);
        } finally {
            turn.end();
            Reference.reachabilityFence(this);
        }
    }

    private void check(int operation) {
        if (core.state.code() < READY_TO_SEND) {
            throw PostRefusals.state(POST, core, "RTS, SQD, SQE or ERROR");
        }
        int opcode = SendQueue.opcodeOf(operation);
        if ((operations >>> opcode & 1) == 0) {
            throw core.lacking(opcode);
        }
        if (datagrams) {
            throw ServiceRules.noAddress(core.name);
        }
        if (ids.free <= 0) {
            ids.free = core.vacant();
            if (ids.free <= 0) {
                throw core.full();
            }
        }
    }

    private void done(long id, int errno) {
        if (errno == SendQueue.FULL) {
            throw core.full();
        }
        ids.free--;
        ids.stage(id);
        ids.commit();
        if (errno != 0) {
            throw PostRefusals.doorbell(core, errno);
        }
    }
}
