package dev.doorbell.verbs;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a context that asynchronous events can concern, by the cookie that the kernel puts into the records. They
 * are not kept alive by it.
 */
final class EventTargets {
    private final AtomicLong lastCookie = new AtomicLong();
    private final Map<Long, WeakReference<Object>> targets = new ConcurrentHashMap<>();

    /** A cookie for an object that is about to be created; never zero. */
    long newCookie() {
        return lastCookie.incrementAndGet();
    }

    /** The object was created. */
    void put(long cookie, Object target) {
        targets.put(cookie, new WeakReference<>(target));
    }

    /** The object is gone: events that are still on their way concern nobody. */
    void remove(long cookie) {
        targets.remove(cookie);
    }

    @Nullable
    Object find(long cookie) {
        WeakReference<Object> reference = targets.get(cookie);
        return reference == null ? null : reference.get();
    }
}
