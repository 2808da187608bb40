package dev.doorbell.verbs;

import dev.doorbell.kernel.Progress;
import dev.doorbell.kernel.abi.CompletionEvent;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.Optional;

/**
 * Tells which of many completion queues have completions (ibv_create_comp_channel(3), ibv_get_cq_event(3)).
 *
 * <p>A queue belongs to a channel from its creation on ({@link CompletionQueue.Builder#channel}). When it is
 * {@linkplain CompletionQueue#arm() armed}, its next completion makes one event. An event says that there may be
 * completions, no more: poll until the queue is empty, arm, and poll once more, since what came before the arming makes no
 * event.
 *
 * <pre>{@code
 * queue.drain(completion -> ...);             // what is there already makes no event
 * Optional<CompletionQueue> ready;
 * while ((ready = channel.await(Duration.ofSeconds(10))).isPresent()) {
 *     ready.get().drain(completion -> ...);   // polls, arms and polls again
 * }
 * }</pre>
 *
 * <p>A program that waits for one queue needs no channel: {@link CompletionQueue#await} blocks by itself.
 *
 * <p>Events are acknowledged by the library as they are taken (ibv_ack_cq_events(3)); no event keeps a queue from being
 * destroyed, and events of a queue that was closed meanwhile are dropped.
 *
 * <p>Thread rules: any method from any thread; each event goes to one of those who wait. A virtual thread that waits does
 * not hold its carrier.
 *
 * <p>A whole program, {@code examples/EventDrivenServer.java}:
 * {@snippet file="EventDrivenServer.java"}
 */
public final class CompletionChannel implements AutoCloseable {
    private final Context context;
    private final ChannelEvents events;
    private final Progress progress;
    private final Lifetime lifetime;

    CompletionChannel(Context context) {
        this.context = context;
        var file = context.provider().createCompletionChannel();
        String name = "completion channel " + file.descriptor() + " of "
                + context.device().name();
        ChannelEvents channelEvents = new ChannelEvents(new EventInbox(file, CompletionEvent.SIZE, name), true);
        this.events = channelEvents;
        this.progress = context.progress();
        this.lifetime = Lifetime.begin(name, mode -> channelEvents.close(), context.lifetime());
        lifetime.watch(this);
    }

    /** The context that it belongs to. */
    public Context context() {
        return context;
    }

    /** The kernel's number for its file. */
    public int descriptor() {
        return events.descriptor();
    }

    /**
     * A queue that has an event, if there is one now; it is not armed any more. Also what a selector loop calls, until it
     * gets nothing, when the {@linkplain #selectable() selectable} is readable.
     *
     * @throws ClosedException after close
     */
    public Optional<CompletionQueue> poll() {
        requireOpen("poll");
        return Optional.ofNullable(events.take());
    }

    /**
     * Waits for a queue that has an event; it is not armed any more. Nothing is armed here.
     *
     * <p>A thread that is interrupted stops waiting; its interrupt status stays set and nothing is closed. It looks once at
     * least.
     *
     * @return empty if the time was up or the thread was interrupted
     * @throws ClosedException if it is closed, also while waiting
     * @throws DeviceUnavailableException EIO if the device is gone
     */
    public Optional<CompletionQueue> await(Duration timeout) {
        long patienceNs = Deadline.nanos(timeout);
        long start = progress.nanoTime();
        Wakeups arrivals = events.arrivals();
        boolean inTime = true;
        arrivals.enlist();
        try {
            while (true) {
                requireOpen("await");
                CompletionQueue queue = events.take();
                if (queue != null || !inTime || Thread.currentThread().isInterrupted()) {
                    return Optional.ofNullable(queue);
                }
                inTime = events.await(patienceNs - (progress.nanoTime() - start));
            }
        } finally {
            arrivals.delist();
        }
    }

    /**
     * What a selector can wait for (java.nio), always the same: readable while there may be an event that
     * {@link #poll()} has not given out. It is level-triggered: it stays readable until {@code poll()} has returned
     * nothing, and may be readable without an event. Only the library reads from it. It is made at the first call and costs
     * two descriptors.
     *
     * <p>When this channel is closed it becomes readable, so that a selector returns; {@code poll()} then throws. It is
     * closed by that, or a second later, which cancels its key.
     *
     * @throws VerbsException EMFILE if there are too many descriptors
     */
    public SelectableChannel selectable() {
        lifetime.enter("make selectable");
        try {
            return events.selectable();
        } finally {
            lifetime.exit();
        }
    }

    private void requireOpen(String operation) {
        if (!lifetime.isOpen()) {
            throw events.closed(operation, lifetime);
        }
    }

    /** Whether it has not been closed. */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    /**
     * Closes it; who waits gets a {@link ClosedException}. Idempotent.
     *
     * @throws VerbsException EBUSY with their list while completion queues belong to it
     */
    @Override
    public void close() {
        lifetime.close(Closing.ALONE);
    }

    ChannelEvents events() {
        return events;
    }

    Lifetime lifetime() {
        return lifetime;
    }

    @Override
    public String toString() {
        return lifetime.name();
    }
}
