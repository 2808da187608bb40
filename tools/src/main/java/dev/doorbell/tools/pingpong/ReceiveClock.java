package dev.doorbell.tools.pingpong;

/** How long receives are apart by the device's clock, in its ticks. */
final class ReceiveClock {
    private final long mask;
    private boolean started;
    private long last;
    private long count;
    private long total;
    private long shortest = Long.MAX_VALUE;
    private long longest;

    /**
     * Not started.
     *
     * @param mask valid bits of a timestamp; the clock begins again at 0 after the last
     */
    ReceiveClock(long mask) {
        this.mask = mask;
    }

    /** A receive, with its timestamp. */
    void onReceive(long timestamp) {
        if (started) {
            long ticks = timestamp - last & mask;
            count++;
            total += ticks;
            shortest = Math.min(shortest, ticks);
            longest = Math.max(longest, ticks);
        }
        started = true;
        last = timestamp;
    }

    /** How many times there are. */
    long count() {
        return count;
    }

    long longest() {
        return longest;
    }

    long shortest() {
        return shortest;
    }

    double average() {
        return (double) total / count;
    }
}
