package dev.doorbell.soft.kernel;

import dev.doorbell.soft.hca.CompletionListener;
import dev.doorbell.soft.hca.HcaCompletionQueue;
import dev.doorbell.spec.AsyncEventType;
import org.jspecify.annotations.Nullable;

/** A completion queue: its ring, the device's end of it, and where its events go. */
final class CompletionQueue implements CompletionListener {
    final Usage usage = new Usage();

    private final EventQueue asynchronous;
    private final @Nullable EventQueue channel;
    private final EventSource completions;
    private final EventSource errors;
    private final Event completion;

    /** Where it lies; null if that is the program's affair. */
    private @Nullable Ring ring;

    private int capacity;
    private @Nullable HcaCompletionQueue hca;

    CompletionQueue(long cookie, EventQueue asynchronous, @Nullable EventQueue channel) {
        this.asynchronous = asynchronous;
        this.channel = channel;
        this.completions = new EventSource(cookie);
        this.errors = new EventSource(cookie);
        this.completion = new Event(completions, 0);
    }

    /** Connects the device's end, once. */
    void attach(HcaCompletionQueue end, int entries, @Nullable Ring place) {
        hca = end;
        capacity = entries;
        ring = place;
    }

    /** How many completions it holds. */
    int capacity() {
        return capacity;
    }

    HcaCompletionQueue hca() {
        if (hca == null) {
            throw new IllegalStateException("completion queue without the device's end");
        }
        return hca;
    }

    @Nullable
    Ring ring() {
        return ring;
    }

    /** Puts another ring in the place of the present one, which is returned. */
    @Nullable
    Ring replaceRing(Ring next) {
        Ring old = ring;
        ring = next;
        capacity = next.capacity();
        return old;
    }

    /** It goes on in other memory of the program. */
    void moved(int entries) {
        capacity = entries;
    }

    @Override
    public void completion() {
        if (channel != null) {
            channel.raise(completion);
        }
    }

    @Override
    public void overflow() {
        asynchronous.raise(new Event(errors, AsyncEventType.CQ_ERR.code()));
    }

    /** Drops unread completion events; returns how many were read. */
    int retireCompletions() {
        return channel == null ? 0 : channel.retire(completions);
    }

    /** Drops unread error events; returns how many were read. */
    int retireErrors() {
        return asynchronous.retire(errors);
    }
}
