package dev.doorbell.bench.udp;

import dev.doorbell.bench.Affinity;
import dev.doorbell.bench.CCompiler;
import dev.doorbell.bench.Figure;
import dev.doorbell.bench.Interleaved;
import dev.doorbell.bench.Machine;
import dev.doorbell.bench.Measurement;
import dev.doorbell.bench.udp.UdpOptions.Part;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Measures Doorbell over UDP and bare UDP in turn, and prints the tables of docs/perf/udp.md. */
final class UdpBench {
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private static final double NS_PER_US = 1000;

    private final UdpOptions options;
    private final Optional<Affinity> affinity;
    private final Optional<Path> c;

    private UdpBench(UdpOptions options, Optional<Affinity> affinity, Optional<Path> c) {
        this.options = options;
        this.affinity = affinity;
        this.c = c;
    }

    static void main(String[] arguments) {
        UdpOptions options;
        try {
            options = UdpOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            OUT.println("bench: " + e.getMessage());
            System.exit(64);
            return;
        }
        if (Runtime.getRuntime().availableProcessors() < 2) {
            OUT.println("bench: SKIPPED: needs two processors: both ends poll");
            return;
        }
        if (!System.getProperty("os.name").equals("Linux")) {
            OUT.println("bench: SKIPPED: the bare peers use the system calls of Linux");
            return;
        }
        Optional<Affinity> affinity = options.pin() ? Affinity.ofThisProcess() : Optional.empty();
        Optional<Path> c = CCompiler.compile("udp");
        if (c.isEmpty()) {
            OUT.println("bench: SKIPPED: no C compiler (cc, gcc or clang), so the figures in C are missing");
        }
        OUT.println("bench: " + Machine.describe() + (affinity.isPresent() ? ", ends pinned" : ", ends not pinned"));
        new UdpBench(options, affinity, c).run();
    }

    private void run() {
        if (options.has(Part.LOOPBACK)) {
            measure(UdpNetwork.loopback());
        }
        if (options.has(Part.VETH)) {
            UdpNetwork.veth()
                    .ifPresentOrElse(
                            this::measure,
                            () -> OUT.println(
                                    "bench: SKIPPED: no network namespaces joined by veth: ip(8) is missing, or this user may not"));
        }
    }

    private void measure(UdpNetwork network) {
        try (network) {
            if (options.has(Part.LATENCY)) {
                OUT.println();
                latency(network);
            }
            if (options.has(Part.THROUGHPUT)) {
                OUT.println();
                throughput(network);
            }
        }
    }

    private void latency(UdpNetwork network) {
        List<Measurement> contests = new ArrayList<>();
        try {
            c.ifPresent(program -> contests.add(new Contest(
                    "bare UDP in C",
                    Play.BARE_PINGPONG,
                    options.effort().chunks(),
                    network,
                    contests.size(),
                    Program.c(program, "pingpong", affinity))));
            int reference = contests.size();
            contests.add(pingPong("bare UDP in Java", Play.BARE_PINGPONG, network, contests.size()));
            contests.add(pingPong("Doorbell, RC SEND, polled completions", Play.SEND, network, contests.size()));
            contests.add(pingPong("Doorbell, RC WRITE, polled memory", Play.WRITE, network, contests.size()));
            String title = network.name() + ": 8 bytes there and back, µs";
            OUT.print(UdpTable.of(title, NS_PER_US, play(contests), reference));
        } finally {
            contests.forEach(Measurement::close);
        }
    }

    private Contest pingPong(String name, Play play, UdpNetwork network, int lane) {
        return new Contest(
                name, play, options.effort().chunks(), network, lane, Program.java(play, affinity.isPresent()));
    }

    private void throughput(UdpNetwork network) {
        List<Measurement> contests = new ArrayList<>();
        try {
            c.ifPresent(program -> contests.add(new Contest(
                    "bare UDP in C, neither CRC32 nor copy",
                    Play.BARE_STREAM,
                    options.effort().streamBytes(),
                    network,
                    contests.size(),
                    Program.c(program, "stream", affinity))));
            int reference = contests.size();
            contests.add(stream("bare UDP in Java, CRC32 and copy", Play.BARE_STREAM, network, contests.size()));
            contests.add(stream("Doorbell, WRITEs of 1 MiB, polling target", Play.STREAM, network, contests.size()));
            contests.add(
                    stream("Doorbell, WRITEs of 1 MiB, target never polls", Play.PASSIVE, network, contests.size()));
            OUT.print(UdpTable.of(network.name() + ": one way, GB/s", 1, play(contests), reference));
        } finally {
            contests.forEach(Measurement::close);
        }
    }

    private Contest stream(String name, Play play, UdpNetwork network, int lane) {
        return new Contest(
                name, play, options.effort().streamBytes(), network, lane, Program.java(play, affinity.isPresent()));
    }

    private List<Figure> play(List<Measurement> contests) {
        Interleaved interleaved = new Interleaved(contests);
        interleaved.warmUp(options.effort().warmUps());
        return interleaved.run(options.effort().rounds());
    }
}
