package dev.doorbell.rxe;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Progress;
import dev.doorbell.kernel.abi.DoorbellClock;
import dev.doorbell.kernel.abi.ReqNotifyCq;
import dev.doorbell.kernel.abi.RxeCqe;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.memory.Padded;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.spec.WorkCompletionFlag;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import dev.doorbell.verbs.uverbs.Command;
import dev.doorbell.verbs.uverbs.Destroy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The consumer's end of a completion ring, with a cursor over it. Fields are read from the ring while the cursor stands
 * on their completion; moving on gives the slot back.
 *
 * <p>Thread rules: calls are serialised by the caller, but for {@link #arm}, which touches nothing that polling does.
 */
final class RxeCompletionQueue extends Padded implements ProviderCompletionQueue {
    private static final int WITH_INV = WorkCompletionFlag.WITH_INV.bit();

    private final CommandChannel channel;
    private final int handle;
    private final boolean timestamps;
    /** The two requests of REQ_NOTIFY_CQ, for any and for solicited completions; nobody writes them again. */
    private final MemorySegment armAny;

    private final MemorySegment armSolicited;

    private MappedRing mapped;
    private SharedRing ring;
    private MemorySegment memory;
    private Progress progress;
    private boolean closed;

    /** The own index: everything before it was given back. */
    private int consumer;
    /** The producer's index when it was looked at last. */
    private int producer;
    /** Where the completion under the cursor lies in the ring. */
    private long at;
    /** Whether the cursor stands on a completion. */
    private boolean onCompletion;

    RxeCompletionQueue(CommandChannel channel, int handle, MappedRing mapped) {
        this(channel, handle, mapped, false);
    }

    RxeCompletionQueue(CommandChannel channel, int handle, MappedRing mapped, boolean timestamps) {
        this.timestamps = timestamps;
        this.channel = channel;
        this.handle = handle;
        this.mapped = mapped;
        this.ring = mapped.ring();
        this.memory = ring.memory();
        this.progress = channel.progress();
        this.armAny = armRequest(handle, false);
        this.armSolicited = armRequest(handle, true);
        attach(mapped.ring());
    }

    private static MemorySegment armRequest(int handle, boolean solicitedOnly) {
        MemorySegment request = Arena.ofAuto().allocate(ReqNotifyCq.SIZE, 8);
        ReqNotifyCq.setCqHandle(request, 0, handle);
        ReqNotifyCq.setSolicitedOnly(request, 0, solicitedOnly ? 1 : 0);
        return request;
    }

    private void attach(SharedRing next) {
        ring = next;
        memory = next.memory();
        consumer = next.consumerAcquire();
        producer = next.producerAcquire();
        at = next.offset(consumer);
        onCompletion = false;
    }

    @Override
    public int handle() {
        return handle;
    }

    @Override
    public int capacity() {
        return mapped.ring().capacity();
    }

    @Override
    public boolean next() {
        if (onCompletion) {
            release();
        }
        if (consumer == producer && !look()) {
            return false;
        }
        at = ring.offset(consumer);
        onCompletion = true;
        return true;
    }

    /** Looks for completions that came since the last look: before and after lending this thread to the device. */
    private boolean look() {
        producer = ring.producerAcquire();
        if (producer != consumer) {
            return true;
        }
        progress.poll();
        producer = ring.producerAcquire();
        return producer != consumer;
    }

    private void release() {
        onCompletion = false;
        consumer = ring.next(consumer);
        ring.consumerRelease(consumer);
    }

    @Override
    public void end() {
        if (onCompletion) {
            release();
        }
    }

    @Override
    public long id() {
        return RxeCqe.wrId(memory, at);
    }

    @Override
    public int status() {
        return RxeCqe.status(memory, at);
    }

    @Override
    public int vendorError() {
        return RxeCqe.vendorErr(memory, at);
    }

    @Override
    public int queuePairNumber() {
        return RxeCqe.qpNum(memory, at);
    }

    @Override
    public int opcode() {
        return RxeCqe.opcode(memory, at);
    }

    @Override
    public long byteLength() {
        return RxeCqe.byteLen(memory, at);
    }

    @Override
    public int flags() {
        int flags = RxeCqe.wcFlags(memory, at);
        return (flags & RxeCqe.WITH_INVALIDATE) == 0 ? flags : flags ^ RxeCqe.WITH_INVALIDATE | WITH_INV;
    }

    @Override
    public int immediate() {
        return (RxeCqe.wcFlags(memory, at) & RxeCqe.WITH_INVALIDATE) != 0
                ? RxeCqe.invalidateRkey(memory, at)
                : RxeCqe.immData(memory, at);
    }

    @Override
    public int sourceQueuePair() {
        return RxeCqe.srcQp(memory, at);
    }

    @Override
    public int slid() {
        return RxeCqe.slid(memory, at);
    }

    @Override
    public int serviceLevel() {
        return RxeCqe.sl(memory, at);
    }

    @Override
    public int dlidPathBits() {
        return RxeCqe.dlidPathBits(memory, at);
    }

    @Override
    public boolean hasTimestamps() {
        return timestamps;
    }

    @Override
    public long timestamp() {
        if (!timestamps) {
            throw VerbsFault.unsupported("timestamps of a completion queue without them");
        }
        return DoorbellClock.stamp(memory, at);
    }

    @Override
    public int pkeyIndex() {
        return RxeCqe.pkeyIndex(memory, at);
    }

    @Override
    public void arm(boolean solicitedOnly) {
        MemorySegment request = solicitedOnly ? armSolicited : armAny;
        int errno = channel.invoke(
                UverbsCommand.REQ_NOTIFY_CQ, request, MemorySegment.NULL, MemorySegment.NULL, MemorySegment.NULL);
        Command.check(errno, UverbsCommand.REQ_NOTIFY_CQ);
    }

    @Override
    public void resize(int entries) {
        // The kernel moves what lies between the indices: the completion under the cursor must not come twice.
        end();
        MappedRing resized;
        try {
            resized = CompletionQueueCommands.resize(channel, handle, entries, timestamps);
        } catch (VerbsFault e) {
            if (e.isLostRing()) {
                lose(e);
            }
            throw e;
        }
        MappedRing old = mapped;
        mapped = resized;
        attach(resized.ring());
        progress = channel.progress();
        old.unmap(channel);
    }

    /**
     * The kernel writes elsewhere from now on: a ring that is always empty, and whoever finds it empty is told why. Another
     * resize mends it, as the kernel then moves what has come into a ring that can be mapped.
     */
    private void lose(VerbsFault loss) {
        attach(MappedRing.GONE);
        progress = () -> {
            throw VerbsFault.lostRing("poll", loss);
        };
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        int errno = CompletionQueueCommands.destroy(channel, handle);
        if (!Destroy.keeps(errno)) {
            closed = true;
            progress = Progress.NONE;
            attach(MappedRing.GONE);
            if (Destroy.mappingsRemain(errno)) {
                mapped.unmap(channel);
            }
        }
        Command.check(errno, UverbsCommand.DESTROY_CQ);
    }
}
