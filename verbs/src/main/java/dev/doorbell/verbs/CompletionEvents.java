package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.abi.CompletionEvent;
import dev.doorbell.verbs.spi.VerbsFault;
import org.jspecify.annotations.Nullable;

/**
 * Where the events of one completion queue go: to a channel of the program's, to a file of its own that only those who wait
 * for this queue know, or nowhere. Never refers to the queue strongly.
 */
final class CompletionEvents implements AutoCloseable {
    private static final int NO_CHANNEL = -1;

    private final EventTargets targets;
    private final long cookie;
    private final Wakeups wakeups;
    private final @Nullable ChannelEvents channel;
    private final ChannelEvents.@Nullable Subscriber subscriber;
    private final boolean isOwn;

    private CompletionEvents(EventTargets targets, @Nullable ChannelEvents channel, boolean isOwn) {
        this.targets = targets;
        this.cookie = targets.newCookie();
        this.channel = channel;
        this.isOwn = isOwn;
        this.subscriber = channel == null ? null : channel.subscribe(cookie);
        this.wakeups = subscriber == null ? new Wakeups() : subscriber.wakeups;
    }

    static CompletionEvents open(Context context, @Nullable CompletionChannel channel, WaitPolicy policy) {
        if (channel != null) {
            return new CompletionEvents(context.targets(), channel.events(), false);
        }
        ChannelEvents own = policy.blocks() ? own(context) : null;
        return new CompletionEvents(context.targets(), own, own != null);
    }

    /** A file for one queue; null if the kernel has none to give, which is no reason to refuse the queue. */
    private static @Nullable ChannelEvents own(Context context) {
        try {
            EventFile file = context.provider().createCompletionChannel();
            String name = "event file " + file.descriptor() + " of "
                    + context.device().name();
            return new ChannelEvents(new EventInbox(file, CompletionEvent.SIZE, name), false);
        } catch (VerbsFault e) {
            if (e.errno() == Errno.EMFILE || e.errno() == Errno.EOPNOTSUPP) {
                return null;
            }
            throw e;
        }
    }

    /** The queue was created. */
    void connect(CompletionQueue queue) {
        targets.put(cookie, queue);
        if (subscriber != null) {
            subscriber.connect(queue);
        }
    }

    int descriptor() {
        return channel == null ? NO_CHANNEL : channel.descriptor();
    }

    /** What the kernel calls the queue in its events. */
    long cookie() {
        return cookie;
    }

    long acknowledged() {
        return subscriber == null ? 0 : subscriber.acknowledged();
    }

    /** Threads that wait for this queue. */
    Wakeups wakeups() {
        return wakeups;
    }

    /** Where their events come from; null if from nowhere. */
    @Nullable
    ChannelEvents channel() {
        return channel;
    }

    void wake() {
        wakeups.happened();
    }

    /** The queue is gone: who waits for it looks again, and is told so. */
    @Override
    public void close() {
        targets.remove(cookie);
        if (channel != null && subscriber != null) {
            channel.unsubscribe(subscriber);
            if (isOwn) {
                channel.close();
            }
        }
        wakeups.happened();
    }
}
