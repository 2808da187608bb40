package dev.doorbell.bench.cm;

import dev.doorbell.soft.SoftNetwork;
import java.util.concurrent.FutureTask;
import java.util.function.UnaryOperator;

/** Both ends and their devices in this process; who accepts has a thread of its own. */
final class LocalScene implements Scene {
    private final String name;
    private final int atATime;
    private final SoftNetwork network;
    private final End server;
    private final End client;

    /**
     * Opens both ends.
     *
     * @param atATime connections that are made at the same time
     */
    LocalScene(String name, Layer layer, boolean udp, int atATime, Addresses addresses) {
        this.name = name;
        this.atATime = atATime;
        SoftNetwork.Builder devices = SoftNetwork.builder()
                .device("client", addresses.device(Role.CLIENT))
                .device("server", addresses.device(Role.SERVER));
        network = udp ? devices.udp(UnaryOperator.identity()).build() : devices.build();
        server = layer.end(Role.SERVER, network, addresses);
        client = layer.end(Role.CLIENT, network, addresses);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Round play(int count) throws Exception {
        client.settle();
        long heapBefore = Scene.heap();
        long ringsBefore = client.ringBytes();
        FutureTask<Long> accepting = new FutureTask<>(() -> {
            server.hold(count, atATime);
            return System.nanoTime();
        });
        Thread.ofPlatform().daemon().name("server").start(accepting);
        long start = System.nanoTime();
        client.hold(count, atATime);
        long setUp = accepting.get() - start;
        long rings = client.ringBytes() - ringsBefore;
        long heap = Scene.heap() - heapBefore;
        long resumed = System.nanoTime();
        client.release();
        server.release();
        return new Round(count, setUp, System.nanoTime() - resumed, heap, rings);
    }

    @Override
    public void close() {
        client.close();
        server.close();
        network.close();
    }
}
