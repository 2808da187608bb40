package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Objects of one kind in one context, by handle. The kinds of a context share one space of positive, random numbers, so
 * that a stale handle, or one of another kind, hits nothing rather than a stranger. Guarded by the context's lock.
 */
final class Handles<T> {
    private final RandomGenerator random;
    private final Set<Integer> taken;
    private final Map<Integer, T> objects = new HashMap<>();

    /**
     * An empty table.
     *
     * @param taken the handles of all kinds
     */
    Handles(RandomGenerator random, Set<Integer> taken) {
        this.random = random;
        this.taken = taken;
    }

    /** Takes a number that no object has. */
    int reserve() {
        int handle;
        do {
            handle = random.nextInt(1, Integer.MAX_VALUE);
        } while (!taken.add(handle));
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

    /** Why {@link #find} found nothing: ENOENT for a handle that nothing has, EINVAL for one of another kind. */
    int refusal(int handle) {
        return taken.contains(handle) ? Errno.EINVAL : Errno.ENOENT;
    }

    void remove(int handle) {
        objects.remove(handle);
        taken.remove(handle);
    }

    /** Empties the table and returns what was in it. */
    List<T> drain() {
        List<T> all = new ArrayList<>(objects.values());
        taken.removeAll(objects.keySet());
        objects.clear();
        return all;
    }
}
