package dev.doorbell.bench;

import dev.doorbell.bench.Loopback.Side;
import dev.doorbell.verbs.CompletionCursor;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SendBatch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One side of a ping-pong: sends eight bytes, and polls for those of the other side and checks them.
 *
 * <p>Not for two threads at a time.
 */
final class Player {
    /** How the bytes get into a work request. */
    enum Payload {
        INLINE,
        ELEMENT
    }

    private static final int BATCH = 32;

    private final Side side;
    private final MemorySegment outgoing;
    private final MemorySegment incoming;
    private final MemorySlice message;
    private final MemorySlice[] places = new MemorySlice[Loopback.DEPTH];

    private long sent;
    private long reaped;
    private long received;
    private long posted;

    Player(Side side) {
        this.side = side;
        this.message = side.source.slice(0, Long.BYTES);
        this.outgoing = message.segment();
        this.incoming = side.target.segment();
        for (int place = 0; place < places.length; place++) {
            places[place] = side.target.slice(place * Loopback.STRIDE, Long.BYTES);
        }
        postReceives(Loopback.DEPTH);
    }

    void send(Payload payload) {
        sent++;
        outgoing.set(ValueLayout.JAVA_LONG, 0, sent);
        try (SendBatch batch = side.queuePair.batch()) {
            batch.send(sent);
            if (payload == Payload.INLINE) {
                batch.inline(outgoing, 0, Long.BYTES);
            } else {
                batch.sge(message);
            }
            if (sent % BATCH == 0) {
                batch.signaled();
            }
            batch.submit();
        }
    }

    /** Opens a round of polling; a thread that does nothing else keeps it open for many messages. */
    CompletionCursor poll() {
        return side.receives.poll();
    }

    /** Waits for the next message and checks it. */
    void receive(CompletionCursor poll, Patience patience) {
        for (int spins = 1; !poll.next(); spins++) {
            patience.check(spins);
        }
        long place = poll.requireSuccess().id();
        received++;
        long value = incoming.get(ValueLayout.JAVA_LONG, place * Loopback.STRIDE);
        if (value != received) {
            throw new IllegalStateException("message " + received + " says " + value);
        }
    }

    /** What has time until the answer comes. */
    void keepHouse() {
        if (sent - reaped >= BATCH) {
            reap(side.sends);
            reaped = sent;
        }
        if (posted - received <= Loopback.DEPTH - BATCH) {
            postReceives(BATCH);
        }
    }

    private static void reap(CompletionQueue sends) {
        try (CompletionCursor poll = sends.poll()) {
            while (poll.next()) {
                poll.requireSuccess();
            }
        }
    }

    private void postReceives(int count) {
        try (ReceiveBatch batch = side.queuePair.receives()) {
            for (int i = 0; i < count; i++) {
                int place = (int) (posted++ % Loopback.DEPTH);
                batch.receive(place).sge(places[place]);
            }
            batch.submit();
        }
    }
}
