package dev.doorbell.verbs;

import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.verbs.spi.SendQueue;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The open work request of a {@link SendBatch}, and the calls that describe it; the operations that open one are the
 * batch's. Exactly one class extends it, so that each call here has one target.
 */
abstract sealed class SendRequest permits SendBatch {
    static final String POST = "post send";
    static final int ATOMIC_BYTES = 8;

    /** Operations that may carry their bytes in the work request itself. */
    private static final int INLINE = 1 << WorkRequestOpcode.SEND.code()
            | 1 << WorkRequestOpcode.SEND_WITH_IMM.code()
            | 1 << WorkRequestOpcode.SEND_WITH_INV.code()
            | 1 << WorkRequestOpcode.RDMA_WRITE.code()
            | 1 << WorkRequestOpcode.RDMA_WRITE_WITH_IMM.code();

    private static final int SWAP = WorkRequestOpcode.ATOMIC_CMP_AND_SWP.code();

    final QueuePair queuePair;
    final QueuePairCore core;
    final SendQueue queue;
    final QueueTurn turn;
    final WorkIds sendIds;
    private final int maxSge;
    private final int maxInline;
    private final boolean datagrams;

    /** One bit for each operation number that the queue pair has. */
    private final int operations;

    // The batch; guarded by the turn.
    private boolean broken;

    // The open work request; guarded by the turn.
    private boolean open;
    private int opcode;
    private int flags;
    private int elements;
    private boolean inlined;
    private long bytes;
    private long remoteBytes;

    /** Whether it says where it goes, if it is a datagram. */
    private boolean addressed;

    /** Windows that the batch binds or invalidates. */
    private @Nullable MemoryWindow windows;

    SendRequest(QueuePair queuePair, QueuePairCore core) {
        this.queuePair = queuePair;
        this.core = core;
        this.queue = core.sendQueue;
        this.turn = core.sendTurn;
        this.sendIds = core.sendIds;
        this.maxSge = queue.maxSge();
        this.maxInline = queue.maxInline();
        this.datagrams = queuePair.type() == QueuePairType.UD;
        this.operations = core.operations;
        this.addressed = !datagrams;
    }

    /** Forgets what was sealed and refused before. */
    final void restart() {
        queue.begin();
        open = false;
        broken = false;
    }

    /** Forgets what was not submitted. */
    final void abandon() {
        int staged = sendIds.staged();
        if (staged == 0) {
            // Nothing was opened since the last submit.
            return;
        }
        sendIds.free += staged;
        sendIds.abandon();
        open = false;
        settleWindows(false);
    }

    /**
     * Seals the open work request and opens the next one.
     *
     * @param reach most bytes that it may move
     */
    final SendBatch request(long id, int operation, long reach) {
        turn.check(POST);
        seal();
        if ((operations >>> operation & 1) == 0) {
            throw refuse(core.lacking(operation));
        }
        try {
            if (sendIds.free <= 0) {
                sendIds.free = core.vacant();
            }
            if (sendIds.free <= 0 || !queue.request(id, operation)) {
                throw core.full();
            }
        } catch (InternalError e) {
            throw refuse(PostRefusals.lostRing(POST, core.name, e));
        }
        sendIds.free--;
        sendIds.stage(id);
        open = true;
        opcode = operation;
        flags = 0;
        elements = 0;
        inlined = false;
        bytes = 0;
        if (remoteBytes != reach) {
            remoteBytes = reach;
        }
        if (datagrams) {
            addressed = false;
        }
        return batch();
    }

