package dev.doorbell.bench;

import dev.doorbell.verbs.CompletionCursor;

/**
 * One thread on both sides of a connection: what a SEND and its receive cost without another processor. The difference to
 * half a round trip is what the way between two processors costs.
 */
final class SendReceive implements Measurement {
    private static final int MESSAGES_PER_CHUNK = 1024;

    private final Duel duel;
    private final int chunks;
    private final Loopback loopback = Loopback.onSoft();
    private final Player sender = new Player(loopback.left());
    private final Player receiver = new Player(loopback.right());

    SendReceive(Duel duel, int chunks) {
        this.duel = duel;
        this.chunks = chunks;
    }

    @Override
    public String name() {
        return "SEND of 8 bytes inline and its receive, one thread";
    }

    @Override
    public double round() {
        return duel.alone(() -> {
            Patience patience = new Patience();
            double[] times = new double[chunks];
            for (int chunk = 0; chunk < chunks; chunk++) {
                long start = System.nanoTime();
                for (int i = 0; i < MESSAGES_PER_CHUNK; i++) {
                    sender.send(Player.Payload.INLINE);
                    sender.keepHouse();
                    try (CompletionCursor poll = receiver.poll()) {
                        receiver.receive(poll, patience);
                    }
                    receiver.keepHouse();
                }
                times[chunk] = System.nanoTime() - start;
            }
            return Figure.median(times) / MESSAGES_PER_CHUNK;
        });
    }

    @Override
    public void close() {
        loopback.close();
    }
}
