package dev.doorbell.soft.hca;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Objects by a random 24-bit number. A look-up takes no lock: the low bits of the number are the slot, and a number is
 * only given out if its slot is free, in this table and so in every larger one.
 *
 * <p>Thread rules: {@link #get} from any thread; changes are serialised by the table.
 */
final class NumberTable<T> {
    private static final int NUMBER_BITS = 24;
    private static final int INITIAL_SLOTS = 64;

    private final RandomGenerator random;
    private final int lowest;
    private final int beyond;
    private final int limit;
    private int used;
    private volatile int generation;
    private volatile AtomicReferenceArray<@Nullable Entry<T>> slots = new AtomicReferenceArray<>(INITIAL_SLOTS);

    /**
     * A table whose numbers are {@code lowest} at least.
     *
     * @param limit the most objects at a time
     */
    NumberTable(RandomGenerator random, int lowest, int limit) {
        this(random, lowest, 1 << NUMBER_BITS, limit);
    }

    /** A table whose numbers are {@code lowest} at least, and less than {@code beyond}. */
    NumberTable(RandomGenerator random, int lowest, int beyond, int limit) {
        this.random = random;
        this.lowest = lowest;
        this.beyond = beyond;
        this.limit = limit;
    }

    /** Makes an object under a new number and adds it; null if the table is full. */
    synchronized @Nullable T add(Factory<T> factory) {
        if (used == limit) {
            return null;
        }
        if (used >= slots.length() / 2) {
            grow();
        }
        AtomicReferenceArray<@Nullable Entry<T>> table = slots;
        int number;
        do {
            number = random.nextInt(lowest, beyond);
        } while (table.getPlain(number & table.length() - 1) != null);
        T value = factory.create(number);
        table.setRelease(number & table.length() - 1, new Entry<>(number, value));
        used++;
        return value;
    }

    /** The object with this number, or null. */
    @Nullable
    T get(int number) {
        AtomicReferenceArray<@Nullable Entry<T>> table = slots;
        Entry<T> entry = table.getAcquire(number & table.length() - 1);
        return entry != null && entry.number == number ? entry.value : null;
    }

    /** Changes whenever something was removed or replaced: while it stays the same, what was found once is still there. */
    int generation() {
        return generation;
    }

    /** Removes a value from its number; false if it is not there. Who looked it up before may still hold it. */
    synchronized boolean remove(int number, T value) {
        AtomicReferenceArray<@Nullable Entry<T>> table = slots;
        int slot = number & table.length() - 1;
        Entry<T> entry = table.getPlain(slot);
        if (entry == null || !entry.value.equals(value)) {
            return false;
        }
        table.setRelease(slot, null);
        used--;
        generation++;
        return true;
    }

    /** Puts another value in the place of one; false if that is not there. Who looked it up before may still hold it. */
    synchronized boolean replace(int number, T value, T next) {
        AtomicReferenceArray<@Nullable Entry<T>> table = slots;
        int slot = number & table.length() - 1;
        Entry<T> entry = table.getPlain(slot);
        if (entry == null || !entry.value.equals(value)) {
            return false;
        }
        table.setRelease(slot, new Entry<>(number, next));
        generation++;
        return true;
    }

    /** How many slots {@link #at} can be asked for; it may grow. */
    int slots() {
        return slots.length();
    }

    /** The object in a slot, or null; for visiting all. */
    @Nullable
    T at(int slot) {
        AtomicReferenceArray<@Nullable Entry<T>> table = slots;
        Entry<T> entry = slot < table.length() ? table.getAcquire(slot) : null;
        return entry == null ? null : entry.value;
    }

    private void grow() {
        AtomicReferenceArray<@Nullable Entry<T>> old = slots;
        AtomicReferenceArray<@Nullable Entry<T>> larger = new AtomicReferenceArray<>(old.length() * 2);
        for (int slot = 0; slot < old.length(); slot++) {
            Entry<T> entry = old.getPlain(slot);
            if (entry != null) {
                larger.setPlain(entry.number & larger.length() - 1, entry);
            }
        }
        slots = larger;
    }

    /** Makes the object that gets a number. */
    @FunctionalInterface
    interface Factory<T> {
        T create(int number);
    }

    private record Entry<T>(int number, T value) {}
}
