package dev.doorbell.quality.interop;

import dev.doorbell.tools.pingpong.Pingpong;
import dev.doorbell.tools.pingpong.PingpongOptions;
import dev.doorbell.tools.pingpong.Service;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.commons.cli.DefaultParser;

/** One end of a ping-pong on rxe0: ours in a thread, or the program of ibverbs-utils in a process. */
final class PingpongEnd {
    private static final long PATIENCE_SECONDS = 240;

    private final FutureTask<String> output;

    private PingpongEnd(FutureTask<String> output, String name) {
        this.output = output;
        Thread.ofPlatform().daemon().name(name).start(output);
    }

    /** Starts ours. */
    static PingpongEnd ours(Service service, List<String> words) {
        return new PingpongEnd(new FutureTask<>(() -> play(service, words)), "doorbell " + service);
    }

    private static String play(Service service, List<String> words) throws Exception {
        PingpongOptions options = new PingpongOptions(service);
        var line = new DefaultParser().parse(options.options(), words.toArray(new String[0]));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean right = Pingpong.play(options.parse(line), new PrintStream(out, true, StandardCharsets.US_ASCII));
        Check.that(right, "wrong data");
        return out.toString(StandardCharsets.US_ASCII);
    }

    /** Starts the C program; it ends with the test at the latest. */
    static PingpongEnd theirs(Service service, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("timeout", "230", "ibv_" + service.name().toLowerCase(Locale.ROOT) + "_pingpong"));
        command.addAll(words);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new PingpongEnd(
                new FutureTask<>(() -> {
                    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                    Check.that(process.waitFor() == 0, String.join(" ", command) + ":\n" + out);
                    return out;
                }),
                String.join(" ", command));
    }

    /** What it printed, once it has ended well. */
    String await() throws Exception {
        return output.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** Waits until somebody listens on a TCP port, without connecting: a ping-pong server takes one client. */
    void awaitListener(int port) {
        String local = "(?m)^ *\\d+: [0-9A-F]+:%04X [0-9A-F]+:0000 0A .*".formatted(port);
        long start = System.nanoTime();
        while (!tables().lines().anyMatch(line -> line.matches(local))) {
            Check.that(!output.isDone(), "the server ended early");
            Check.that(
                    System.nanoTime() - start < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS),
                    "nobody listens on port " + port);
            Thread.yield();
        }
    }

    private static String tables() {
        try {
            return Files.readString(Path.of("/proc/self/net/tcp")) + Files.readString(Path.of("/proc/self/net/tcp6"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
