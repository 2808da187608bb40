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

    private Ring ring;
    private @Nullable HcaSharedReceiveQueue hca;

    SharedReceiveQueue(Domain domain, Ring ring, long cookie, EventQueue asynchronous) {
        this.domain = domain;
        this.ring = ring;
        this.events = new EventSource(cookie);
        this.asynchronous = asynchronous;
    }

    /** Connects the device's end, once. */
    void attach(HcaSharedReceiveQueue end) {
        hca = end;
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

    Ring ring() {
        return ring;
    }

    /** Puts another ring in the place of the present one, which is returned. */
    Ring replaceRing(Ring next) {
        Ring old = ring;
        ring = next;
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
