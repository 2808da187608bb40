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
 * Two threads, a queue pair each: one sends eight bytes, the other polls for them, checks them and sends them back.
 *
 * <p>As latency tests do it: receives are posted ahead and posted again in batches, only one send in so many asks for a
 * completion, and that work comes after the answer has left.
 */
final class SendPingPong implements Measurement {
    /** How the bytes get into a work request. */
    enum Payload {
        INLINE,
        ELEMENT
    }

    private static final int BATCH = 32;

    private final Duel duel;
    private final int chunks;
    private final Payload payload;
    private final Loopback loopback = Loopback.onSoft();
    private final Player first = new Player(loopback.left());
    private final Player second = new Player(loopback.right());

    SendPingPong(Duel duel, int chunks, Payload payload) {
        this.duel = duel;
        this.chunks = chunks;
        this.payload = payload;
    }

    @Override
    public String name() {
        return "RC SEND ping-pong, 8 bytes " + (payload == Payload.INLINE ? "inline" : "in an element")
                + ", round trip";
    }

    @Override
    public double round() {
        return duel.run(() -> measure(first), () -> answer(second));
    }

    private double measure(Player player) {
        Patience patience = new Patience();
        double[] times = new double[chunks];
        for (int chunk = 0; chunk < chunks; chunk++) {
            long start = System.nanoTime();
            for (int trip = 0; trip < PingPong.TRIPS_PER_CHUNK; trip++) {
                player.send(payload);
                player.keepHouse();
                player.receive(patience);
            }
            times[chunk] = System.nanoTime() - start;
        }
        return Figure.median(times) / PingPong.TRIPS_PER_CHUNK;
    }

    private void answer(Player player) {
        Patience patience = new Patience();
        for (long trip = (long) chunks * PingPong.TRIPS_PER_CHUNK; trip > 0; trip--) {
            player.receive(patience);
            player.send(payload);
            player.keepHouse();
        }
    }

    @Override
    public void close() {
        loopback.close();
    }

    /** One side of the game. */
    private static final class Player {
        private final Side side;
        private final MemorySegment outgoing;
        private final MemorySegment incoming;
        private final MemorySlice message;
        private final MemorySlice[] places = new MemorySlice[Loopback.DEPTH];

        private long sent;
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

        private void send(Payload payload) {
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

        private void receive(Patience patience) {
            try (CompletionCursor poll = side.receives.poll()) {
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
        }

        /** What has time until the answer comes. */
        private void keepHouse() {
            if (sent % BATCH == 0) {
                reap(side.sends);
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
}
