package dev.doorbell.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Compiles the programs in {@code src/main/c}. */
public final class CCompiler {
    private CCompiler() {}

    /**
     * Compiles a program.
     *
     * @param name of the source file, without its ending
     * @return nothing, where there is no C compiler
     */
    public static Optional<Path> compile(String name) {
        Path folder = Path.of(System.getProperty("doorbell.bench.target", "target"));
        Path source = Path.of(System.getProperty("doorbell.bench.source", "src/main/c"), name + ".c");
        for (String compiler : List.of("cc", "gcc", "clang")) {
            try {
                Files.createDirectories(folder);
                Path program = folder.resolve(name);
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

    /** Runs a program to its end; what it printed. */
    static String run(List<String> command) throws NoProgram {
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

    /** There is no such program. */
    static final class NoProgram extends IOException {
        private static final long serialVersionUID = 1L;

        NoProgram(IOException cause) {
            super(cause);
        }
    }
}
