package dev.doorbell.soft.kernel;

import dev.doorbell.memory.SpinLock;
import dev.doorbell.soft.hca.ManagementSink;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.cm.CmMad;
import dev.doorbell.wire.cm.MadDefect;
import dev.doorbell.wire.cm.MadHeader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Management datagrams between whoever takes packets off the link, who must not be held up, and whoever understands them. A
 * full inbox loses what comes: whoever sent it sends it again. Nobody is told that something came: who took it off the link looks
 * here next, and who sent it to the own device has the connection manager's lock, and looks when it lets go of that.
 *
 * <p>Thread rules: any thread.
 */
final class MadInbox implements ManagementSink {
    private static final int CAPACITY = 1024;

    /** A message, and the addresses that it came from and was sent to. */
    record Letter(CmMad mad, Gid source, Gid destination) {}

    private final Deque<Letter> letters = new ArrayDeque<>();
    private final SpinLock lock = new SpinLock();
    private volatile int waiting;

    @Override
    public void onDatagram(MemorySegment memory, long at, int length, Gid source, Gid destination) {
        if (waiting >= CAPACITY || length > MadHeader.MAD_BYTES || CmMad.check(memory, at, length) != MadDefect.NONE) {
            return;
        }
        Letter letter = new Letter(CmMad.read(memory, at), source, destination);
        lock.lock();
        try {
            letters.add(letter);
            waiting = letters.size();
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        return waiting == 0;
    }

    @Nullable
    Letter poll() {
        if (waiting == 0) {
            return null;
        }
        lock.lock();
        try {
            Letter letter = letters.poll();
            waiting = letters.size();
            return letter;
        } finally {
            lock.unlock();
        }
    }
}
