package dev.doorbell.soft.hca;

import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue: the device's end. How completions lie in memory is its {@linkplain RingCompletionQueue kind's}
 * affair.
 *
 * <p>Thread rules: any thread. Its lock is the last one that the engine takes; the listener is called after it was
 * released. While a single half of a queue pair completes into it, that half's own lock guards it, and a completion
 * costs no other.
 */
public abstract sealed class HcaCompletionQueue extends Padded permits RingCompletionQueue, Mlx5CompletionQueue {
    private final EngineLock lock = new EngineLock(EngineLock.Level.COMPLETION_QUEUE);
    private final CompletionListener listener;
    private final boolean ignoresOverrun;

    /** Guards who completes into this queue. */
    private final Object membership = new Object();

    private int producers;
    private @Nullable EngineLock soleProducer;

    /** Whether several halves complete into it. Changed while none of them can be at it. */
    private boolean shared;

    private boolean overflown;

    /**
     * @param ignoresOverrun whether a completion that does not fit is lost without an error
     */
    HcaCompletionQueue(CompletionListener listener, boolean ignoresOverrun) {
        this.listener = listener;
        this.ignoresOverrun = ignoresOverrun;
    }

    /** Puts a completion into memory and hands it to the program; false if there is no room. With the queue guarded. */
    abstract boolean add(Completion completion);

    /**
     * Whether the completion that was just added is one for which the program wants an event; the wish is fulfilled with
     * that. With the queue guarded.
     */
    abstract boolean claimEvent(Completion completion);

    /** Changes the queue while nobody completes into it. */
    final int alone(IntSupplier change) {
        synchronized (membership) {
            EngineLock guard = guard();
            guard.lock();
            try {
                return change.getAsInt();
            } finally {
                guard.unlock();
            }
        }
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
    final boolean post(Completion completion) {
        boolean reportOverflow = false;
        boolean fire = false;
        boolean locked = shared;
        if (locked) {
            lock.lock();
        }
        boolean fits = !overflown && add(completion);
        if (fits) {
            fire = claimEvent(completion);
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
}
