package dev.doorbell.rxe;

import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.kernel.abi.RxeSge;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.verbs.spi.ReceiveQueue;

/**
 * The producer's end of a receive ring, or shared receive ring. There is no doorbell: the kernel looks into the ring
 * when a message comes.
 *
 * <p>Thread rules: calls are serialised by the caller.
 */
final class RxeReceiveQueue extends RingProducer implements ReceiveQueue {
    /** Where the open work request lies in the ring. */
    private long at;

    private int length;
    private int sges;

    RxeReceiveQueue(SharedRing ring, int maxSge) {
        super(ring, maxSge);
    }

    @Override
    void detach(boolean mapped) {
        super.detach(mapped);
        at = 0;
    }

    @Override
    public boolean request(long id) {
        if (!hasRoom()) {
            return false;
        }
        long slot = slot();
        at = slot;
        length = 0;
        sges = 0;
        RxeRecvWqe.setWrId(memory, slot, id);
        return true;
    }

    @Override
    public void sge(long address, int length, int lkey) {
        assert sges < maxSge() : "elements are limited to " + maxSge();
        long element = RxeRecvWqe.sge(at, sges);
        RxeSge.set(memory, element, address, length, lkey);
        sges++;
        this.length += length;
    }

    @Override
    public void seal() {
        RxeRecvWqe.setMessage(memory, at, length, sges);
        append();
    }

    @Override
    public int commit() {
        release();
        return 0;
    }
}
