package dev.doorbell.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
        return compile(source, folder.resolve(name), "-std=c11");
    }

    /**
     * Compiles a program of two source files that stands in for functions of libc, with a library of the system.
     *
     * @return nothing, where there is no C compiler
     */
    public static Optional<Path> compileWith(String name, String second, String library) {
        Path folder = Path.of(System.getProperty("doorbell.bench.target", "target"));
        Path sources = Path.of(System.getProperty("doorbell.bench.source", "src/main/c"));
        return compile(
                sources.resolve(name + ".c"),
                folder.resolve(name),
                "-std=gnu11",
                "-rdynamic",
                sources.resolve(second + ".c").toString(),
                "-Wl,--no-as-needed",
                "-l" + library);
    }

    /**
     * Compiles a program, or with the options for it a library.
     *
     * @return the result; nothing, where there is no C compiler
     */
    static Optional<Path> compile(Path source, Path result, String... options) {
        Path absolute = result.toAbsolutePath();
        for (String compiler : List.of("cc", "gcc", "clang")) {
            try {
                Files.createDirectories(absolute.getParent());
                List<String> command = new ArrayList<>(List.of(compiler, "-O2", "-pthread"));
                command.addAll(List.of(options));
                command.addAll(List.of("-o", absolute.toString(), source.toString()));
                run(command);
                return Optional.of(absolute);
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
