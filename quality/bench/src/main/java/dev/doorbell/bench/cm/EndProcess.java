package dev.doorbell.bench.cm;

import dev.doorbell.soft.SoftNetwork;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/**
 * One end as a process: {@code EndProcess LAYER client|server LANE}. It prints "ready"; then it reads an order a line, and answers
 * with a number: bytes, or how many nanoseconds it took.
 */
final class EndProcess {
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private EndProcess() {}

    static void main(String[] arguments) throws Exception {
        Role role = Role.of(arguments[1]);
        Addresses addresses = new Addresses(Integer.parseInt(arguments[2]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (SoftNetwork network = SoftNetwork.builder()
                        .device("soft0", addresses.device(role))
                        .udp(UnaryOperator.identity())
                        .build();
                End end = Layer.of(arguments[0]).end(role, network, addresses)) {
            OUT.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                OUT.println(carryOut(end, line.split(" ")));
            }
        }
    }

    private static long carryOut(End end, String... order) throws Exception {
        long start = System.nanoTime();
        switch (order[0]) {
            case "settle" -> end.settle();
            case "heap" -> {
                return Scene.heap();
            }
            case "rings" -> {
                return end.ringBytes();
            }
            case "hold" -> end.hold(Integer.parseInt(order[1]), order.length > 2 ? Integer.parseInt(order[2]) : 1);
            case "release" -> end.release();
            default -> throw new IllegalArgumentException(order[0]);
        }
        return System.nanoTime() - start;
    }
}
