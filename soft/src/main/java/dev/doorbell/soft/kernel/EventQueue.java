package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.AsyncEvent;
import dev.doorbell.kernel.abi.CmEventRecord;
import dev.doorbell.kernel.abi.CompletionEvent;
import dev.doorbell.memory.SpinLock;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event file of the embedded kernel: a queue of records in memory.
 *
 * <p>The device raises events from the middle of its work, so {@link #raise} neither blocks nor calls out; readers wait
 * parked, which suits platform and virtual threads alike. A reader enlists under the lock under which it found the queue
 * empty, and each event wakes one, so no event waits for a reader that sleeps. Interruption is remembered, not obeyed.
 */
final class EventQueue implements EventFile {
    /** Events beyond this many unread ones are dropped; a program that never reads must not fill the heap. */
    static final int CAPACITY = 1 << 16;

    /** How a queue's records look. */
    enum Kind {
        /** 16 bytes: cookie and type. */
        ASYNCHRONOUS(AsyncEvent.SIZE),
        /** 8 bytes: cookie. */
        COMPLETION(CompletionEvent.SIZE),
        /** 336 bytes: an event of the connection manager. */
        CONNECTION(CmEventRecord.SIZE);

        private final int bytes;

        Kind(int bytes) {
            this.bytes = bytes;
        }
    }

    private static final int CLOSED = -1;
    private static final int LOOKS_BEFORE_YIELD = 16;

    private final Kind kind;
    private final int descriptor;
    private final Idler idler;
    private final Runnable onClose;
    private final SpinLock lock = new SpinLock();

    // Guarded by the lock.
    private final Deque<FileEvent> events = new ArrayDeque<>();
    private final Deque<Thread> waiters = new ArrayDeque<>();
    private long dropped;
    private boolean closed;

    // Read by whoever raises, after the event was added.
    private volatile @Nullable Runnable watcher;

    /**
     * @param onClose told once when the file is closed, outside the lock
     */
    EventQueue(Kind kind, int descriptor, Idler idler, Runnable onClose) {
        this.kind = kind;
        this.descriptor = descriptor;
        this.idler = idler;
        this.onClose = onClose;
    }

    /** Adds an event and wakes one reader. Any thread; a closed queue forgets it. */
    void raise(FileEvent event) {
        Thread woken;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            // How many events connections have is limited by how many there are, and none of them may get lost.
            if (events.size() >= CAPACITY && kind != Kind.CONNECTION) {
                dropped++;
                return;
            }
            events.add(event);
            woken = waiters.poll();
        } finally {
            lock.unlock();
        }
        idler.wake(woken);
        Runnable watching = watcher;
        if (watching != null) {
            watching.run();
        }
    }

    /** Forgets the unread events of a source that is going away; returns how many of its events were read. */
    int retire(EventSource source) {
        lock.lock();
        try {
            events.removeIf(event -> event.source() == source);
            return source.reported();
        } finally {
            lock.unlock();
        }
    }

    /** Moves the unread events of a source to the end of another queue; returns how many of its events were read. */
    int move(EventSource source, EventQueue to) {
        List<FileEvent> moved = new ArrayList<>();
        int reported;
        lock.lock();
        try {
            for (FileEvent event : events) {
                if (event.source() == source) {
                    moved.add(event);
                }
            }
            if (to != this) {
                events.removeIf(event -> event.source() == source);
            }
            reported = source.reported();
        } finally {
            lock.unlock();
        }
        if (to != this) {
            moved.forEach(to::raise);
        }
        return reported;
    }

    /** Events that were dropped because nobody read. */
    long dropped() {
        lock.lock();
        try {
            return dropped;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read(MemorySegment record, long timeoutNs) {
        if (record.byteSize() < kind.bytes) {
            throw new KernelException(
                    Errno.EINVAL,
                    "an event record of this file has " + kind.bytes + " bytes, the segment has " + record.byteSize());
        }
        int read = take(record, null);
        if (read != 0 || timeoutNs <= 0) {
            return Math.max(read, 0);
        }
        return await(record, deadline(timeoutNs));
    }

    @Override
    public boolean await(long timeoutNs) {
        if (timeoutNs <= 0) {
            return false;
        }
        if (kind == Kind.CONNECTION && comesSoon(timeoutNs)) {
            return true;
        }
        idler.relinquish();
        if (!enlist()) {
            return true;
        }
        try {
            return idler.idle(deadline(timeoutNs));
        } finally {
            // No other is woken in this thread's place: it reads everything now.
            delist();
        }
    }

    /**
     * Looks for a moment, as who polls does: an answer of the other side is often nearer than the end of a sleep would be. Who waits
     * for completions has done that already.
     */
    private boolean comesSoon(long timeoutNs) {
        long patience = Math.min(idler.spinNs(), timeoutNs);
        if (patience <= 0) {
            return false;
        }
        idler.beginLooking();
        try {
            long start = idler.nowNs();
            for (int looks = 1; idler.nowNs() - start < patience; looks++) {
                if (isReadable()) {
                    return true;
                }
                if (!idler.poll() && looks % LOOKS_BEFORE_YIELD == 0) {
                    if (Thread.currentThread().isInterrupted()) {
                        return false;
                    }
                    giveWay();
                }
            }
            return false;
        } finally {
            idler.endLooking();
        }
    }

    /** Lets others have this processor. A virtual thread that yields wakes another carrier, which costs more than it gives. */
    private static void giveWay() {
        if (!Thread.currentThread().isVirtual()) {
            Thread.yield();
        }
    }

    private boolean isReadable() {
        lock.lock();
        try {
            return closed || !events.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Enlists this thread to be woken for the next event; false if there is no need to wait. */
    private boolean enlist() {
        Thread self = Thread.currentThread();
        lock.lock();
        try {
            if (closed || !events.isEmpty()) {
                return false;
            }
            if (!waiters.contains(self)) {
                waiters.add(self);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void delist() {
        lock.lock();
        try {
            waiters.remove(Thread.currentThread());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onReadable(@Nullable Runnable action) {
        watcher = action;
        boolean unread;
        lock.lock();
        try {
            unread = !events.isEmpty();
        } finally {
            lock.unlock();
        }
        if (unread && action != null) {
            action.run();
        }
    }

    private long deadline(long timeoutNs) {
        long now = idler.nowNs();
        long deadline = now + timeoutNs;
        return deadline < now ? Long.MAX_VALUE : deadline;
    }

    private int await(MemorySegment record, long deadlineNs) {
        boolean interrupted = false;
        boolean inTime = true;
        idler.relinquish();
        try {
            for (; ; ) {
                int read = take(record, inTime ? Thread.currentThread() : null);
                if (read != 0 || !inTime) {
                    return Math.max(read, 0);
                }
                inTime = idler.idle(deadlineNs);
                // A park returns at once while the flag is set.
                interrupted |= Thread.interrupted();
            }
        } finally {
            leave();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Takes one record, or enlists a thread that is to be woken for the next. */
    private int take(MemorySegment record, @Nullable Thread enlist) {
        lock.lock();
        try {
            FileEvent event = events.peek();
            if (event != null) {
                write(event, record);
                events.remove();
                event.source().countReported();
                return kind.bytes;
            }
            if (closed) {
                return CLOSED;
            }
            if (enlist != null && !waiters.contains(enlist)) {
                waiters.add(enlist);
            }
            return 0;
        } finally {
            lock.unlock();
        }
    }

    private void write(FileEvent event, MemorySegment record) {
        switch (event) {
            case CmNotice notice -> notice.deliver(record);
            case Event plain
            when kind == Kind.ASYNCHRONOUS -> {
                record.asSlice(0, AsyncEvent.SIZE).fill((byte) 0);
                AsyncEvent.setElement(record, 0, plain.source().cookie());
                AsyncEvent.setEventType(record, 0, plain.type());
            }
            case Event plain ->
                CompletionEvent.setCookie(record, 0, plain.source().cookie());
        }
    }

    /** A thread stops waiting. Where it was woken for an event that it did not take, the next one is woken. */
    private void leave() {
        Thread next = null;
        lock.lock();
        try {
            if (!waiters.remove(Thread.currentThread()) && !events.isEmpty()) {
                next = waiters.poll();
            }
        } finally {
            lock.unlock();
        }
        idler.wake(next);
    }

    @Override
    public int descriptor() {
        return descriptor;
    }

    @Override
    public void close() {
        Thread[] woken;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            events.clear();
            woken = waiters.toArray(new Thread[0]);
            waiters.clear();
        } finally {
            lock.unlock();
        }
        for (Thread thread : woken) {
            idler.wake(thread);
        }
        onClose.run();
    }
}
