package dev.doorbell.verbs;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The queue pairs of a context by their numbers: a hash table of two words an entry, at most half full, in which whoever looks
 * neither locks nor allocates. They are not kept alive by it.
 *
 * <p>A number may be given anew by the kernel before the queue pair that had it has been taken out here: the cookie tells them
 * apart.
 *
 * <p>Thread rules: any thread; those that change it take turns.
 */
final class QueuePairTable {
    private static final int INITIAL = 16;

    /** Spreads numbers that follow each other. */
    private static final int GOLDEN = 0x9e37_79b9;

    private static final Entry GONE = new Entry(-1, 0, null);

    // Replaced when it is half full; its elements are written in turn.
    private volatile AtomicReferenceArray<@Nullable Entry> table = new AtomicReferenceArray<>(INITIAL);

    // For those who change it: entries, and entries with those that are gone.
    private int size;
    private int used;

    private static final class Entry extends WeakReference<@Nullable QueuePair> {
        private final int number;
        private final long cookie;

        Entry(int number, long cookie, @Nullable QueuePair queuePair) {
            super(queuePair);
            this.number = number;
            this.cookie = cookie;
        }
    }

    /** The queue pair with this number; null if there is none, or the program has lost it. */
    @Nullable
    QueuePair find(int number) {
        AtomicReferenceArray<@Nullable Entry> entries = table;
        int at = slot(entries, number);
        Entry entry = at < 0 ? null : entries.getAcquire(at);
        // Between the two looks another one may have taken its place.
        return entry == null || entry.number != number ? null : entry.get();
    }

    /** Adds one, in place of one that had its number before. */
    synchronized void add(int number, long cookie, QueuePair queuePair) {
        Entry entry = new Entry(number, cookie, queuePair);
        int at = slot(table, number);
        if (at >= 0) {
            table.setRelease(at, entry);
            return;
        }
        if (2 * (used + 1) > table.length()) {
            rebuild();
        }
        insert(table, entry);
        size++;
        used++;
    }

    /** Takes one out, unless another one has its number by now. */
    synchronized void remove(int number, long cookie) {
        int at = slot(table, number);
        Entry entry = at < 0 ? null : table.getPlain(at);
        if (entry != null && entry.cookie == cookie) {
            table.setRelease(at, GONE);
            size--;
        }
    }

    /** Where a number is; negative if it is nowhere. */
    private static int slot(AtomicReferenceArray<@Nullable Entry> entries, int number) {
        int mask = entries.length() - 1;
        int at = home(number, mask);
        for (Entry entry = entries.getAcquire(at); entry != null; entry = entries.getAcquire(at)) {
            if (entry.number == number) {
                return at;
            }
            at = at + 1 & mask;
        }
        return -1;
    }

    private static int home(int number, int mask) {
        int hash = number * GOLDEN;
        return (hash ^ hash >>> 16) & mask;
    }

    private static void insert(AtomicReferenceArray<@Nullable Entry> entries, Entry entry) {
        int mask = entries.length() - 1;
        int at = home(entry.number, mask);
        while (entries.getPlain(at) != null) {
            at = at + 1 & mask;
        }
        entries.setRelease(at, entry);
    }

    /** Leaves out what is gone, and makes room where that is not enough. */
    private void rebuild() {
        AtomicReferenceArray<@Nullable Entry> old = table;
        int length = Math.max(INITIAL, Integer.highestOneBit(size + 1) * 4);
        AtomicReferenceArray<@Nullable Entry> fresh = new AtomicReferenceArray<>(length);
        for (int i = 0; i < old.length(); i++) {
            Entry entry = old.getPlain(i);
            if (entry != null && entry != GONE) {
                insert(fresh, entry);
            }
        }
        used = size;
        table = fresh;
    }
}
