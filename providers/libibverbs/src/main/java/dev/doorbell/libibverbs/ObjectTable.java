package dev.doorbell.libibverbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.verbs.spi.VerbsFault;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Pointers of the library by the numbers by which the API names objects: handles, keys, descriptors. Address handles, which a
 * datagram names each time it is sent, are found without allocating; the others are for rare operations.
 *
 * <p>Thread rules: any thread.
 */
final class ObjectTable {
    private static final int FIRST_SIZE = 16;

    private final Map<Integer, Long> domains = new ConcurrentHashMap<>();
    private final Map<Integer, Long> channels = new ConcurrentHashMap<>();
    private final Map<Integer, Long> regions = new ConcurrentHashMap<>();
    private final Map<Integer, LibraryWindow> windows = new ConcurrentHashMap<>();
    private volatile long[] addressHandles = new long[FIRST_SIZE];

    void putDomain(int handle, long pointer) {
        domains.put(handle, pointer);
    }

    /** Throws EINVAL for one that there is not. */
    long domain(int handle) {
        Long pointer = domains.get(handle);
        if (pointer == null) {
            throw new VerbsFault(Errno.EINVAL, "protection domain " + handle);
        }
        return pointer;
    }

    void removeDomain(int handle) {
        domains.remove(handle);
    }

    void putChannel(int descriptor, long pointer) {
        channels.put(descriptor, pointer);
    }

    /** 0 for descriptor -1, which stands for none; throws EBADF for one that there is not. */
    long channel(int descriptor) {
        Long pointer = descriptor < 0 ? Long.valueOf(0) : channels.get(descriptor);
        if (pointer == null) {
            throw new VerbsFault(Errno.EBADF, "completion channel " + descriptor);
        }
        return pointer;
    }

    void removeChannel(int descriptor) {
        channels.remove(descriptor);
    }

    void putRegion(int lkey, long pointer) {
        regions.put(lkey, pointer);
    }

    /** 0 if there is none. */
    long region(int lkey) {
        return regions.getOrDefault(lkey, 0L);
    }

    void removeRegion(int lkey, long pointer) {
        regions.remove(lkey, pointer);
    }

    /** Windows are found by what stays of their key: its last byte changes with each bind. */
    void putWindow(LibraryWindow window) {
        windows.put(window.rkey() >>> Byte.SIZE, window);
    }

    /** The window that has a key, had it or will have it. */
    @Nullable
    LibraryWindow window(int key) {
        return windows.get(key >>> Byte.SIZE);
    }

    void removeWindow(LibraryWindow window) {
        windows.remove(window.rkey() >>> Byte.SIZE, window);
    }

    /** Numbers an address handle, from 1. */
    synchronized int putAddressHandle(long pointer) {
        long[] now = addressHandles;
        int free = 1;
        while (free < now.length && now[free] != 0) {
            free++;
        }
        long[] next = Arrays.copyOf(now, free < now.length ? now.length : now.length * 2);
        next[free] = pointer;
        addressHandles = next;
        return free;
    }

    synchronized void removeAddressHandle(int number) {
        long[] next = addressHandles.clone();
        next[number] = 0;
        addressHandles = next;
    }

    /** 0 if there is none. Part of the data path. */
    long addressHandle(int number) {
        long[] now = addressHandles;
        return number >= 0 && number < now.length ? now[number] : 0;
    }
}
