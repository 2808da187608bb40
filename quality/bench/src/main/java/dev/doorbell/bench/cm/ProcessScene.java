package dev.doorbell.bench.cm;

import dev.doorbell.bench.PeerProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Each end with its device in a process of its own, joined by UDP on loopback. */
final class ProcessScene implements Scene {
    private final String name;
    private final int atATime;
    private final PeerProcess server;
    private final PeerProcess client;

    /** Starts both ends. */
    ProcessScene(String name, Layer layer, int atATime, Addresses addresses) {
        this.name = name;
        this.atATime = atATime;
        server = start(layer, Role.SERVER, addresses);
        client = start(layer, Role.CLIENT, addresses);
        server.hear();
        client.hear();
    }

    private static PeerProcess start(Layer layer, Role role, Addresses addresses) {
        String java = ProcessHandle.current().info().command().orElse("java");
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(List.of(System.getProperty("doorbell.bench.options", "").split("\n")));
        command.addAll(
                List.of(EndProcess.class.getName(), layer.word(), role.word(), Integer.toString(addresses.lane())));
        return new PeerProcess(command, Map.of());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Round play(int count) {
        client.ask("settle");
        server.ask("settle");
        long heapBefore = client.ask("heap") + server.ask("heap");
        long ringsBefore = client.ask("rings") + server.ask("rings");
        server.tell("hold " + count + " " + atATime);
        long setUp = client.ask("hold " + count + " " + atATime);
        server.hear();
        long rings = client.ask("rings") + server.ask("rings") - ringsBefore;
        long heap = client.ask("heap") + server.ask("heap") - heapBefore;
        long tearDown = client.ask("release") + server.ask("release");
        return new Round(count, setUp, tearDown, heap, rings);
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
