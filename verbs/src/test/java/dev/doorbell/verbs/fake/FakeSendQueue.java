package dev.doorbell.verbs.fake;

import dev.doorbell.kernel.Doorbell;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.SendQueue;
import java.lang.foreign.MemorySegment;

/** A send queue that keeps what was written. Allocates nothing while it is used. */
public final class FakeSendQueue implements SendQueue {
    /** One work request as it was written. */
    public static final class Request {
        public long id;
        public int opcode;
        public int flags;
        public int elements;
        public long bytes;
        public int inlineBytes;
        public long address;
        public int rkey;
        public int immediate;
        public long compareOrAdd;
        public long swap;
        public long lastAddress;
        public int lastLkey;
    }

    /** Whether the device executes at once; otherwise work requests stay outstanding. */
    public volatile boolean executes;

    /** How often the doorbell was rung. */
    public int doorbells;

    private final FakeQueuePair queuePair;
    private final FakeCompletionQueue completions;
    private final Doorbell doorbell;
    private final QueuePairCapacity capacity;
    private final boolean signalAll;
    private final Request[] ring;
    private int written;
    private int released;
    private int retired;
    private int late;

    FakeSendQueue(
            FakeQueuePair queuePair,
            FakeCompletionQueue completions,
            Doorbell doorbell,
            QueuePairCapacity capacity,
            boolean signalAll) {
        this.queuePair = queuePair;
        this.completions = completions;
        this.doorbell = doorbell;
        this.capacity = capacity;
        this.signalAll = signalAll;
        this.ring = new Request[capacity.maxSendRequests() + 1];
        for (int i = 0; i < ring.length; i++) {
            ring[i] = new Request();
        }
    }

    /** The n-th work request that was ever posted, from 0; while it is in the ring. */
    public Request posted(int index) {
        if (index >= released) {
            throw new IllegalArgumentException("only " + released + " were posted");
        }
        return ring[index & ring.length - 1];
    }

    /** How many were ever posted. */
    public int count() {
        return released;
    }

    /** Executes what is outstanding, successfully. */
    public void execute() {
        finish(WorkCompletionStatus.SUCCESS);
    }

    /** Reports the oldest work request as flushed, without getting round to retiring it before the queue pair goes. */
    public void reportLate() {
        Request request = ring[retired + late & ring.length - 1];
        completions.complete(request.id, WorkCompletionStatus.WR_FLUSH_ERR.code(), queuePair.number(), 0, 0);
        late++;
    }

    /** The queue pair was destroyed: what was reported is retired by now. */
    void settle() {
        retired += late;
        late = 0;
    }

    void flush() {
        finish(WorkCompletionStatus.WR_FLUSH_ERR);
    }

    private void finish(WorkCompletionStatus status) {
        while (retired != released) {
            Request request = ring[retired & ring.length - 1];
            if (signalAll || SendFlag.SIGNALED.isIn(request.flags) || !status.isSuccess()) {
                completions.complete(
                        request.id, status.code(), queuePair.number(), completionOpcode(request.opcode), (int)
                                request.bytes);
            }
            retired++;
        }
    }

    private static int completionOpcode(int opcode) {
        return switch (WorkRequestOpcode.of(opcode)) {
            case SEND, SEND_WITH_IMM -> 0;
            case RDMA_READ -> 2;
            case ATOMIC_CMP_AND_SWP -> 3;
            case ATOMIC_FETCH_AND_ADD -> 4;
            default -> 1;
        };
    }

    void reset() {
        written = 0;
        released = 0;
        retired = 0;
    }

    private Request open() {
        queuePair.checkMapped();
        return ring[written & ring.length - 1];
    }

    @Override
    public int capacity() {
        return capacity.maxSendRequests();
    }

    @Override
    public int maxSge() {
        return capacity.maxSendSge();
    }

    @Override
    public int maxInline() {
        return capacity.maxInline();
    }

    @Override
    public int outstanding() {
        return released - retired;
    }

    @Override
    public void begin() {
        queuePair.checkMapped();
        written = released;
    }

    @Override
    public boolean request(long id, int opcode) {
        if (written - retired == capacity()) {
            return false;
        }
        Request request = open();
        request.id = id;
        request.opcode = opcode;
        request.flags = 0;
        request.elements = 0;
        request.bytes = 0;
        request.inlineBytes = 0;
        return true;
    }

    @Override
    public void flags(int sendFlags) {
        open().flags = sendFlags;
    }

    @Override
    public void remote(long address, int rkey) {
        open().address = address;
        open().rkey = rkey;
    }

    @Override
    public void immediate(int value) {
        open().immediate = value;
    }

    @Override
    public void invalidate(int rkey) {
        open().rkey = rkey;
    }

    @Override
    public void atomic(long address, int rkey, long compareOrAdd, long swap) {
        remote(address, rkey);
        open().compareOrAdd = compareOrAdd;
        open().swap = swap;
    }

    @Override
    public void datagram(int addressHandle, int remoteQueuePair, int remoteQkey) {
        throw new IllegalStateException("no datagrams here");
    }

    @Override
    public void sge(long address, int length, int lkey) {
        Request request = open();
        request.elements++;
        request.bytes += Integer.toUnsignedLong(length);
        request.lastAddress = address;
        request.lastLkey = lkey;
    }

    @Override
    public void inline(MemorySegment source, long offset, int length) {
        if (length > 0 && offset + length > source.byteSize()) {
            throw new IndexOutOfBoundsException("inline source has " + source.byteSize() + " bytes");
        }
        open().inlineBytes += length;
    }

    @Override
    public void seal() {
        open();
        written++;
    }

    @Override
    public int commit() {
        queuePair.checkMapped();
        released = written;
        doorbells++;
        if (executes) {
            execute();
        }
        return doorbell.ring();
    }
}
