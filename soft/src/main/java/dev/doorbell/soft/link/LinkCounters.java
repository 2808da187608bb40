package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/** Counts of a link. Any thread. */
final class LinkCounters {
    private static final LinkCounter[] ALL = LinkCounter.values();

    /** Threads that send and threads that receive do not write to the same cache line. */
    private static final int APART = 8;

    private final AtomicLongArray counts = new AtomicLongArray((ALL.length + 1) * APART);

    /** Where packets went that were longer than the path takes; null if none were. */
    private volatile @Nullable Gid tooLongFor;

    /** A packet was longer than the path to an address takes; null takes it back. */
    void tooLong(@Nullable Gid destination) {
        tooLongFor = destination;
    }

    @Nullable
    Gid tooLongFor() {
        return tooLongFor;
    }

    void add(LinkCounter counter) {
        add(counter, 1);
    }

    void add(LinkCounter counter, int count) {
        counts.getAndAdd(slot(counter), count);
    }

    /** One more, of a counter that is only written by whoever receives: one thread at a time, so the processors need not agree. */
    void received(LinkCounter counter) {
        int slot = slot(counter);
        counts.setOpaque(slot, counts.getPlain(slot) + 1);
    }

    private static int slot(LinkCounter counter) {
        return (counter.ordinal() + 1) * APART;
    }

    /** Adds what is not zero to totals. */
    void addTo(Map<String, Long> totals) {
        for (LinkCounter counter : ALL) {
            long count = counts.get(slot(counter));
            if (count != 0) {
                totals.merge(counter.label(), count, Long::sum);
            }
        }
    }
}
