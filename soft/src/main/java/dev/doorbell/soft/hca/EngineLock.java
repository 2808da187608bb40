package dev.doorbell.soft.hca;

import dev.doorbell.memory.SpinLock;

/**
 * A lock of the engine with its place in the order of locks: a thread takes them upwards only, and holds one of a level
 * at a time. That order is what keeps queue pairs that work on each other from waiting for each other. With assertions
 * enabled every acquisition is checked against it.
 */
final class EngineLock {
    private static final ThreadLocal<int[]> HELD = ThreadLocal.withInitial(() -> new int[1]);

    private final SpinLock lock = new SpinLock();
    private final Level level;

    /** The levels, in the order in which they may be taken. */
    enum Level {
        REQUESTER,
        RESPONDER,
        SHARED_RECEIVE_QUEUE,
        COMPLETION_QUEUE
    }

    EngineLock(Level level) {
        this.level = level;
    }

    void lock() {
        assert enters();
        lock.lock();
    }

    void unlock() {
        lock.unlock();
        assert leaves();
    }

    private boolean enters() {
        int[] held = HELD.get();
        boolean upwards = held[0] >>> level.ordinal() == 0;
        held[0] |= 1 << level.ordinal();
        return upwards;
    }

    private boolean leaves() {
        int[] held = HELD.get();
        boolean wasHeld = (held[0] >>> level.ordinal() & 1) == 1;
        held[0] &= ~(1 << level.ordinal());
        return wasHeld;
    }
}
