package dev.doorbell.mlx5;

import dev.doorbell.kernel.abi.mlx5.DataSegment;
import dev.doorbell.kernel.abi.mlx5.DoorbellRecord;
import dev.doorbell.memory.Padded;
import dev.doorbell.verbs.spi.ReceiveQueue;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/** What a receive queue and a shared one have in common: a batch that grows, and elements in a work request. */
abstract class ReceiveProducer extends Padded implements ReceiveQueue {
    final MemorySegment memory;
    final DoorbellRecords.Slot record;
    final DeviceStores stores;
    private final int maxSge;

    /** Work requests that the device has used; the poller's to write. */
    final AtomicInteger tail = new AtomicInteger();

    int head;
    int nextHead;

    /** Where the elements of the open work request lie, and how many there are. */
    long elements;

    int sges;

    ReceiveProducer(MemorySegment memory, DoorbellRecords.Slot record, DeviceStores stores, int maxSge) {
        this.memory = memory;
        this.record = record;
        this.stores = stores;
        this.maxSge = maxSge;
    }

    @Override
    public final int maxSge() {
        return maxSge;
    }

    @Override
    public final int outstanding() {
        // Completions say how far the device is, and may say nonsense.
        return Math.clamp(head - tail.getAcquire(), 0, capacity());
    }

    final void element(long address, int length, int lkey) {
        long segment = elements + (long) sges * DataSegment.SIZE;
        DataSegment.setLength(memory, segment, length);
        DataSegment.setKey(memory, segment, lkey);
        DataSegment.setAddr(memory, segment, address);
        sges++;
    }

    /** Ends a list that has fewer elements than fit. */
    final void terminate() {
        if (sges < maxSge) {
            element(0, 0, DataSegment.NO_KEY);
        }
    }

    final void tell(int counter) {
        stores.record(record.memory(), record.at() + DoorbellRecord.RECEIVE, counter & 0xffff);
    }

    /** Copies data that came inside a completion into the elements of a work request; false if they do not fit. */
    final boolean scatter(long list, RegionTable regions, MemorySegment from, long source, long length) {
        long left = length;
        for (int i = 0; i < maxSge && left > 0; i++) {
            long segment = list + (long) i * DataSegment.SIZE;
            if (DataSegment.key(memory, segment) == DataSegment.NO_KEY) {
                break;
            }
            long part = Math.min(left, Integer.toUnsignedLong(DataSegment.length(memory, segment)));
            if (!regions.copy(
                    from,
                    source + length - left,
                    DataSegment.key(memory, segment),
                    DataSegment.addr(memory, segment),
                    part)) {
                return false;
            }
            left -= part;
        }
        return left == 0;
    }
}
