package dev.doorbell.quality.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.quality.ProjectTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The README's program is compiled and run as its reader would do it: a file, a class path, one option. */
final class ReadmeProgramTest {
    private static final String BEGIN = "<!-- program:begin -->";
    private static final String END = "<!-- program:end -->";

    @Test
    @Timeout(120)
    void theProgramSaysHelloAndNothingElse(@TempDir Path folder) throws IOException, InterruptedException {
        String program = program(Files.readString(ProjectTree.root().resolve("README.md")));
        Path source = Files.writeString(folder.resolve("Hello.java"), program);

        assertThat(SourceProgram.run(folder, source.toString())).contains("hello, RDMA");
    }

    @Test
    void theProgramIsShort() throws IOException {
        String program = program(Files.readString(ProjectTree.root().resolve("README.md")));

        assertThat(program.lines().filter(line -> !line.isBlank() && !line.startsWith("import ")))
                .as("lines of the program, without imports")
                .hasSizeLessThanOrEqualTo(24);
    }

    /** The fenced block between the markers. */
    private static String program(String readme) {
        int begin = readme.indexOf(BEGIN);
        int end = readme.indexOf(END);
        assertThat(begin)
                .as("the README marks its program with %s and %s", BEGIN, END)
                .isNotNegative();
        assertThat(end).isGreaterThan(begin);
        String block = readme.substring(begin + BEGIN.length(), end).strip();
        assertThat(block).startsWith("```java\n").endsWith("\n```");
        return block.substring("```java\n".length(), block.length() - "```".length());
    }
}
