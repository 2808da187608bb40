package dev.doorbell.soft.kernel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Objects of one kind in one context, by handle. Handles are positive and random, so that a stale one, or one of another
 * kind, hits nothing rather than a stranger. Guarded by the context's lock.
 */
final class Handles<T> {
    private final RandomGenerator random;
    private final Map<Integer, T> objects = new HashMap<>();

    Handles(RandomGenerator random) {
        this.random = random;
    }

    /** A number that no object has. */
    int reserve() {
        int handle;
        do {
            handle = random.nextInt(1, Integer.MAX_VALUE);
        } while (objects.containsKey(handle));
        return handle;
    }

    /** Adds an object under a handle that was reserved. */
    void put(int handle, T object) {
        objects.put(handle, object);
    }

    /** Adds an object under a new handle. */
    int add(T object) {
        int handle = reserve();
        objects.put(handle, object);
        return handle;
    }

    @Nullable
    T find(int handle) {
        return objects.get(handle);
    }

    void remove(int handle) {
        objects.remove(handle);
    }

    /** Empties the table and returns what was in it. */
    List<T> drain() {
        List<T> all = new ArrayList<>(objects.values());
        objects.clear();
        return all;
    }
}
