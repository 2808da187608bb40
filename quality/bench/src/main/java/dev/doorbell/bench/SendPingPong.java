package dev.doorbell.bench;

import dev.doorbell.verbs.CompletionCursor;

/**
 * Two threads, a queue pair each: one sends eight bytes, the other polls for them, checks them and sends them back.
 *
 * <p>As latency tests do it: receives are posted ahead and posted again in batches, only one send in so many asks for a
 * completion, and that work comes after the answer has left.
 */
final class SendPingPong implements Measurement {
    private final Duel duel;
    private final int chunks;
    private final Player.Payload payload;
    private final Loopback loopback = Loopback.onSoft();
    private final Player first = new Player(loopback.left());
    private final Player second = new Player(loopback.right());

    SendPingPong(Duel duel, int chunks, Player.Payload payload) {
        this.duel = duel;
        this.chunks = chunks;
        this.payload = payload;
    }

    @Override
    public String name() {
        return "RC SEND ping-pong, 8 bytes " + (payload == Player.Payload.INLINE ? "inline" : "in an element")
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
            trips(player, patience);
            times[chunk] = System.nanoTime() - start;
        }
        return Figure.median(times) / PingPong.TRIPS_PER_CHUNK;
    }

    private void trips(Player player, Patience patience) {
        try (CompletionCursor poll = player.poll()) {
            for (int trip = 0; trip < PingPong.TRIPS_PER_CHUNK; trip++) {
                player.send(payload);
                player.keepHouse();
                player.receive(poll, patience);
            }
        }
    }

    private void answer(Player player) {
        Patience patience = new Patience();
        for (int chunk = 0; chunk < chunks; chunk++) {
            answers(player, patience);
        }
    }

    private void answers(Player player, Patience patience) {
        try (CompletionCursor poll = player.poll()) {
            for (int trip = 0; trip < PingPong.TRIPS_PER_CHUNK; trip++) {
                player.receive(poll, patience);
                player.send(payload);
                player.keepHouse();
            }
        }
    }

    @Override
    public void close() {
        loopback.close();
    }
}
