package dev.doorbell.testkit;

import dev.doorbell.soft.VirtualTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is moved. It starts at zero. Any thread may read it. */
public final class VirtualClock implements VirtualTime {
    private final AtomicLong now = new AtomicLong();

    /** A clock at zero. */
    public VirtualClock() {}

    @Override
    public long nanoTime() {
        return now.get();
    }

    /** The time since the clock was made. */
    public Duration elapsed() {
        return Duration.ofNanos(nanoTime());
    }

    /**
     * Moves the clock.
     *
     * @throws IllegalArgumentException if that would move it back
     */
    @Override
    public void advanceTo(long nowNs) {
        if (nowNs < now.get()) {
            throw new IllegalArgumentException("time cannot go back from " + now.get() + " ns to " + nowNs + " ns");
        }
        now.set(nowNs);
    }
}
