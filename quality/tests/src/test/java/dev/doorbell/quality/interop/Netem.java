package dev.doorbell.quality.interop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What tc-netem(8) does to the packets of both directions, until it is closed. */
final class Netem implements AutoCloseable {
    private static final List<String> HERE = List.of();
    private static final List<String> THERE = List.of("ip", "netns", "exec", "peer");

    private Netem() {}

    /** Begins, with the words that follow {@code netem} on the command line. */
    static Netem with(String words) {
        run(HERE, "tc qdisc add dev lab0 root netem limit 20000 " + words);
        run(THERE, "tc qdisc add dev lab1 root netem limit 20000 " + words);
        return new Netem();
    }

    private static void run(List<String> prefix, String words) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(Arrays.asList(words.split(" ")));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Check.that(process.waitFor() == 0, words + ": " + output);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(words, e);
        }
    }

    @Override
    public void close() {
        run(HERE, "tc qdisc del dev lab0 root");
        run(THERE, "tc qdisc del dev lab1 root");
    }
}
