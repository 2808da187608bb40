package dev.doorbell.cm;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.verbs.ClosedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gives the events of one channel to threads that each wait for their own identifier. Whoever waits reads for all: one of
 * those who wait reads the channel, and hands over to another when it has what it wants. No thread of the library is needed.
 * Whoever is about to wait while another one reads takes what is there already: on the embedded kernel an address is resolved
 * when the command returns.
 *
 * <p>An event wakes one thread of those that wait for its identifier, and who stops reading wakes one of all: so a thousand threads
 * that wait cost no more for each event than one.
 *
 * <p>Thread rules: any thread, also a virtual one.
 */
final class EventPump {
    private final EventChannel channel;
    private final ReentrantLock lock = new ReentrantLock();

    /** Held from reading an event until it is delivered, so that those of an identifier are delivered in their order. */
    private final ReentrantLock taking = new ReentrantLock();

    // Guarded by lock.
    private final Map<CmId, Inbox> inboxes = new HashMap<>();

    /** Inboxes for which threads wait that do not read; the longest wait first. */
    private final Set<Inbox> awaited = new LinkedHashSet<>();

    /** The thread that reads for all, if there is one, and what for. */
    private @Nullable Thread reader;

    private @Nullable Inbox wanted;

    /** Events of an identifier that were read and not taken. Guarded by lock. */
    private final class Inbox {
        final Deque<CmEvent> events = new ArrayDeque<>(1);
        final Condition changed = lock.newCondition();
        int waiting;
        boolean isForgotten;

        boolean isQuiet() {
            return events.isEmpty() && !isForgotten;
        }
    }

    EventPump(EventChannel channel) {
        this.channel = channel;
    }

    /** Keeps the events of an identifier from now on; for a listener, requests. */
    void register(CmId id) {
        lock.lock();
        try {
            inboxes.computeIfAbsent(id, known -> new Inbox());
        } finally {
            lock.unlock();
        }
    }

    /** Keeps them no longer, and wakes those who wait for them. Requests that nobody took are closed, which rejects them. */
    void forget(CmId id) {
        List<CmEvent> left;
        lock.lock();
        try {
            Inbox inbox = inboxes.remove(id);
            if (inbox == null) {
                return;
            }
            inbox.isForgotten = true;
            inbox.changed.signalAll();
            wakeIfWanted(inbox);
            left = List.copyOf(inbox.events);
        } finally {
            lock.unlock();
        }
        left.stream()
                .filter(event -> event.listener().isPresent())
                .forEach(event -> event.id().close());
    }

    /**
     * Waits for an event of the type that comes next when all goes well; those that tell of nothing that matters here are
     * passed over.
     *
     * @param step for the message when the time is up
     * @throws CmException what an event tells of instead; ETIMEDOUT when the time was up; EINTR if the thread is interrupted
     */
    CmEvent expect(CmId id, CmEventType type, String step, Timer timer) {
        while (true) {
            CmEvent event = await(id, timer).orElseThrow(() -> timer.failure("connect", id, step));
            if (event.type() == type || event.failure().isPresent() || event.type() == CmEventType.DISCONNECTED) {
                return event.expect(type);
            }
        }
    }

    /**
     * The next event of an identifier; empty when the time was up or the thread was interrupted.
     *
     * @throws ClosedException if it is forgotten, also while waiting
     */
    Optional<CmEvent> await(CmId id, Timer timer) {
        Inbox inbox = inbox(id);
        try {
            while (true) {
                takeWhatIsThere(inbox);
                if (becomeReader(inbox, timer)) {
                    readFor(inbox, timer);
                }
                Optional<CmEvent> event = take(id, inbox);
                if (event.isPresent() || timer.isUp() || Thread.currentThread().isInterrupted()) {
                    return event;
                }
            }
        } finally {
            handOver(inbox);
        }
    }

    private Inbox inbox(CmId id) {
        lock.lock();
        try {
            Inbox inbox = inboxes.get(id);
            if (inbox == null) {
                throw ClosedException.of("await event", id.toString());
            }
            return inbox;
        } finally {
            lock.unlock();
        }
    }

    /** Reads until there is something in this inbox, without waiting for an event or for another thread that reads. */
    private void takeWhatIsThere(Inbox inbox) {
        while (isQuiet(inbox) && tryTakeOne()) {}
    }

    /** Delivers what has come already, unless a thread is at that. */
    void drain() {
        while (tryTakeOne()) {}
    }

