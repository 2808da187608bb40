package dev.doorbell.verbs;

import dev.doorbell.kernel.abi.CompletionEvent;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.channels.SelectableChannel;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Events of completion queues on their way from a channel's file to those who wait: whoever waits, for whichever queue,
 * reads what is there for all.
 *
 * <pre>
 *   file ── drain ──▶ by cookie ──┬─▶ the queue's wake-ups: threads in CompletionQueue.await
 *                                 └─▶ pending, once a queue: threads in CompletionChannel.await, a selector
 * </pre>
 *
 * <p>It never refers to a queue strongly, so that a queue can be lost and freed.
 */
final class ChannelEvents implements AutoCloseable {
    /** One completion queue, as its channel knows it. */
    static final class Subscriber {
        final long cookie;
        final Wakeups wakeups = new Wakeups();
        private final AtomicLong acknowledged = new AtomicLong();
        private final AtomicBoolean pending = new AtomicBoolean();
        private volatile @Nullable WeakReference<CompletionQueue> queue;

        private Subscriber(long cookie) {
            this.cookie = cookie;
        }

        /** Connects the queue, before it is armed for the first time. */
        void connect(CompletionQueue value) {
            queue = new WeakReference<>(value);
        }

        /** Events that were taken from the kernel: none of them keeps the queue from being destroyed. */
        long acknowledged() {
            return acknowledged.get();
        }
    }

    private final EventInbox inbox;
    private final boolean isShared;
    private final Map<Long, Subscriber> subscribers = new ConcurrentHashMap<>();
    private final Queue<Subscriber> pending = new ConcurrentLinkedQueue<>();
    private final Wakeups arrivals = new Wakeups();

    /**
     * @param isShared whether a program can ask which queue has an event; if not, only the queues' own waiters do
     */
    ChannelEvents(EventInbox inbox, boolean isShared) {
        this.inbox = inbox;
        this.isShared = isShared;
    }

    int descriptor() {
        return inbox.descriptor();
    }

    Subscriber subscribe(long cookie) {
        Subscriber subscriber = new Subscriber(cookie);
        subscribers.put(cookie, subscriber);
        return subscriber;
    }

    /** The queue is gone: events of it that are still on their way are dropped. */
    void unsubscribe(Subscriber subscriber) {
        subscribers.remove(subscriber.cookie);
        subscriber.wakeups.happened();
    }

    /** Takes every event out of the file and tells those concerned. */
    void drain() {
        MemorySegment record = inbox.newRecord();
        while (inbox.take(record)) {
            Subscriber subscriber = subscribers.get(CompletionEvent.cookie(record, 0));
            if (subscriber != null) {
                subscriber.acknowledged.incrementAndGet();
                CompletionQueue queue = queue(subscriber);
                if (queue != null) {
                    queue.provider().eventTaken();
                }
                tell(subscriber);
            }
        }
    }

    private void tell(Subscriber subscriber) {
        subscriber.wakeups.happened();
        if (isShared && subscriber.pending.compareAndSet(false, true)) {
            pending.add(subscriber);
            arrivals.happened();
            inbox.raise();
        }
    }

    /** The next queue that has an event; null if there is none. */
    @Nullable
    CompletionQueue take() {
        drain();
        CompletionQueue queue = nextPending();
        if (queue != null || !inbox.isSelectable()) {
            return queue;
        }
        // A selector sees nothing from here on, but for what comes after this.
        inbox.lower();
        drain();
        CompletionQueue late = nextPending();
        if (late != null) {
            inbox.raise();
        }
        return late;
    }

    private static @Nullable CompletionQueue queue(Subscriber subscriber) {
        WeakReference<CompletionQueue> reference = subscriber.queue;
        return reference == null ? null : reference.get();
    }

    private @Nullable CompletionQueue nextPending() {
        for (Subscriber next = pending.poll(); next != null; next = pending.poll()) {
            // An event that comes from here on counts as another, though the caller has not looked yet.
            next.pending.set(false);
            CompletionQueue queue = queue(next);
            if (queue != null && subscribers.containsKey(next.cookie)) {
                return queue;
            }
        }
        return null;
    }

    /** Those who wait for any queue. */
    Wakeups arrivals() {
        return arrivals;
    }

    /** Waits for an event of any queue, and may come back for no reason; false if the time was up. */
    boolean await(long timeoutNs) {
        return inbox.await(timeoutNs);
    }

    /** The error of a call after the close. */
    VerbsException closed(String operation, Lifetime lifetime) {
        return inbox.closed(operation, lifetime);
    }

    SelectableChannel selectable() {
        return inbox.selectable();
    }

    @Override
    public void close() {
        inbox.close();
        arrivals.happened();
        subscribers.values().forEach(subscriber -> subscriber.wakeups.happened());
    }
}
