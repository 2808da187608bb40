package dev.doorbell.bench.udp;

import dev.doorbell.bench.Figure;
import dev.doorbell.bench.Patience;
import dev.doorbell.verbs.CompletionCursor;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SendBatch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Eight bytes there and back over RC: as SENDs for which the completion queue is polled, or as WRITEs for which memory is
 * polled. One send in so many asks for a completion.
 */
final class DoorbellPingPong implements Player {
    private static final int BATCH = 16;
    private static final int STRIDE = 128;
    private static final VarHandle SEEN = ValueLayout.JAVA_LONG.varHandle();

    private final Role role;
    private final DoorbellEnd end;
    private final boolean writes;
    private final Patience patience = new Patience();
    private final MemorySegment outgoing;
    private final MemorySegment incoming;
    private final MemorySlice[] places = new MemorySlice[DoorbellEnd.DEPTH];
    private long sent;
    private long received;
    private long posted;

    /**
     * @param writes whether the bytes go by WRITE, and their end is seen in memory
     */
    DoorbellPingPong(Role role, DoorbellEnd end, boolean writes) {
        this.role = role;
        this.end = end;
        this.writes = writes;
        this.outgoing = end.source.segment();
        this.incoming = end.target.segment();
        for (int place = 0; place < places.length; place++) {
            places[place] = end.target.slice((long) place * STRIDE, Long.BYTES);
        }
        if (!writes) {
            postReceives(DoorbellEnd.DEPTH);
        }
    }

    @Override
    public double play(long chunks) {
        double[] times = new double[(int) chunks];
        for (int chunk = 0; chunk < times.length; chunk++) {
            long start = System.nanoTime();
            trips();
            times[chunk] = (double) (System.nanoTime() - start) / BarePingPong.TRIPS;
        }
        return Figure.median(times);
    }

    /** A thread that does nothing else keeps its round of polling open for many messages. */
    private void trips() {
        try (CompletionCursor poll = writes ? end.sends.poll() : end.receives.poll()) {
            for (int trip = 0; trip < BarePingPong.TRIPS; trip++) {
                trip(poll);
            }
        }
    }

    private void trip(CompletionCursor poll) {
        if (role == Role.CLIENT) {
            send();
            keepHouse();
            receive(poll);
        } else {
            receive(poll);
            send();
            keepHouse();
        }
    }

    private void send() {
        sent++;
        outgoing.set(ValueLayout.JAVA_LONG, 0, sent);
        try (SendBatch batch = end.queuePair.batch()) {
            if (writes) {
                batch.write(sent, end.peer(), 0);
            } else {
                batch.send(sent);
            }
            batch.inline(outgoing, 0, Long.BYTES);
            if (sent % BATCH == 0) {
                batch.signaled();
            }
            batch.submit();
        }
    }

    private void receive(CompletionCursor poll) {
        received++;
        long value = writes ? pollMemory(poll) : pollCompletions(poll);
        if (value != received) {
            throw new IllegalStateException("message " + received + " says " + value);
        }
    }

    private long pollCompletions(CompletionCursor poll) {
        for (int looks = 1; !poll.next(); looks++) {
            patience.check(looks);
        }
        long place = poll.requireSuccess().id();
        return incoming.get(ValueLayout.JAVA_LONG, place * STRIDE);
    }

    /** The embedded device runs in the thread that polls a completion queue, so that is looked at too. */
    private long pollMemory(CompletionCursor poll) {
        for (int looks = 1; (long) SEEN.getAcquire(incoming, 0L) < received; looks++) {
            if (poll.next()) {
                poll.requireSuccess();
            }
            patience.check(looks);
        }
        return (long) SEEN.getAcquire(incoming, 0L);
    }

    /** What has time until the answer comes. */
    private void keepHouse() {
        if (writes) {
            return;
        }
        if (sent % BATCH == 0) {
            try (CompletionCursor poll = end.sends.poll()) {
                while (poll.next()) {
                    poll.requireSuccess();
                }
            }
        }
        if (posted - received <= DoorbellEnd.DEPTH - BATCH) {
            postReceives(BATCH);
        }
    }

    private void postReceives(int count) {
        try (ReceiveBatch batch = end.queuePair.receives()) {
            for (int i = 0; i < count; i++) {
                int place = (int) (posted++ % DoorbellEnd.DEPTH);
                batch.receive(place).sge(places[place]);
            }
            batch.submit();
        }
    }

    @Override
    public void close() {
        end.close();
    }
}
