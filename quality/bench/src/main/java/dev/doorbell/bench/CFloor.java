package dev.doorbell.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One of the shapes of {@code src/main/c/floor.c}: a process a round. */
record CFloor(String name, Path program, String shape, int chunks, Optional<Affinity> affinity) implements Measurement {
    /**
     * Compiles the program.
     *
     * @return nothing, where there is no C compiler
     */
    static Optional<Path> compile(Path source, Path folder) {
        for (String compiler : List.of("cc", "gcc", "clang")) {
            try {
                Files.createDirectories(folder);
                Path program = folder.resolve("floor");
                run(List.of(compiler, "-std=c11", "-O2", "-pthread", "-o", program.toString(), source.toString()));
                return Optional.of(program);
            } catch (NoProgram next) {
                // Not on this machine under that name.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return Optional.empty();
    }

    @Override
    public double round() {
        List<String> command = new ArrayList<>(List.of(program.toString(), shape, Integer.toString(chunks)));
        affinity.ifPresent(known -> {
            command.add(Integer.toString(known.cpu(0)));
            command.add(Integer.toString(known.cpu(1)));
        });
        try {
            return Double.parseDouble(run(command));
        } catch (NoProgram e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String run(List<String> command) throws NoProgram {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new NoProgram(e);
        }
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            int status = process.waitFor();
            if (status != 0) {
                throw new IllegalStateException(String.join(" ", command) + " ended with " + status + ": " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {}

    private static final class NoProgram extends IOException {
        private static final long serialVersionUID = 1L;

        NoProgram(IOException cause) {
            super(cause);
        }
    }
}
