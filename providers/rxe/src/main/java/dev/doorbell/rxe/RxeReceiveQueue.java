package dev.doorbell.rxe;

import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.kernel.abi.RxeSge;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.verbs.spi.ReceiveQueue;
import java.lang.foreign.MemorySegment;

/**
 * The producer's end of a receive ring, or shared receive ring. There is no doorbell: the kernel looks into the ring
 * when a message comes.
 *
 * <p>Thread rules: calls are serialised by the caller.
 */
final class RxeReceiveQueue implements ReceiveQueue {
    private final int maxSge;
    private final int capacity;

    private SharedRing ring;
    private MemorySegment memory;

    /** The producer's index as the kernel knows it. */
    private int posted;
    /** The producer's index that a commit would release. */
    private int next;
    /** The consumer's index when it was looked at last. */
    private int consumer;

    /** Where the open work request lies in the ring. */
    private long at;

    private int length;
    private int sges;

    RxeReceiveQueue(SharedRing ring, int maxSge) {
        this.ring = ring;
        this.memory = ring.memory();
        this.maxSge = maxSge;
        this.capacity = ring.capacity();
        synchronise();
    }

    /** Takes both indices as they stand in the ring: the kernel has just made it, or reset it. */
    void synchronise() {
        posted = ring.producerAcquire();
        next = posted;
        consumer = ring.consumerAcquire();
    }

    /** Lets go of the ring: from now on the queue is full. */
    void detach() {
        ring = MappedRing.GONE;
        memory = ring.memory();
        at = ring.offset(0);
        synchronise();
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public int maxSge() {
        return maxSge;
    }

    @Override
    public int outstanding() {
        consumer = ring.consumerAcquire();
        return ring.count(posted, consumer);
    }

    @Override
    public void begin() {
        next = posted;
    }

    @Override
    public boolean request(long id) {
        if (ring.free(next, consumer) == 0 && !findRoom()) {
            return false;
        }
        long slot = ring.offset(next);
        at = slot;
        length = 0;
        sges = 0;
        RxeRecvWqe.setWrId(memory, slot, id);
        RxeRecvWqe.setDmaCurSge(memory, slot, 0);
        RxeRecvWqe.setDmaSgeOffset(memory, slot, 0);
        return true;
    }

    private boolean findRoom() {
        consumer = ring.consumerAcquire();
        return ring.free(next, consumer) != 0;
    }

    @Override
    public void sge(long address, int length, int lkey) {
        assert sges < maxSge : "elements are limited to " + maxSge;
        long element = RxeRecvWqe.sge(at, sges);
        RxeSge.setAddr(memory, element, address);
        RxeSge.setLength(memory, element, length);
        RxeSge.setLkey(memory, element, lkey);
        sges++;
        this.length += length;
    }

    @Override
    public void seal() {
        RxeRecvWqe.setDmaLength(memory, at, length);
        RxeRecvWqe.setDmaResid(memory, at, length);
        RxeRecvWqe.setDmaNumSge(memory, at, sges);
        next = ring.next(next);
    }

    @Override
    public void commit() {
        if (next != posted) {
            posted = next;
            ring.producerRelease(next);
        }
    }
}