    /** As {@link #takeOne}; false also if another thread is at it. */
    private boolean tryTakeOne() {
        if (!taking.tryLock()) {
            return false;
        }
        try {
            return takeOne();
        } finally {
            taking.unlock();
        }
    }

    /** Reads one event and delivers it; false if there is none now. */
    private boolean takeOne() {
        taking.lock();
        try {
            Optional<CmEvent> event = channel.poll();
            event.ifPresent(this::deliver);
            return event.isPresent();
        } finally {
            taking.unlock();
        }
    }

    /** Waits until this thread is to read the channel, or until there is something for it; false for the latter. */
    private boolean becomeReader(Inbox inbox, Timer timer) {
        lock.lock();
        try {
            inbox.waiting++;
            awaited.add(inbox);
            while (reader != null && inbox.isQuiet() && !timer.isUp()) {
                inbox.changed.awaitNanos(timer.leftNs());
            }
            if (reader != null || !inbox.isQuiet()) {
                return false;
            }
            reader = Thread.currentThread();
            wanted = inbox;
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            if (--inbox.waiting == 0) {
                awaited.remove(inbox);
            }
            lock.unlock();
        }
    }

    /** Reads for all until there is something in this inbox; once at least. */
    private void readFor(Inbox inbox, Timer timer) {
        try {
            while (true) {
                boolean taken = takeOne();
                if (!isQuiet(inbox) || timer.isUp() || Thread.currentThread().isInterrupted()) {
                    return;
                }
                if (!taken) {
                    // Nothing parks between the look at the inbox and this, which would lose what others say of it.
                    channel.awaitReadable(timer.leftNs());
                }
            }
        } finally {
            stopReading();
        }
    }

    private boolean isQuiet(Inbox inbox) {
        lock.lock();
        try {
            return inbox.isQuiet();
        } finally {
            lock.unlock();
        }
    }

    private void stopReading() {
        lock.lock();
        try {
            reader = null;
            wanted = null;
        } finally {
            lock.unlock();
        }
    }

    private Optional<CmEvent> take(CmId id, Inbox inbox) {
        lock.lock();
        try {
            if (inbox.isForgotten) {
                throw ClosedException.of("await event", id.toString());
            }
            return Optional.ofNullable(inbox.events.poll());
        } finally {
            lock.unlock();
        }
    }

    /** This thread does not wait any more. What it was woken for and leaves undone is for another. */
    private void handOver(Inbox inbox) {
        lock.lock();
        try {
            if (!inbox.events.isEmpty()) {
                inbox.changed.signal();
            }
            wakeReader();
        } finally {
            lock.unlock();
        }
    }

    /** If nobody reads and somebody waits, that one is to read. */
    private void wakeReader() {
        if (reader == null && !awaited.isEmpty()) {
            awaited.iterator().next().changed.signal();
        }
    }

    /** Puts an event where who waits for it finds it. */
    void deliver(CmEvent event) {
        CmId addressee = event.listener().orElse(event.id());
        lock.lock();
        try {
            Inbox inbox = inboxes.get(addressee);
            if (inbox != null) {
                inbox.events.add(event);
                inbox.changed.signal();
                wakeIfWanted(inbox);
                return;
            }
        } finally {
            lock.unlock();
        }
        if (event.listener().isPresent()) {
            event.id().close();
        }
    }

    /** Who reads for this inbox may be waiting for the channel, from which another thread took what it waits for. */
    private void wakeIfWanted(Inbox inbox) {
        if (inbox.equals(wanted) && reader != Thread.currentThread()) {
            LockSupport.unpark(reader);
        }
    }

    Timer timer(Duration limit) {
        return new Timer(channel, limit);
    }

    /** A time limit that several steps share. */
    static final class Timer {
        private final EventChannel channel;
        private final Duration limit;
        private final long startNs;

        private Timer(EventChannel channel, Duration limit) {
            this.channel = channel;
            this.limit = limit;
            this.startNs = channel.nanoTime();
        }

        long leftNs() {
            return Math.max(0, Waits.nanos(limit) - (channel.nanoTime() - startNs));
        }

        Duration left() {
            return Duration.ofNanos(leftNs());
        }

        boolean isUp() {
            return leftNs() == 0;
        }

        CmException failure(String operation, CmId id, String step) {
            if (Thread.currentThread().isInterrupted()) {
                return new CmException(
                        operation, id.toString(), Errno.EINTR, step + ": the thread was interrupted", "", null);
            }
            return Failures.timedOut(operation, id.toString(), step, limit);
        }
    }
}
