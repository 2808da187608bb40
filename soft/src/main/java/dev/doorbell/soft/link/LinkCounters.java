package dev.doorbell.soft.link;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts of a link. Any thread. */
final class LinkCounters {
    private static final LinkCounter[] ALL = LinkCounter.values();

    private final AtomicLongArray counts = new AtomicLongArray(ALL.length);

    void add(LinkCounter counter) {
        add(counter, 1);
    }

    void add(LinkCounter counter, int count) {
        counts.getAndAdd(counter.ordinal(), count);
    }

    /** Adds what is not zero to totals. */
    void addTo(Map<String, Long> totals) {
        for (LinkCounter counter : ALL) {
            long count = counts.get(counter.ordinal());
            if (count != 0) {
                totals.merge(counter.label(), count, Long::sum);
            }
        }
    }
}
