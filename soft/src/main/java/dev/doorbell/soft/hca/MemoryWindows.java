package dev.doorbell.soft.hca;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The device's memory windows by key. Windows have the upper half of the keys, memory regions the lower, so that a key
 * says what it belongs to.
 */
final class MemoryWindows {
    /** The first index above a key byte that belongs to a window. */
    static final int FIRST_INDEX = 1 << 23;

    private static final int BEYOND = 1 << 24;

    private final NumberTable<HcaMemoryWindow> table;
    private final RandomGenerator random;

    MemoryWindows(RandomGenerator random, int limit) {
        this.random = random;
        this.table = new NumberTable<>(random, FIRST_INDEX, BEYOND, limit);
    }

    /** Whether a key belongs to a window. */
    static boolean owns(int key) {
        return key < 0;
    }

    /** A window that is not bound; null if there are too many. */
    @Nullable
    HcaMemoryWindow allocate(HcaProtectionDomain domain, int type) {
        return table.add(index -> {
            int keyByte = random.nextInt(1 << MemoryRegions.KEY_BYTE_BITS);
            return new HcaMemoryWindow(this, index << MemoryRegions.KEY_BYTE_BITS | keyByte, domain, type);
        });
    }

    /** The window that has, or had, this key; null if there is none. Whether the key is valid is for the window to say. */
    @Nullable
    HcaMemoryWindow find(int key) {
        return table.get(key >>> MemoryRegions.KEY_BYTE_BITS);
    }

    boolean remove(HcaMemoryWindow window) {
        return table.remove(window.index(), window);
    }
}
