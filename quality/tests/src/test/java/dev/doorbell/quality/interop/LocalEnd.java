package dev.doorbell.quality.interop;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An end on rxe0: ours in a thread of this JVM, or the C program in a process. */
final class LocalEnd implements CmEnd {
    /** The first row of a JVM in a guest on a busy host takes minutes. */
    private static final long PATIENCE_SECONDS = 300;

    private final String name;
    private final FutureTask<Void> task;
    private final Printout output;
    private final Predicate<String> ready;
    private final Runnable end;

    /** A file whose presence tells the program to end; null for one that ends by itself. */
    private @Nullable Path stop;

    private LocalEnd(String name, Callable<Void> body, Printout output, Predicate<String> ready, Runnable end) {
        this.name = name;
        this.task = new FutureTask<>(body);
        this.output = output;
        this.ready = ready;
        this.end = end;
        Thread.ofPlatform().daemon().name(name).start(task);
    }

    /** Starts ours. */
    static LocalEnd ours(CmProgram program, List<String> words) {
        Printout output = new Printout();
        PrintStream printed = new PrintStream(output, true, StandardCharsets.US_ASCII);
        Callable<Void> body = () -> {
            program.play(words, printed);
            return null;
        };
        return new LocalEnd(
                "doorbell " + program + " " + String.join(" ", words),
                body,
                output,
                said -> said.contains("listening at") || said.contains("joined"),
                () -> {});
    }

    /**
     * Starts the C program; it ends with the row at the latest.
     *
     * @param ready what it must have printed, or brought about, before the other end may begin
     */
    static LocalEnd theirs(CmProgram program, boolean server, List<String> words, Predicate<String> ready)
            throws IOException {
        return run(program, server, List.of("stdbuf", "-oL", program.nameOf(server)), words, ready);
    }

    /** Starts the C program again and again, as long as it ends well and there is not {@link #enough} of it. */
    static LocalEnd theirsAgain(CmProgram program, List<String> words) throws IOException {
        String loop = "stop=$1; shift; while " + program.nameOf(false)
                + " \"$@\" && [ ! -e $stop ]; do :; done; [ -e $stop ]";
        Path stop = Files.createTempFile("enough", null);
        Files.delete(stop);
        LocalEnd end = run(program, false, List.of("bash", "-c", loop, "again", stop.toString()), words, said -> true);
        end.stop = stop;
        return end;
    }

    private static LocalEnd run(
            CmProgram program, boolean server, List<String> start, List<String> words, Predicate<String> ready)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("timeout", Long.toString(PATIENCE_SECONDS)));
        command.addAll(start);
        command.addAll(words);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Printout output = new Printout();
        Callable<Void> body = () -> {
            process.getInputStream().transferTo(output);
            int status = process.waitFor();
            // rping -s ends with 1 when its client has gone, and that is how it should end.
            boolean well = status == 0 || program == CmProgram.RPING && server && status < 100;
            Check.that(well, "status " + status);
            return null;
        };
        return new LocalEnd(String.join(" ", command), body, output, ready, process::destroy);
    }

    private String printed() {
        return output.toString();
    }

    @Override
    public void awaitReady() {
        long start = System.nanoTime();
        while (!ready.test(printed())) {
            Check.that(!task.isDone(), name + " ended early");
            Check.that(
                    System.nanoTime() - start < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS), name + " is not ready yet");
            Thread.yield();
        }
    }

    @Override
    public void await() {
        try {
            task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(name, e.getCause());
        } catch (TimeoutException | InterruptedException e) {
            throw new AssertionError(name, e);
        }
    }

    @Override
    public void enough() {
        Path file = stop;
        if (file != null) {
            try {
                Files.createFile(file);
            } catch (IOException e) {
                throw new AssertionError(name, e);
            }
        }
    }

    @Override
    public String report() {
        return name + (task.isDone() ? "" : ", which still runs") + "\n" + printed();
    }

    @Override
    public void close() {
        end.run();
        task.cancel(true);
    }
}
