package dev.doorbell.mlx5;

import dev.doorbell.kernel.abi.mlx5.SrqNextSegment;
import dev.doorbell.memory.SpinLock;
import java.lang.foreign.MemorySegment;

/**
 * The work requests of a shared receive queue: a list through links that the device follows. It takes them from the front of the list, in
 * completions it says which it used, in any order, and those go to the end. The last free one is never handed out, so that
 * the device always has a link to follow.
 *
 * <pre>
 *   device's ─▶ ... ─▶ posted ─▶ head ─▶ free ─▶ ... ─▶ free ─▶ last
 * </pre>
 *
 * <p>Thread rules: posting is serialised by the caller; completions come from several pollers, so the list has a lock.
 */
final class Mlx5SharedReceives extends ReceiveProducer {
    private static final int MAX_SGE_OFFSET = SrqNextSegment.SIZE;

    private final SharedQueueShape shape;
    private final long[] ids;
    private final SpinLock lock = new SpinLock();
    /** The first free work request, and the last. */
    private int first;

    private int last;
    private int next;
    private int counter;
    private int used;

    Mlx5SharedReceives(MemorySegment memory, SharedQueueShape shape, DoorbellRecords.Slot record, DeviceStores stores) {
        super(memory, record, stores, shape.maxSge());
        this.shape = shape;
        this.ids = new long[shape.entries()];
        this.last = shape.requests();
        for (int i = 0; i < shape.entries(); i++) {
            boolean end = i == shape.requests() || i == shape.entries() - 1;
            SrqNextSegment.setNext(memory, at(i), end ? 0 : i + 1);
        }
    }

    /** Where a work request lies. */
    long at(int index) {
        return (long) index << shape.shift();
    }

    /** The work request behind another. */
    int link(int index) {
        return SrqNextSegment.next(memory, at(index)) & shape.entries() - 1;
    }

    @Override
    public int capacity() {
        return shape.requests();
    }

    @Override
    public void begin() {
        next = first;
        nextHead = head;
    }

    @Override
    public boolean request(long id) {
        lock.lock();
        try {
            if (next == last) {
                return false;
            }
        } finally {
            lock.unlock();
        }
        ids[next] = id;
        elements = at(next) + MAX_SGE_OFFSET;
        sges = 0;
        return true;
    }

    /** Elements without bytes are written as they are. */
    @Override
    public void sge(long address, int length, int lkey) {
        element(address, length, lkey);
    }

    @Override
    public void seal() {
        terminate();
        next = link(next);
        nextHead++;
    }

    @Override
    public int commit() {
        int count = nextHead - head;
        if (count > 0) {
            first = next;
            head = nextHead;
            counter += count;
            tell(counter);
        }
        return 0;
    }

    /** The device has used that work request. Returns its identifier. */
    long retire(int index) {
        int entry = index & shape.entries() - 1;
        long id = ids[entry];
        lock.lock();
        try {
            SrqNextSegment.setNext(memory, at(last), entry);
            last = entry;
            used++;
            tail.setRelease(used);
        } finally {
            lock.unlock();
        }
        return id;
    }

    /** Copies data of a completion into that work request, before it is retired. */
    boolean scatterInto(int index, RegionTable regions, MemorySegment from, long source, long length) {
        long list = at(index & shape.entries() - 1) + MAX_SGE_OFFSET;
        return scatter(list, regions, from, source, length);
    }
}
