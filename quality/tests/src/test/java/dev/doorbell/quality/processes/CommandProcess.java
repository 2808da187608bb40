package dev.doorbell.quality.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The doorbell command in a JVM of its own. Closing ends it, whatever it does. */
final class CommandProcess implements AutoCloseable {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(90);
    private static final String COMMAND = "dev.doorbell.tools.DoorbellCommand";

    private final Process process;
    private final Thread reader;
    private final StringBuilder output = new StringBuilder();

    /** Where {@link #next} goes on. */
    private int seen;

    private CommandProcess(Process process) {
        this.process = process;
        this.reader =
                Thread.ofPlatform().daemon().name("output of " + process.pid()).start(this::read);
    }

    /** Starts it here. */
    static CommandProcess start(String... words) throws IOException {
        return start(List.of(), Map.of(), words);
    }

    /**
     * Starts it.
     *
     * @param prefix a command that runs another, such as {@code ip netns exec NAME}
     */
    static CommandProcess start(List<String> prefix, Map<String, String> environment, String... words)
            throws IOException {
        return program(COMMAND, prefix, environment, words);
    }

    /** Starts another program of this project: a class with a main method. */
    static CommandProcess program(
            String mainClass, List<String> prefix, Map<String, String> environment, String... words)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                mainClass));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("DOORBELL_SOFT");
        builder.environment().putAll(environment);
        return new CommandProcess(builder.start());
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                append(line);
            }
        } catch (IOException e) {
            append("no more output: " + e.getMessage()); // it was closed before its end
        }
    }

    private synchronized void append(String line) {
        output.append(line).append('\n');
        notifyAll();
    }

    /** Waits for it to print something; returns the first group. */
    synchronized String awaitOutput(String pattern) throws InterruptedException {
        return await(pattern, 0).group(1);
    }

    /** Waits for it to print something after what this method found before; returns the first group. */
    synchronized String next(String pattern) throws InterruptedException {
        MatchResult found = await(pattern, seen);
        seen = found.end();
        return found.group(1);
    }

    /** Writes a line to its standard input. */
    void tell(String line) throws IOException {
        OutputStream input = process.getOutputStream();
        input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
    }

    private synchronized MatchResult await(String pattern, int from) throws InterruptedException {
        long start = System.nanoTime();
        Pattern wanted = Pattern.compile(pattern);
        while (true) {
            Matcher matcher = wanted.matcher(output);
            if (matcher.find(from)) {
                return matcher.toMatchResult();
            }
            long leftMs = (PATIENCE_NS - (System.nanoTime() - start)) / 1_000_000;
            assertThat(leftMs).as("no '%s' in time in:%n%s", pattern, output).isPositive();
            assertThat(process.isAlive() || reader.isAlive())
                    .as("ended without '%s':%n%s", pattern, output)
                    .isTrue();
            wait(Math.min(leftMs, 100));
        }
    }

    /** Tells it to end, by SIGTERM: for a JVM the same as Ctrl-C, which who starts tests in the background has ignored. */
    void interrupt() {
        process.destroy();
    }

    /** Its exit code, once it has ended. */
    int status() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE_NS, TimeUnit.NANOSECONDS))
                .as("it ends; so far it printed:%n%s", output())
                .isTrue();
        reader.join();
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    synchronized String output() {
        return output.toString();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
