package dev.doorbell.linux.syscall;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Waits for one descriptor to have something to read. */
final class InputPoll {
    /** A struct {@code pollfd} (int fd, short events, short revents), then a {@code timespec} (two longs). */
    private static final int EVENTS = 4;

    private static final int TIME = 8;
    private static final int SIZE = TIME + 2 * Long.BYTES;
    private static final short POLLIN = 1;
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private InputPoll() {}

    /** 1 if there is, 0 when the time was up or a signal came, or a negative errno. */
    static int await(int fd, long timeoutNs) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment call = arena.allocate(SIZE, Long.BYTES);
            call.set(ValueLayout.JAVA_INT, 0, fd);
            call.set(ValueLayout.JAVA_SHORT, EVENTS, POLLIN);
            call.set(ValueLayout.JAVA_LONG, TIME, timeoutNs / NS_PER_SECOND);
            call.set(ValueLayout.JAVA_LONG, TIME + Long.BYTES, timeoutNs % NS_PER_SECOND);
            return Libc.poll(call.address(), 1, call.address() + TIME);
        }
    }
}
