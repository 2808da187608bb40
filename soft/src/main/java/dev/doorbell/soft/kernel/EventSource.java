package dev.doorbell.soft.kernel;

/**
 * An object that raises events: its cookie goes into the records, and how many of them a program has read is told when
 * the object is destroyed. The counts are guarded by the queue that holds the events.
 */
final class EventSource {
    private final long cookie;
    private int reported;

    EventSource(long cookie) {
        this.cookie = cookie;
    }

    long cookie() {
        return cookie;
    }

    void countReported() {
        reported++;
    }

    int reported() {
        return reported;
    }
}
