package dev.doorbell.quality.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program in one source file, compiled and run as its reader would do it: a file, a class path, one option. */
final class SourceProgram {
    private static final long PATIENCE_SECONDS = 100;

    private SourceProgram() {}

    /**
     * Runs it in a JVM of its own. It must end by itself with success and say nothing on stderr.
     *
     * @param folder where its output goes
     * @param arguments options of the JVM, the file, and the program's arguments
     * @return what it wrote to stdout
     */
    static String run(Path folder, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(List.of(arguments));
        Path output = folder.resolve("output");
        Path errors = folder.resolve("errors");
        Process process = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly();
        }

        assertThat(ended).as("the program ends").isTrue();
        assertThat(errors).as("what the program wrote to stderr").hasContent("");
        assertThat(process.exitValue()).isZero();
        return Files.readString(output);
    }
}
