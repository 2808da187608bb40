package dev.doorbell.soft.cm;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Deadlines of many things, each of which has one at most: a binary heap in which each knows its place. */
final class CmTimers {
    private static final int INITIAL = 16;

    private @Nullable Timed[] heap = new @Nullable Timed[INITIAL];
    private int size;

    /** Sets the only deadline of something. */
    void set(Timed timed, long deadlineNs) {
        timed.deadlineNs = deadlineNs;
        if (timed.slot == Timed.UNSCHEDULED) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
            }
            place(timed, size++);
        }
        rise(timed);
        sink(timed);
    }

    /** Takes the deadline of something away, if it has one. */
    void cancel(Timed timed) {
        int slot = timed.slot;
        if (slot == Timed.UNSCHEDULED) {
            return;
        }
        timed.slot = Timed.UNSCHEDULED;
        timed.deadlineNs = Long.MAX_VALUE;
        Timed last = at(--size);
        heap[size] = null;
        if (slot != size) {
            place(last, slot);
            rise(last);
            sink(last);
        }
    }

    /** The earliest deadline; {@link Long#MAX_VALUE} for none. */
    long nextDeadlineNs() {
        return size == 0 ? Long.MAX_VALUE : at(0).deadlineNs;
    }

    /** Lets everything expire whose deadline has come. Returns whether anything did. */
    boolean expire(long nowNs) {
        boolean any = false;
        while (size > 0 && at(0).deadlineNs <= nowNs) {
            Timed first = at(0);
            cancel(first);
            first.expire(nowNs);
            any = true;
        }
        return any;
    }

    int size() {
        return size;
    }

    private void rise(Timed timed) {
        int slot = timed.slot;
        while (slot > 0 && at((slot - 1) / 2).deadlineNs > timed.deadlineNs) {
            place(at((slot - 1) / 2), slot);
            slot = (slot - 1) / 2;
        }
        place(timed, slot);
    }

    private void sink(Timed timed) {
        int slot = timed.slot;
        for (int child = 2 * slot + 1; child < size; child = 2 * slot + 1) {
            if (child + 1 < size && at(child + 1).deadlineNs < at(child).deadlineNs) {
                child++;
            }
            if (at(child).deadlineNs >= timed.deadlineNs) {
                break;
            }
            place(at(child), slot);
            slot = child;
        }
        place(timed, slot);
    }

    private Timed at(int slot) {
        Timed timed = heap[slot];
        if (timed == null) {
            throw new IllegalStateException("slot " + slot + " of " + size + " is empty");
        }
        return timed;
    }

    private void place(Timed timed, int slot) {
        heap[slot] = timed;
        timed.slot = slot;
    }
}
