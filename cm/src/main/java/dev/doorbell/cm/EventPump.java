package dev.doorbell.cm;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.CmEventType;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gives the events of one channel to threads that each wait for their own identifier. Whoever waits reads for all: one of
 * those who wait reads the channel, and hands over to another when it has what it wants. No thread of the library is needed.
 *
 * <p>Thread rules: any thread, also a virtual one.
 */
final class EventPump {
    private final EventChannel channel;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private final Map<CmId, Deque<CmEvent>> inboxes = new HashMap<>();
    private boolean isBeingRead;

    EventPump(EventChannel channel) {
        this.channel = channel;
    }

    /** Keeps the events of an identifier from now on; for a listener, requests. */
    void register(CmId id) {
        lock.lock();
        try {
            inboxes.putIfAbsent(id, new ArrayDeque<>());
        } finally {
            lock.unlock();
        }
    }

    /** Keeps them no longer. Requests that nobody took are closed, which rejects them. */
    void forget(CmId id) {
        Deque<CmEvent> left;
        lock.lock();
        try {
            left = inboxes.remove(id);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (left != null) {
            left.stream()
                    .filter(event -> event.listener().isPresent())
                    .forEach(event -> event.id().close());
        }
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
            CmEvent event = await(id, timer).orElseThrow(() -> timer.failure(id, step));
            if (event.type() == type || event.failure().isPresent() || event.type() == CmEventType.DISCONNECTED) {
                return event.expect(type);
            }
        }
    }

    /** The next event of an identifier; empty when the time was up or the thread was interrupted. */
    Optional<CmEvent> await(CmId id, Timer timer) {
        while (true) {
            if (becomeReader(id, timer)) {
                read(timer.leftNs());
            }
            lock.lock();
            try {
                CmEvent event = take(id);
                if (event != null || timer.isUp() || Thread.currentThread().isInterrupted()) {
                    return Optional.ofNullable(event);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Waits until this thread is to read the channel, or until there is something for it; false for the latter. */
    private boolean becomeReader(CmId id, Timer timer) {
        lock.lock();
        try {
            while (isBeingRead && isEmpty(id) && !timer.isUp()) {
                changed.awaitNanos(timer.leftNs());
            }
            if (isBeingRead || !isEmpty(id)) {
                return false;
            }
            isBeingRead = true;
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void read(long timeoutNs) {
        try {
            channel.await(Duration.ofNanos(timeoutNs)).ifPresent(this::deliver);
        } finally {
            leave();
        }
    }

    private void leave() {
        lock.lock();
        try {
            isBeingRead = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Delivers what has come already, unless a thread is at that: an event taken from under a thread that waits for the
     * channel would not wake it.
     */
    void drain() {
        lock.lock();
        try {
            if (isBeingRead) {
                return;
            }
            isBeingRead = true;
        } finally {
            lock.unlock();
        }
        try {
            for (Optional<CmEvent> event = channel.poll(); event.isPresent(); event = channel.poll()) {
                deliver(event.get());
            }
        } finally {
            leave();
        }
    }

    private void deliver(CmEvent event) {
        CmId addressee = event.listener().orElse(event.id());
        lock.lock();
        try {
            Deque<CmEvent> inbox = inboxes.get(addressee);
            if (inbox != null) {
                inbox.add(event);
                changed.signalAll();
                return;
            }
        } finally {
            lock.unlock();
        }
        if (event.listener().isPresent()) {
            event.id().close();
        }
    }

    private boolean isEmpty(CmId id) {
        Deque<CmEvent> inbox = inboxes.get(id);
        return inbox != null && inbox.isEmpty();
    }

    private @Nullable CmEvent take(CmId id) {
        Deque<CmEvent> inbox = inboxes.get(id);
        if (inbox == null) {
            throw dev.doorbell.verbs.ClosedException.of("await event", id.toString());
        }
        return inbox.poll();
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

        CmException failure(CmId id, String step) {
            if (Thread.currentThread().isInterrupted()) {
                return new CmException(
                        "connect", id.toString(), Errno.EINTR, step + ": the thread was interrupted", "", null);
            }
            return Failures.timedOut("connect", id.toString(), step, limit);
        }
    }
}
