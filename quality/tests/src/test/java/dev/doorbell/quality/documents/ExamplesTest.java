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

    /** Per example, what its output must contain, in this order. */
    private static final Map<String, List<String>> SAYS = new TreeMap<>(Map.of(
            "HelloSend", List.of("RECV 1", "SEND 2", "hello over soft0"),
            "RemoteWrite", List.of("row 7: written from afar"),
            "RemoteRead", List.of("0 squared is 0", "700 squared is 490000"),
            "AtomicCounter", List.of("ticket 0", "ticket 10", "ticket 20", "locked", "held by 42"),
            "SharedReceiveServer", List.of("client 0 sent 0", "client 2 sent 1000", "fewer than 6 buffers left: 5"),
            "EventDrivenServer", List.of("served request 0", "served request 4", "5 requests, woken by events"),
            "Datagrams", List.of("asked by ::ffff:127.0.0.1: what time is it?", "answer: late"),
            "Multicast", List.of("member 0: first", "member 2: first", "member 1: second", "member 2: second"),
            "RevocableWindow",
                    List.of("written while it was open", "given back: true", "REM_ACCESS_ERR", "another key: true"),
            "ErrorHandling",
                    List.of(
                            "refused with EINVAL: asked 1000 elements",
                            "REM_ACCESS_ERR",
                            "WR_FLUSH_ERR",
                            "client: ERROR, server: ERROR",
                            "connected again")));

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
        try (Stream<Path> sources = Files.walk(ProjectTree.root().resolve("verbs/src/main/java"))) {
            List<Path> showing = sources.filter(path -> path.toString().endsWith(".java"))
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