    /** Adds an element: memory to send from, or to read into. Throws as {@link #sge(MemoryRegion, long, long)}. */
    public final SendBatch sge(MemorySlice slice) {
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
    public final SendBatch sge(MemoryRegion region, long offset, long length) {
        describe();
        RuntimeException refusal =
                ElementRules.refusal(POST, core.name, queuePair.protectionDomain(), region, offset, length);
        if (refusal != null) {
            throw refuse(refusal);
        }
        return append(region.address() + offset, length, region.lkey());
    }

    /** Adds an element by address and lkey; the device checks them when it executes the work request. */
    public final SendBatch sge(long address, long length, int lkey) {
        describe();
        return append(address, length, lkey);
    }

    private SendBatch append(long address, long length, int lkey) {
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
        return batch();
    }

    /**
     * Copies bytes into the work request, behind those that are there: no registration is needed, and the memory can be
     * changed at once. For SEND and WRITE.
     *
     * @param source any memory, also on the heap
     * @throws VerbsException EINVAL for more bytes than the queue pair was created for, or beside elements
     */
    public final SendBatch inline(MemorySegment source, long offset, long length) {
        describe();
        if ((INLINE >>> opcode & 1) == 0) {
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
        return batch();
    }

    /**
     * Says where a datagram goes; for UD, where each work request needs it.
     *
     * @param remoteQueuePair number of the peer's queue pair; for a multicast group
     *     {@link AddressHandle#MULTICAST_QUEUE_PAIR}
     * @param remoteQkey the peer's Q_Key; one with the highest bit set stands for this queue pair's own, but Soft-RoCE
     *     sends it as it is
     * @throws VerbsException EINVAL for other types, a handle of another protection domain, or a number of more than 24
     *     bits
     * @throws ClosedException if the handle is closed
     */
    public final SendBatch to(AddressHandle handle, int remoteQueuePair, int remoteQkey) {
        describe();
        RuntimeException refusal = ServiceRules.addressRefusal(queuePair, handle, remoteQueuePair);
        if (refusal != null) {
            throw refuse(refusal);
        }
        queue.datagram(handle.number(), remoteQueuePair, remoteQkey);
        addressed = true;
        remoteBytes = handle.maxBytes();
        return batch();
    }

    /** Says where a datagram goes: to a peer's queue pair, with its Q_Key. Throws as {@link #to(AddressHandle, int, int)}. */
    public final SendBatch to(AddressHandle handle, Endpoint peer) {
        return to(handle, peer.queuePairNumber(), peer.qkey());
    }

    /** Asks for a completion also on success. Failures complete in any case. */
    public final SendBatch signaled() {
        return flag(SendFlag.SIGNALED.bit());
    }

    /** Raises an event at a peer that waits for solicited completions only; for SEND and WRITE with immediate data. */
    public final SendBatch solicited() {
        return flag(SendFlag.SOLICITED.bit());
    }

    /** Starts only after all READs and atomics before it are complete. */
    public final SendBatch fence() {
        return flag(SendFlag.FENCE.bit());
    }

    private SendBatch flag(int bit) {
        describe();
        flags |= bit;
        return batch();
    }

    private SendBatch batch() {
        return (SendBatch) this;
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

    final void seal() {
        if (broken) {
            throw PostRefusals.broken(POST, core.name);
        }
        if (!open) {
            return;
        }
        if (opcode >= SWAP) {
            checkElements();
        }
        if (!addressed) {
            throw refuse(ServiceRules.noAddress(core.name));
        }
        if (bytes > remoteBytes) {
            throw refuse(
                    datagrams
                            ? ServiceRules.tooLong(core.name, bytes, remoteBytes)
                            : PostRefusals.remoteBounds(core.name, bytes, remoteBytes));
        }
        if (flags != 0) {
            queue.flags(flags);
        }
        queue.seal();
        open = false;
    }

    private void checkElements() {
        switch (WorkRequestOpcode.of(opcode)) {
            case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> {
                if (bytes != ATOMIC_BYTES) {
                    throw refuse(PostRefusals.atomicLength(core.name, bytes));
                }
            }
            case LOCAL_INV, BIND_MW, FLUSH, ATOMIC_WRITE -> {
                if (elements != 0) {
                    throw refuse(PostRefusals.noElements(core.name, WorkRequestOpcode.of(opcode)));
                }
            }
            case RDMA_WRITE,
                    RDMA_WRITE_WITH_IMM,
                    SEND,
                    SEND_WITH_IMM,
                    SEND_WITH_INV,
                    RDMA_READ,
                    TSO,
                    DRIVER1,
                    UNKNOWN -> {}
        }
    }

    /** The batch works on a window until it is submitted or abandoned. */
    final void stage(MemoryWindow window) {
        switch (window.stage(this)) {
            case KNOWN -> {}
            case NEW -> {
                window.nextStaged = windows;
                windows = window;
            }
            case TAKEN -> throw refuse(PostRefusals.windowTaken(core.name, window));
        }
    }

    final void settleWindows(boolean posted) {
        while (windows != null) {
            MemoryWindow window = windows;
            windows = window.nextStaged;
            window.nextStaged = null;
            window.settle(posted);
        }
    }

    /** After this nothing of the batch can be posted. */
    final RuntimeException refuse(RuntimeException refusal) {
        broken = true;
        return refusal;
    }

    /** After this nothing of the batch can be posted. */
    final void spoil() {
        broken = true;
    }
}
