package dev.doorbell.quality.interop;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** One end of a program of rdmacm-utils on rxe0: ours in a thread, or the C program in a process. */
final class CmEnd {
    /** The first row of a JVM in a guest on a busy host takes minutes. */
    private static final long PATIENCE_SECONDS = 240;

    private final FutureTask<String> output;
    private final ByteArrayOutputStream soFar;
    private final String name;

    private CmEnd(FutureTask<String> output, ByteArrayOutputStream soFar, String name) {
        this.output = output;
        this.soFar = soFar;
        this.name = name;
        Thread.ofPlatform().daemon().name(name).start(output);
    }

    /** Starts ours. */
    static CmEnd ours(CmProgram program, List<String> words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream printed = new PrintStream(out, true, StandardCharsets.US_ASCII);
        return new CmEnd(
                new FutureTask<>(() -> {
                    program.play(words, printed);
                    return out.toString(StandardCharsets.US_ASCII);
                }),
                out,
                "doorbell " + program + " " + String.join(" ", words));
    }

    /** Starts the C program; it ends with the row at the latest. */
    static CmEnd theirs(CmProgram program, boolean server, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("timeout", Long.toString(PATIENCE_SECONDS), "stdbuf", "-oL", program.nameOf(server)));
        command.addAll(words);
        String line = String.join(" ", command);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        return new CmEnd(
                new FutureTask<>(() -> {
                    process.getInputStream().transferTo(out);
                    int status = process.waitFor();
                    String printed = out.toString(StandardCharsets.US_ASCII);
                    // rping -s ends with 1 when its client has gone, and that is how it should end.
                    boolean well = status == 0 || program == CmProgram.RPING && server && status < 100;
                    Check.that(well, line + " ended with " + status + ":\n" + printed);
                    return printed;
                }),
                out,
                line);
    }

    /** Waits until our server listens, or has joined its group. */
    CmEnd awaitListening() {
        return awaitThat("listens", () -> {
            String printed = soFar.toString(StandardCharsets.US_ASCII);
            return printed.contains("listening at") || printed.contains("joined");
        });
    }

    /**
     * Waits until the C program listens, as the kernel tells it: a client that tries too early would be a client less for a
     * server that counts them.
     */
    CmEnd awaitListening(int port) {
        String end = ":" + port + " ";
        return awaitThat(
                "listens on port " + port,
                () -> listeners()
                        .lines()
                        .anyMatch(line -> line.contains("state LISTEN") && (line + " ").contains(end)));
    }

    /** Waits until somebody on lab0 is in a multicast group. */
    CmEnd awaitMember(String group) {
        return awaitThat(
                "is in group " + group,
                () -> run("ip", "maddr", "show", "dev", "lab0").contains(" " + group + "\n"));
    }

    private CmEnd awaitThat(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            Check.that(!output.isDone(), name + " ended early:\n" + soFar.toString(StandardCharsets.US_ASCII));
            Check.that(
                    System.nanoTime() - start < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS),
                    "nobody " + what + "; " + name + ":\n" + soFar.toString(StandardCharsets.US_ASCII));
            Thread.yield();
        }
        return this;
    }

    private static String listeners() {
        return run("rdma", "resource", "show", "cm_id");
    }

    private static String run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new AssertionError(String.join(" ", command), e);
        }
    }

    /** What it printed, once it has ended well. */
    String await() throws InterruptedException {
        try {
            return output.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(name + " after printing:\n" + soFar.toString(StandardCharsets.US_ASCII), e);
        }
    }
}
