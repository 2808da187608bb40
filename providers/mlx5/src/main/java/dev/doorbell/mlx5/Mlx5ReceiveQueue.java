package dev.doorbell.mlx5;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.mlx5.DoorbellRecord;
import java.lang.foreign.MemorySegment;

/**
 * A receive queue of a queue pair. The device takes work requests in order and learns of them by the doorbell record alone.
 *
 * <p>Thread rules: calls are serialised by the caller, but for {@link #retire}, which the poller of completions calls.
 */
final class Mlx5ReceiveQueue extends ReceiveProducer {
    private final int shift;
    private final int mask;
    private final long[] ids;
    private volatile boolean open;

    Mlx5ReceiveQueue(MemorySegment memory, ReceiveQueueShape shape, DoorbellRecords.Slot record, DeviceStores stores) {
        super(memory, record, stores, shape.maxSge());
        this.shift = shape.shift();
        this.mask = shape.requests() - 1;
        this.ids = new long[shape.requests()];
    }

    @Override
    public int capacity() {
        return ids.length;
    }

    @Override
    public void begin() {
        nextHead = head;
    }

    @Override
    public boolean request(long id) {
        if (nextHead - head + outstanding() >= ids.length) {
            return false;
        }
        ids[nextHead & mask] = id;
        elements = (long) (nextHead & mask) << shift;
        sges = 0;
        return true;
    }

    /** An element without bytes is left out: length 0 does not mean that. */
    @Override
    public void sge(long address, int length, int lkey) {
        if (length != 0) {
            element(address, length, lkey);
        }
    }

    @Override
    public void seal() {
        terminate();
        nextHead++;
    }

    @Override
    public int commit() {
        if (nextHead == head) {
            return 0;
        }
        if (!open) {
            nextHead = head;
            return Errno.EINVAL;
        }
        head = nextHead;
        tell(head);
        return 0;
    }

    /** The device takes work requests from now on, or no more. */
    void setOpen(boolean open) {
        this.open = open;
    }

    /** The queue pair was reset: everything begins anew. */
    void reset() {
        head = 0;
        nextHead = 0;
        tail.setRelease(0);
        record.memory()
                .asSlice(record.at() + DoorbellRecord.RECEIVE, Integer.BYTES)
                .fill((byte) 0);
    }

    /** The oldest work request is used. Returns its identifier. */
    long retire() {
        int oldest = tail.getPlain();
        tail.setRelease(oldest + 1);
        return ids.length == 0 ? 0 : ids[oldest & mask];
    }

    /** Copies data of a completion into the oldest work request, before it is retired. */
    boolean scatterOldest(RegionTable regions, MemorySegment from, long source, long length) {
        long list = (long) (tail.getPlain() & mask) << shift;
        return ids.length > 0 && scatter(list, regions, from, source, length);
    }
}
