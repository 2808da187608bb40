package dev.doorbell.soft.hca;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.DoorbellClock;
import dev.doorbell.kernel.abi.RxeCqe;
import dev.doorbell.memory.Shared;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.spec.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue: the device's end of a ring of completions.
 *
 * <p>Thread rules: any thread. Its lock is the last one that the engine takes; the listener is called after it was
 * released. While a single half of a queue pair completes into it, that half's own lock guards it, and a completion
 * costs no other.
 */
public final class HcaCompletionQueue extends Padded {
    private final EngineLock lock = new EngineLock(EngineLock.Level.COMPLETION_QUEUE);
    private final WorkRequestFormat format = RxeFormat.INSTANCE;
    private final CompletionListener listener;

    /** Whose clock stamps completions; null if they have no stamp. */
    private final @Nullable Hca clock;

    private final boolean ignoresOverrun;

    /** Guards who completes into this queue. */
    private final Object membership = new Object();

    private int producers;
    private @Nullable EngineLock soleProducer;

    /** Whether several halves complete into it. Changed while none of them can be at it. */
    private boolean shared;

    private SharedRing ring;
    private int capacity;
    private int producer;
    private int consumer;
    private Arming arming = Arming.NONE;
    private boolean overflown;

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

    HcaCompletionQueue(SharedRing ring, int capacity, CompletionListener listener, Options options) {
        if (capacity < 1 || capacity > ring.capacity()) {
            throw new IllegalArgumentException(
                    capacity + " completions do not fit in a ring of " + ring.capacity() + " elements");
        }
        this.ring = ring;
        this.capacity = capacity;
        this.listener = listener;
        this.clock = options.clock;
        this.ignoresOverrun = options.ignoresOverrun;
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
        synchronized (membership) {
            EngineLock guard = guard();
            guard.lock();
            if (!solicitedOnly) {
                arming = Arming.ANY;
            } else if (arming == Arming.NONE) {
                arming = Arming.SOLICITED;
            }
            guard.unlock();
        }
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
        synchronized (membership) {
            EngineLock guard = guard();
            guard.lock();
            int errno = move(next, asked);
            guard.unlock();
            return errno;
        }
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

    /** A half of a queue pair will complete into this queue, with its lock held. */
    void attach(EngineLock producer) {
        synchronized (membership) {
            EngineLock sole = soleProducer;
            if (producers++ == 0) {
                soleProducer = producer;
                shared = false;
            } else if (!shared && sole != null) {
                sole.lock();
                shared = true;
                sole.unlock();
            }
        }
    }

    /** That half is gone. */
    void detach() {
        synchronized (membership) {
            if (--producers == 0) {
                soleProducer = null;
            }
        }
    }

    /** What keeps completions out for now. */
    private EngineLock guard() {
        EngineLock sole = soleProducer;
        return shared || sole == null ? lock : sole;
    }

    /**
     * Adds a completion and reports it if the queue is armed for it. With the lock of the half that completes.
     *
     * @return false if it does not fit; the queue is in error from then on
     */
    boolean post(Completion completion) {
        boolean reportOverflow = false;
        boolean fire = false;
        boolean locked = shared;
        if (locked) {
            lock.lock();
        }
        boolean fits = !overflown && hasRoom();
        if (fits) {
            format.encodeCompletion(ring.memory(), ring.offset(producer), completion);
            Hca stamps = clock;
            if (stamps != null) {
                DoorbellClock.setStamp(ring.memory(), ring.offset(producer), stamps.nowNs());
            }
            producer = ring.next(producer);
            ring.producerRelease(producer);
            claimNext();
            fire = arming != Arming.NONE && fires(completion);
            if (fire) {
                arming = Arming.NONE;
            }
        } else if (!ignoresOverrun) {
            reportOverflow = !overflown;
            overflown = true;
        }
        if (locked) {
            lock.unlock();
        }
        if (fire) {
            listener.completion();
        } else if (reportOverflow) {
            listener.overflow();
        }
        return fits || ignoresOverrun;
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
