package dev.doorbell.bench.udp;

import dev.doorbell.bench.Figure;
import dev.doorbell.bench.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Eight bytes there and back by bare datagrams; both ends poll. */
final class BarePingPong implements Player {
    /** Round trips between two looks at the clock, as in udp.c. */
    static final int TRIPS = 200;

    private static final int ROOM = 1 << 16;

    private final Role role;
    private final BareSocket socket;
    private final Patience patience = new Patience();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment outgoing = arena.allocate(Long.BYTES, Long.BYTES);
    private final MemorySegment incoming = arena.allocate(ROOM, Long.BYTES);

    BarePingPong(Role role, BareSocket socket) {
        this.role = role;
        this.socket = socket;
    }

    @Override
    public double play(long chunks) {
        double[] times = new double[(int) chunks];
        for (int chunk = 0; chunk < times.length; chunk++) {
            long start = System.nanoTime();
            for (int trip = 0; trip < TRIPS; trip++) {
                trip(trip);
            }
            times[chunk] = (double) (System.nanoTime() - start) / TRIPS;
        }
        return Figure.median(times);
    }

    private void trip(long number) {
        if (role == Role.CLIENT) {
            send(number);
            expect(number);
        } else {
            expect(number);
            send(number);
        }
    }

    private void send(long number) {
        outgoing.set(ValueLayout.JAVA_LONG, 0, number);
        socket.send(outgoing, 0, Long.BYTES);
    }

    private void expect(long number) {
        for (int looks = 1; socket.receive(incoming) < 0; looks++) {
            patience.check(looks);
        }
        long got = incoming.get(ValueLayout.JAVA_LONG, 0);
        if (got != number) {
            throw new IllegalStateException("message " + number + " says " + got);
        }
    }

    @Override
    public void close() {
        socket.close();
        arena.close();
    }
}
