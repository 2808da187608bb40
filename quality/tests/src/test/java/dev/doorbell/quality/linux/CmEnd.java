package dev.doorbell.quality.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.cm.RejectedException;
import dev.doorbell.spec.RejectReason;
import dev.doorbell.tools.cm.DatagramOptions;
import dev.doorbell.tools.cm.Datagrams;
import dev.doorbell.tools.cm.Rping;
import dev.doorbell.tools.cm.RpingOptions;
import dev.doorbell.tools.cm.Stress;
import dev.doorbell.tools.cm.StressOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Options;

/** One end of a program of rdmacm-utils on rxe0: ours in a thread, or the C program in a process. */
final class CmEnd {
    private static final long PATIENCE_SECONDS = 150;

    private final FutureTask<String> output;
    private final ByteArrayOutputStream soFar;

    private CmEnd(FutureTask<String> output, ByteArrayOutputStream soFar, String name) {
        this.output = output;
        this.soFar = soFar;
        Thread.ofPlatform().daemon().name(name).start(output);
    }

    /** Starts ours. A client tries again while nobody listens: the server is just coming up. */
    static CmEnd ours(String program, String words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        return new CmEnd(
                new FutureTask<>(() -> {
                    long start = System.nanoTime();
                    while (true) {
                        try {
                            play(program, words.split(" "), new PrintStream(out, true, StandardCharsets.US_ASCII));
                            return out.toString(StandardCharsets.US_ASCII);
                        } catch (RejectedException e) {
                            if (e.reason() != RejectReason.INVALID_SERVICE_ID
                                    || System.nanoTime() - start > TimeUnit.SECONDS.toNanos(60)) {
                                throw e;
                            }
                        }
                    }
                }),
                out,
                "doorbell " + program);
    }

    private static void play(String program, String[] words, PrintStream out) throws Exception {
        DefaultParser parser = new DefaultParser();
        switch (program) {
            case "rping" -> {
                Options options = RpingOptions.options();
                Rping.play(RpingOptions.parse(parser.parse(options, words)), out);
            }
            case "ucmatose" -> {
                Options options = StressOptions.options();
                Stress.play(StressOptions.parse(parser.parse(options, words)), out);
            }
            case "udaddy" -> {
                Options options = DatagramOptions.unicast();
                Datagrams.play(DatagramOptions.parseUnicast(parser.parse(options, words)), out);
            }
            case "mckey" -> {
                Options options = DatagramOptions.multicast();
                Datagrams.play(DatagramOptions.parseMulticast(parser.parse(options, words)), out);
            }
            default -> throw new IllegalArgumentException(program);
        }
    }

    /** Starts the C program; it ends with the test at the latest. */
    static CmEnd theirs(String program, String words) throws IOException {
        List<String> command = new ArrayList<>(List.of("timeout", "140", program));
        command.addAll(List.of(words.split(" ")));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new CmEnd(
                new FutureTask<>(() -> {
                    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                    int status = process.waitFor();
                    // rping -s ends with 1 when its client has gone, and that is how it should end.
                    assertThat(status == 0 || program.equals("rping") && words.contains("-s") && status < 100)
                            .as("%s ended with %d:%n%s", command, status, out)
                            .isTrue();
                    return out;
                }),
                new ByteArrayOutputStream(),
                String.join(" ", command));
    }

    /** Waits until our server listens. */
    CmEnd awaitListening() {
        long start = System.nanoTime();
        while (!soFar.toString(StandardCharsets.US_ASCII).contains("listening at")) {
            assertThat(output.isDone()).as("the server ended early").isFalse();
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS));
            Thread.yield();
        }
        return this;
    }

    /**
     * Waits until the C program listens, as the kernel tells it: a client that tries too early would be a client less for a
     * server that counts them.
     */
    CmEnd awaitListening(int port) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (true) {
            String shown = Commands.run("rdma", "resource", "show", "cm_id");
            if (shown.lines().anyMatch(line -> line.contains("LISTEN") && (line + " ").contains(":" + port + " "))) {
                return this;
            }
            assertThat(output.isDone()).as("the server ended early").isFalse();
            assertThat(System.nanoTime() - start)
                    .as("listening:%n%s", shown)
                    .isLessThan(TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS));
        }
    }

    /** What it printed, once it has ended well. */
    String await() throws Exception {
        return output.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}
