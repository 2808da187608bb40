package dev.doorbell.soft.hca;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.DoorbellClock;
import dev.doorbell.kernel.abi.RxeCqe;
import dev.doorbell.memory.Shared;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.spec.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A completion queue as rxe has them: a ring in which both sides say how far they are, armed by command. */
public final class RingCompletionQueue extends HcaCompletionQueue {
    private final WorkRequestFormat format = RxeFormat.INSTANCE;

    /** Whose clock stamps completions; null if they have no stamp. */
    private final @Nullable Hca clock;

    private SharedRing ring;
    private int capacity;
    private int producer;
    private int consumer;
    private Arming arming = Arming.NONE;

    private enum Arming {
        NONE,
        SOLICITED,
        ANY
    }

    /**
     * What a queue may have that others have not.
     *
     * @param clock whose clock stamps its completions, or null
     * @param ignoresOverrun whether a completion that does not fit is lost without an error
     */
    record Options(@Nullable Hca clock, boolean ignoresOverrun) {}

    RingCompletionQueue(SharedRing ring, int capacity, CompletionListener listener, Options options) {
        super(listener, options.ignoresOverrun);
        if (capacity < 1 || capacity > ring.capacity()) {
            throw new IllegalArgumentException(
                    capacity + " completions do not fit in a ring of " + ring.capacity() + " elements");
        }
        this.ring = ring;
        this.capacity = capacity;
        this.clock = options.clock;
        if (clock != null && ring.elementSize() < RxeCqe.SIZE + Long.BYTES) {
            throw new IllegalArgumentException("a ring element of " + ring.elementSize() + " bytes holds no timestamp");
        }
    }

    /**
     * Asks for one event at the next completion. Asking for any completion outweighs asking for solicited ones.
     *
     * @param solicitedOnly whether only a solicited or a failed one counts
     */
    public void arm(boolean solicitedOnly) {
        alone(() -> {
            if (!solicitedOnly) {
                arming = Arming.ANY;
            } else if (arming == Arming.NONE) {
                arming = Arming.SOLICITED;
            }
            return 0;
        });
    }

    /**
     * Moves the queue, with the completions that wait in it, to another ring, and gives it that ring's capacity. Queue
     * pairs may complete into it meanwhile; the program must not poll.
     *
     * @param next an empty ring
     * @param asked completions that it was asked to hold; more than that must not wait
     * @return 0, or EINVAL if more wait
     */
    public int resize(SharedRing next, int asked) {
        if (asked < 1 || asked > next.capacity() || next.elementSize() < ring.elementSize()) {
            return Errno.EINVAL;
        }
        return alone(() -> move(next, asked));
    }

    private int move(SharedRing next, int asked) {
        consumer = ring.consumerAcquire();
        int waiting = ring.count(producer, consumer);
        if (waiting > asked) {
            return Errno.EINVAL;
        }
        int to = 0;
        for (int from = consumer; from != producer; from = ring.next(from)) {
            MemorySegment.copy(ring.memory(), ring.offset(from), next.memory(), next.offset(to), ring.elementSize());
            to = next.next(to);
        }
        ring = next;
        capacity = next.capacity();
        producer = to;
        consumer = 0;
        next.producerRelease(producer);
        return 0;
    }

    @Override
    boolean add(Completion completion) {
        if (!hasRoom()) {
            return false;
        }
        format.encodeCompletion(ring.memory(), ring.offset(producer), completion);
        Hca stamps = clock;
        if (stamps != null) {
            DoorbellClock.setStamp(ring.memory(), ring.offset(producer), stamps.nowNs());
        }
        producer = ring.next(producer);
        ring.producerRelease(producer);
        claimNext();
        return true;
    }

    @Override
    boolean claimEvent(Completion completion) {
        boolean fire = arming != Arming.NONE && fires(completion);
        if (fire) {
            arming = Arming.NONE;
        }
        return fire;
    }

    /**
     * Takes the cache line of the next element away from the program, which read it a round ago, while nobody waits for
     * it. The element is the device's as long as the ring is not full, and nobody reads it before it is handed over.
     */
    private void claimNext() {
        if (ring.count(producer, consumer) < capacity) {
            Shared.setIntRelease(ring.memory(), ring.offset(producer), 0);
        }
    }

    private boolean hasRoom() {
        if (ring.count(producer, consumer) < capacity) {
            return true;
        }
        consumer = ring.consumerAcquire();
        return ring.count(producer, consumer) < capacity;
    }

    /** Rule 3.11: armed for solicited completions, a queue also fires for failed ones. */
    private boolean fires(Completion completion) {
        return arming == Arming.ANY || completion.solicited || completion.status != WorkCompletionStatus.SUCCESS;
    }
}
