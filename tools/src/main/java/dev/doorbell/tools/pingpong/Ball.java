package dev.doorbell.tools.pingpong;

import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.RegisteredArena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The memory that messages come into and go out of: one buffer for both, as in the C programs, so that what came is what
 * goes back.
 *
 * <pre>
 *   0        headroom                        headroom + size
 *   | route  | message                       |
 *   └────────┴─ inbox ───────────────────────┘
 *            └─ outbox ──────────────────────┘
 * </pre>
 */
final class Ball {
    /** What a datagram brings along in front of its message: the global route header. */
    static final int HEADROOM = 40;

    private static final int PAGE_BYTES = 4096;
    private static final byte FILLING = 0x7b;
    private static final byte MARK = 0;

    private final MemorySlice inbox;
    private final MemorySlice outbox;
    private final MemorySegment message;

    Ball(RegisteredArena arena, int headroom, int size) {
        this.inbox = arena.allocateSlice((long) headroom + size, PAGE_BYTES);
        this.outbox = inbox.slice(headroom, size);
        this.message = outbox.segment();
        inbox.segment().fill(FILLING);
    }

    MemorySlice inbox() {
        return inbox;
    }

    MemorySlice outbox() {
        return outbox;
    }

    /** The bytes of the outbox. */
    MemorySegment message() {
        return message;
    }

    /** Marks the first byte of each page, so that a server with {@code -c} finds it. */
    void mark() {
        for (long at = 0; at < message.byteSize(); at += PAGE_BYTES) {
            message.set(ValueLayout.JAVA_BYTE, at, MARK);
        }
    }

    /** The first page from {@code from} on whose mark is not there; -1 if all are. */
    int pageWithoutMark(int from) {
        for (long page = from; page * PAGE_BYTES < message.byteSize(); page++) {
            if (message.get(ValueLayout.JAVA_BYTE, page * PAGE_BYTES) != MARK) {
                return (int) page;
            }
        }
        return -1;
    }
}
