package dev.doorbell.mlx5;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel made, by the key that it gave. The kernel may give a key anew as soon as it has freed what had it, which is before the
 * driver hears of that: so a newer entry replaces one that is still there, and removing takes away that very entry or nothing.
 *
 * <p>Thread rules: any thread; finding neither locks nor allocates.
 */
final class KeyTable {
    /** Something that has a key. */
    abstract static class Entry {
        private final int key;

        Entry(int key) {
            this.key = key;
        }
    }

    private volatile Entry[] entries = {};

    synchronized void put(Entry entry) {
        Entry[] others =
                Arrays.stream(entries).filter(other -> other.key != entry.key).toArray(Entry[]::new);
        Entry[] next = Arrays.copyOf(others, others.length + 1);
        next[others.length] = entry;
        Arrays.sort(next, (left, right) -> Integer.compare(left.key, right.key));
        entries = next;
    }

    synchronized void remove(Entry entry) {
        entries = Arrays.stream(entries).filter(other -> !other.equals(entry)).toArray(Entry[]::new);
    }

    @Nullable
    Entry find(int key) {
        Entry[] now = entries;
        int low = 0;
        int high = now.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            Entry entry = now[middle];
            if (entry.key == key) {
                return entry;
            }
            if (entry.key < key) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return null;
    }
}
