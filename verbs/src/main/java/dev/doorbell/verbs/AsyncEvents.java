package dev.doorbell.verbs;

import dev.doorbell.kernel.Progress;
import dev.doorbell.spec.AsyncEventType;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a device and its objects by themselves (ibv_get_async_event(3)), in the order of the kernel. Nothing is
 * missed from the opening of the context on: events wait until they are taken, some ten thousands of them.
 *
 * <p>Events are acknowledged by the library as they are taken (ibv_ack_async_event(3)); no event keeps an object from being
 * destroyed. Events of objects that were closed or lost meanwhile are dropped.
 *
 * <p>Thread rules: any method from any thread; each event goes to one of those who wait. A virtual thread that waits does
 * not hold its carrier.
 */
public final class AsyncEvents {
    private final Device device;
    private final Lifetime lifetime;
    private final EventInbox inbox;
    private final EventTargets targets;
    private final Progress progress;

    AsyncEvents(Device device, Lifetime lifetime, EventInbox inbox, EventTargets targets, Progress progress) {
        this.device = device;
        this.lifetime = lifetime;
        this.inbox = inbox;
        this.targets = targets;
        this.progress = progress;
    }

    /**
     * The next event, if there is one now. Also what a selector loop calls, until it gets nothing, when the
     * {@linkplain #selectable() selectable} is readable.
     *
     * @throws ClosedException after the context was closed
     * @throws DeviceUnavailableException EIO if the device is gone
     */
    public Optional<AsyncEvent> poll() {
        requireOpen("poll events");
        return Optional.ofNullable(take());
    }

    /**
     * Waits for the next event.
     *
     * <p>A thread that is interrupted stops waiting; its interrupt status stays set and nothing is closed. It looks once at
     * least.
     *
     * @return empty if the time was up or the thread was interrupted
     * @throws ClosedException if the context is closed, also while waiting
     * @throws DeviceUnavailableException EIO if the device is gone
     */
    public Optional<AsyncEvent> await(Duration timeout) {
        long patienceNs = Deadline.nanos(timeout);
        long start = progress.nanoTime();
        boolean inTime = true;
        while (true) {
            requireOpen("await events");
            AsyncEvent event = take();
            if (event != null || !inTime || Thread.currentThread().isInterrupted()) {
                return Optional.ofNullable(event);
            }
            inTime = inbox.await(patienceNs - (progress.nanoTime() - start));
        }
    }

    /**
     * What a selector can wait for, always the same; the rules of {@link CompletionChannel#selectable()} hold.
     *
     * @throws VerbsException EMFILE if there are too many descriptors
     */
    public SelectableChannel selectable() {
        lifetime.enter("make selectable");
        try {
            return inbox.selectable();
        } finally {
            lifetime.exit();
        }
    }

    private void requireOpen(String operation) {
        if (!lifetime.isOpen()) {
            throw inbox.closed(operation, lifetime);
        }
    }

    private @Nullable AsyncEvent take() {
        AsyncEvent event = next();
        if (event != null || !inbox.isSelectable()) {
            return event;
        }
        // A selector sees nothing from here on, but for what comes after this.
        inbox.lower();
        AsyncEvent late = next();
        if (late != null) {
            inbox.raise();
        }
        return late;
    }

    /** The next event of something that is still there. */
    private @Nullable AsyncEvent next() {
        MemorySegment record = inbox.newRecord();
        while (inbox.take(record)) {
            AsyncEvent event = decode(
                    dev.doorbell.kernel.abi.AsyncEvent.element(record, 0),
                    dev.doorbell.kernel.abi.AsyncEvent.eventType(record, 0));
            if (event != null) {
                return event;
            }
        }
        return null;
    }

    private @Nullable AsyncEvent decode(long element, int code) {
        AsyncEventType type = AsyncEventType.of(code);
        return switch (type) {
            case PORT_ACTIVE,
                    PORT_ERR,
                    LID_CHANGE,
                    PKEY_CHANGE,
                    SM_CHANGE,
                    CLIENT_REREGISTER,
                    GID_CHANGE,
                    DEVICE_SPEED_CHANGE -> new AsyncEvent.OfPort(type, device, (int) element);
            case DEVICE_FATAL -> new AsyncEvent.OfDevice(type, device);
            case CQ_ERR,
                    QP_FATAL,
                    QP_REQ_ERR,
                    QP_ACCESS_ERR,
                    COMM_EST,
                    SQ_DRAINED,
                    PATH_MIG,
                    PATH_MIG_ERR,
                    SRQ_ERR,
                    SRQ_LIMIT_REACHED,
                    QP_LAST_WQE_REACHED -> ofObject(type, element);
            case WQ_FATAL, UNKNOWN -> new AsyncEvent.Other(type, code, element);
        };
    }

    private @Nullable AsyncEvent ofObject(AsyncEventType type, long cookie) {
        return switch (targets.find(cookie)) {
            case QueuePair queuePair -> new AsyncEvent.OfQueuePair(type, queuePair);
            case CompletionQueue queue -> new AsyncEvent.OfCompletionQueue(type, queue);
            case SharedReceiveQueue queue -> new AsyncEvent.OfSharedReceiveQueue(type, queue);
            // Closed or lost meanwhile.
            case null, default -> null;
        };
    }
}
