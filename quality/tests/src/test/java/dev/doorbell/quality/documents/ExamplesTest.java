package dev.doorbell.quality.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.quality.ProjectTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each example is compiled and run as its reader would do it, on the embedded device by name: it ends by itself with
 * success, says what it is meant to say, and nothing on stderr.
 */
final class ExamplesTest {
    private static final int MOST_LINES = 75;

    private static final Map<String, List<String>> SAYS = new TreeMap<>(ExampleOutput.on("soft0", "127.0.0.1"));

    static {
        SAYS.put(
                "ConnectByAddress",
                List.of("server says: hello client 0", "server says: hello client 1", "server says: hello client 2"));
    }

    static Stream<String> examples() {
        return SAYS.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("examples")
    @Timeout(120)
    void saysWhatItIsMeantTo(String name, @TempDir Path folder) throws IOException, InterruptedException {
        String output = SourceProgram.run(
                folder, "-XX:TieredStopAtLevel=1", source(name).toString(), "soft0");

        assertThat(output).containsSubsequence(SAYS.get(name));
    }

    @Test
    void everyExampleIsRunHere() throws IOException {
        try (Stream<Path> files = Files.list(ProjectTree.root().resolve("examples"))) {
            List<String> names = files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".java"))
                    .map(file -> file.substring(0, file.length() - ".java".length()))
                    .toList();
            assertThat(names).containsExactlyInAnyOrderElementsOf(SAYS.keySet());
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void isShort(String name) throws IOException {
        try (Stream<String> lines = Files.lines(source(name))) {
            assertThat(lines.filter(line -> !line.isBlank() && !line.startsWith("import ")))
                    .hasSizeLessThanOrEqualTo(MOST_LINES);
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void isShownInTheJavadocOfAType(String name) throws IOException {
        try (Stream<Path> verbs = Files.walk(ProjectTree.root().resolve("verbs/src/main/java"));
                Stream<Path> cm = Files.walk(ProjectTree.root().resolve("cm/src/main/java"))) {
            List<Path> showing = Stream.concat(verbs, cm)
                    .filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> contains(path, "{@snippet file=\"" + name + ".java\"}"))
                    .toList();
            assertThat(showing).isNotEmpty();
        }
    }

    private static boolean contains(Path source, String text) {
        try {
            return Files.readString(source).contains(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path source(String name) {
        return ProjectTree.root().resolve("examples").resolve(name + ".java");
    }
}
