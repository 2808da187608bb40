package dev.doorbell.soft.kernel;

import dev.doorbell.soft.hca.HcaSharedReceiveQueue;
import dev.doorbell.soft.hca.SharedReceiveListener;
import dev.doorbell.spec.AsyncEventType;
import org.jspecify.annotations.Nullable;

/** A shared receive queue: its ring, the device's end of it, and where its events go. */
final class SharedReceiveQueue implements SharedReceiveListener {
    final Usage usage = new Usage();
    final EventSource events;

    private final Domain domain;
    private final EventQueue asynchronous;

    /** Where it lies; null if that is the program's affair. */
    private @Nullable Ring ring;

    private int capacity;
    private @Nullable HcaSharedReceiveQueue hca;

    SharedReceiveQueue(Domain domain, long cookie, EventQueue asynchronous) {
        this.domain = domain;
        this.events = new EventSource(cookie);
        this.asynchronous = asynchronous;
    }

    /** Connects the device's end, once. */
    void attach(HcaSharedReceiveQueue end, int entries, @Nullable Ring place) {
        hca = end;
        capacity = entries;
        ring = place;
    }

    /** How many work requests it holds. */
    int capacity() {
        return capacity;
    }

    HcaSharedReceiveQueue hca() {
        if (hca == null) {
            throw new IllegalStateException("shared receive queue without the device's end");
        }
        return hca;
    }

    Domain domain() {
        return domain;
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

    @Override
    public void limitReached() {
        asynchronous.raise(new Event(events, AsyncEventType.SRQ_LIMIT_REACHED.code()));
    }

    @Override
    public void failed() {
        asynchronous.raise(new Event(events, AsyncEventType.SRQ_ERR.code()));
    }
}
