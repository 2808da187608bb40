package dev.doorbell.verbs.fake;

import dev.doorbell.spec.WorkCompletionFlag;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.ReceiveQueue;

/** A receive queue that keeps identifiers and counts the rest. Allocates nothing while it is used. */
public final class FakeReceiveQueue implements ReceiveQueue {
    private final FakeQueuePair queuePair;
    private final FakeCompletionQueue completions;
    private final QueuePairCapacity capacity;
    private final long[] ids;
    private int written;
    private int released;
    private int retired;

    FakeReceiveQueue(FakeQueuePair queuePair, FakeCompletionQueue completions, QueuePairCapacity capacity) {
        this.queuePair = queuePair;
        this.completions = completions;
        this.capacity = capacity;
        this.ids = new long[capacity.maxReceiveRequests() + 1];
    }

    /** Fills the oldest receive, as a message with immediate data does. */
    public void deliver(int length, int immediate) {
        completions.complete(
                ids[retired & ids.length - 1],
                WorkCompletionStatus.SUCCESS.code(),
                queuePair.number(),
                WorkCompletionOpcode.RECV.code(),
                length,
                WorkCompletionFlag.WITH_IMM.bit(),
                immediate);
        retired++;
    }

    void flush() {
        while (retired != released) {
            completions.complete(
                    ids[retired & ids.length - 1],
                    WorkCompletionStatus.WR_FLUSH_ERR.code(),
                    queuePair.number(),
                    WorkCompletionOpcode.RECV.code(),
                    0);
            retired++;
        }
    }

    void reset() {
        written = 0;
        released = 0;
        retired = 0;
    }

    @Override
    public int capacity() {
        return capacity.maxReceiveRequests();
    }

    @Override
    public int maxSge() {
        return capacity.maxReceiveSge();
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
    public boolean request(long id) {
        queuePair.checkMapped();
        if (written - retired == capacity()) {
            return false;
        }
        ids[written & ids.length - 1] = id;
        return true;
    }

    @Override
    public void sge(long address, int length, int lkey) {
        queuePair.checkMapped();
    }

    @Override
    public void seal() {
        written++;
    }

    @Override
    public int commit() {
        queuePair.checkMapped();
        released = written;
        return 0;
    }
}
