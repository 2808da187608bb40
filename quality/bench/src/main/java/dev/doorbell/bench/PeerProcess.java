package dev.doorbell.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process that is told and answers in lines. */
public final class PeerProcess implements AutoCloseable {
    private static final long PATIENCE_S = 60;
    private static final long FAREWELL_S = 5;

    private final List<String> command;
    private final Process process;
    private final BufferedReader answers;
    private final Writer orders;

    /**
     * Starts it.
     *
     * @param environment what it gets beside the environment of this process
     */
    public PeerProcess(List<String> command, Map<String, String> environment) {
        this.command = List.copyOf(command);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        answers = process.inputReader(StandardCharsets.UTF_8);
        orders = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** Tells it a line. */
    public void tell(String line) {
        try {
            orders.write(line + "\n");
            orders.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(this + " is gone", e);
        }
    }

    /** Waits for its next line. */
    public String hear() {
        try {
            String line = CompletableFuture.supplyAsync(this::read).get(PATIENCE_S, TimeUnit.SECONDS);
            if (line.isEmpty()) {
                throw new IllegalStateException(this + " has ended");
            }
            return line;
        } catch (ExecutionException e) {
            throw new IllegalStateException(this + " is gone", e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException(this + " has not answered for " + PATIENCE_S + " seconds", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Tells it a line, and waits for the number that it answers with. */
    public long ask(String line) {
        tell(line);
        return Long.parseLong(hear());
    }

    private String read() {
        try {
            String line = answers.readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            orders.close();
            if (process.waitFor(FAREWELL_S, TimeUnit.SECONDS)) {
                return;
            }
        } catch (IOException e) {
            // It has ended already.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }

    @Override
    public String toString() {
        return String.join(" ", command);
    }
}
