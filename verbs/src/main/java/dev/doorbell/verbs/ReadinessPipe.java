package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A pipe that is readable while there may be an event: what a selector can wait for. Each raising that changes anything
 * puts one byte in, each lowering that changes anything takes one out; which one does not matter.
 *
 * <p>Raising never blocks. Both ends are in non-blocking mode, in which an interrupted thread does not close them.
 */
final class ReadinessPipe implements AutoCloseable {
    private static final long LINGER_NS = 1_000_000_000;
    private static final long LINGER_STEP_NS = 10_000_000;

    private enum State {
        LOW,
        /** Somebody is about to put the byte in. */
        RISING,
        HIGH
    }

    private final Pipe pipe;
    private final AtomicReference<State> state = new AtomicReference<>(State.LOW);

    private ReadinessPipe(Pipe pipe) {
        this.pipe = pipe;
    }

    static ReadinessPipe open(String name) {
        try {
            Pipe pipe = Pipe.open();
            pipe.sink().configureBlocking(false);
            pipe.source().configureBlocking(false);
            return new ReadinessPipe(pipe);
        } catch (IOException e) {
            throw Refusal.of(Errno.EMFILE, "make selectable", name)
                    .rule("the pipe for a selector cannot be made: " + e.getMessage())
                    .remedy("Close files that are not needed, or raise the limit (ulimit -n)")
                    .cause(e)
                    .exception();
        }
    }

    SelectableChannel source() {
        return pipe.source();
    }

    /** Makes it readable. Any thread, also in the middle of a device's work. */
    void raise() {
        if (state.compareAndSet(State.LOW, State.RISING)) {
            try {
                transfer(true);
            } finally {
                state.set(State.HIGH);
            }
        }
    }

    /**
     * Makes it unreadable. Whoever lowers it looks for events afterwards, and raises it again if there is one.
     *
     * <p>While it is being raised this waits: the byte may be in already, and a selector would go round for as long as whoever put
     * it in is kept from saying so.
     */
    void lower() {
        while (state.get() == State.RISING) {
            Thread.yield();
        }
        if (state.compareAndSet(State.HIGH, State.LOW)) {
            transfer(false);
        }
    }

    private void transfer(boolean in) {
        ByteBuffer one = ByteBuffer.allocate(1);
        try {
            int moved = in ? pipe.sink().write(one) : pipe.source().read(one);
            assert moved == 1 || !pipe.sink().isOpen();
        } catch (IOException e) {
            // Closed meanwhile: nobody selects it any more.
        }
    }

    /**
     * Closes what raises it, which makes it readable for ever. What a selector watches stays open for a moment, or until
     * {@link #abandon}: a selector that is just about to wait for a closed channel would not return.
     */
    @Override
    public void close() {
        try {
            pipe.sink().close();
            synchronized (pipe.source().blockingLock()) {
                if (!pipe.source().isRegistered()) {
                    pipe.source().close();
                    return;
                }
            }
            Thread.ofVirtual().name("doorbell-close-selectable").start(this::linger);
        } catch (IOException e) {
            // Nothing is left to be freed.
        }
    }

    /** Closes the rest when no selector watches it any more, and at last anyhow. */
    private void linger() {
        long start = System.nanoTime();
        while (pipe.source().isRegistered() && System.nanoTime() - start < LINGER_NS) {
            LockSupport.parkNanos(LINGER_STEP_NS);
        }
        abandon();
    }

    /** Closes the rest: its selector has returned. */
    void abandon() {
        try {
            pipe.source().close();
        } catch (IOException e) {
            // Nothing is left to be freed.
        }
    }
}
