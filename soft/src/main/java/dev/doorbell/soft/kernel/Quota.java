package dev.doorbell.soft.kernel;

import java.util.concurrent.atomic.AtomicLong;

/** A count that may not pass a limit. Any thread. */
final class Quota {
    private final long limit;
    private final AtomicLong used = new AtomicLong();

    Quota(long limit) {
        this.limit = limit;
    }

    /** Takes {@code amount} if that stays within the limit; {@code amount} is not negative. */
    boolean take(long amount) {
        for (; ; ) {
            long now = used.get();
            if (amount > limit - now) {
                return false;
            }
            if (used.compareAndSet(now, now + amount)) {
                return true;
            }
        }
    }

    boolean take() {
        return take(1);
    }

    void give(long amount) {
        used.addAndGet(-amount);
    }

    void give() {
        give(1);
    }

    long used() {
        return used.get();
    }
}
