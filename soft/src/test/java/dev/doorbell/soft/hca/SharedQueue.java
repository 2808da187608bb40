package dev.doorbell.soft.hca;

import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.kernel.abi.RxeSge;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/** A shared receive queue under test, the program's end of its ring, and what it reported. */
final class SharedQueue implements SharedReceiveListener {
    static final int MAX_SGE = 4;

    final Device device;
    final RingSharedReceiveQueue queue;
    int limitEvents;
    int failures;

    private Endpoint.Queue ring;

    SharedQueue(Device device, int slots) {
        this.device = device;
        this.ring = new Endpoint.Queue(device, slots, 128);
        this.queue = device.hca.createSharedReceiveQueue(ring.ring, MAX_SGE, 0, this);
    }

    /** A queue pair that takes from it. */
    Endpoint endpoint() {
        return endpoint(new Endpoint.Options());
    }

    Endpoint endpoint(Endpoint.Options options) {
        options.shared = queue;
        return device.endpoint(options);
    }

    void post(long id, Endpoint.Sge... elements) {
        long at = ring.slot();
        MemorySegment memory = ring.memory();
        RxeRecvWqe.setWrId(memory, at, id);
        RxeRecvWqe.setDmaNumSge(memory, at, elements.length);
        for (int index = 0; index < elements.length; index++) {
            long element = RxeRecvWqe.sge(at, index);
            RxeSge.setAddr(memory, element, elements[index].address());
            RxeSge.setLength(memory, element, elements[index].length());
            RxeSge.setLkey(memory, element, elements[index].key());
        }
        ring.publish();
    }

    /** Posts a work request that claims to have more elements than the queue allows. */
    void postMalformed(long id) {
        RxeRecvWqe.setWrId(ring.memory(), ring.slot(), id);
        RxeRecvWqe.setDmaNumSge(ring.memory(), ring.slot(), MAX_SGE + 1);
        ring.publish();
    }

    boolean isFull() {
        return ring.ring.free(ring.index, ring.ring.consumerAcquire()) == 0;
    }

    int waiting() {
        return ring.ring.count(ring.index, ring.ring.consumerAcquire());
    }

    /** Overwrites the whole ring, as a hostile or early program does. */
    void scribble() {
        ring.memory().asSlice(384).fill((byte) 0x5a);
    }

    /** Fills the ring with nonsense, some of it nearly sense, and says that some of it was posted. */
    void scramble(SplittableRandom random, Endpoint.Sge good) {
        MemorySegment memory = ring.memory();
        for (int slot = 0; slot <= ring.ring.capacity(); slot++) {
            post(random.nextLong(), good, good);
            long at = ring.ring.offset(ring.index - 1);
            for (int flip = random.nextInt(6); flip > 0; flip--) {
                long offset = at + random.nextInt(128);
                Host.setByte(memory, offset, Host.getUnsignedByte(memory, offset) ^ 1 << random.nextInt(8));
            }
        }
        Host.setInt(memory, 128, random.nextInt());
        Host.setInt(memory, 256, random.nextInt());
    }

    int resize(int slots, int capacity) {
        Endpoint.Queue next = new Endpoint.Queue(device, slots, 128);
        int errno = queue.resize(next.ring, capacity);
        if (errno == 0) {
            next.index = next.ring.producerAcquire();
            ring = next;
        }
        return errno;
    }

    int resize(int slots) {
        return resize(slots, slots - 1);
    }

    @Override
    public void limitReached() {
        limitEvents++;
    }

    @Override
    public void failed() {
        failures++;
    }
}
