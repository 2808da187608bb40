package dev.doorbell.quality.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.quality.ProjectTree;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Javadoc of all published modules builds without a warning, and every public type and method has a comment.
 *
 * <p>Two things that doclint would like are not asked for: a tag for every parameter and result, where the sentence above
 * says it all, and a comment on every constant whose name is the standard's, or on a private field of an exception.
 */
final class JavadocTest {
    private static final List<String> FOLDERS = List.of(
            "memory",
            "spec",
            "kernel",
            "wire",
            "linux",
            "soft",
            "verbs",
            "providers/rxe",
            "providers/libibverbs",
            "providers/mlx5",
            "cm",
            "testkit",
            "bundle");
    private static final Pattern MODULE = Pattern.compile("^(?:open )?module ([\\w.]+)", Pattern.MULTILINE);
    private static final Pattern REPORT = Pattern.compile("^(\\S+\\.java):(\\d+): (warning|error): (.*)$");
    private static final Pattern TAG = Pattern.compile("no @(param|return|throws).*");
    private static final Pattern CONSTANT =
            Pattern.compile("\\s*(public static final \\S+ )?[A-Z][A-Z0-9_]*\\b.*|\\s*private .*");

    @TempDir
    Path output;

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void javadocBuildsWithoutWarnings() throws IOException {
        Map<String, Path> modules = modules();
        List<String> options = new ArrayList<>(List.of(
                "-quiet",
                "-Xdoclint:all",
                "-Xmaxwarns",
                "1000000",
                "-Xmaxerrs",
                "1000000",
                "-d",
                output.toString(),
                "--snippet-path",
                ProjectTree.root().resolve("examples").toString(),
                "-p",
                annotations(),
                "--module",
                String.join(",", modules.keySet())));
        modules.forEach((module, sources) -> options.addAll(List.of("--module-source-path", module + "=" + sources)));
        StringWriter report = new StringWriter();

        ToolProvider.findFirst("javadoc")
                .orElseThrow()
                .run(new PrintWriter(report), new PrintWriter(report), options.toArray(String[]::new));

        assertThat(complaints(report.toString())).isEmpty();
        assertThat(output.resolve("index.html")).exists();
    }

    private static Map<String, Path> modules() throws IOException {
        Map<String, Path> modules = new TreeMap<>();
        for (String folder : FOLDERS) {
            Path sources = ProjectTree.root().resolve(folder).resolve("src/main/java");
            Matcher module = MODULE.matcher(Files.readString(sources.resolve("module-info.java")));
            assertThat(module.find()).isTrue();
            modules.put(module.group(1), sources);
        }
        return modules;
    }

    private static String annotations() {
        return Path.of(NullMarked.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .toString();
    }

    private static List<String> complaints(String report) throws IOException {
        List<String> complaints = new ArrayList<>();
        try (Stream<String> lines = report.lines()) {
            for (String line : lines.toList()) {
                Matcher found = REPORT.matcher(line);
                boolean known = found.matches();
                if (known ? !isExempt(found) : line.startsWith("error:") || line.startsWith("warning:")) {
                    complaints.add(line.replace(ProjectTree.root() + "/", ""));
                }
            }
        }
        return complaints;
    }

    private static boolean isExempt(Matcher found) throws IOException {
        String what = found.group(4);
        if (TAG.matcher(what).matches()) {
            return true;
        }
        String line = Files.readAllLines(Path.of(found.group(1))).get(Integer.parseInt(found.group(2)) - 1);
        return what.equals("no comment") && CONSTANT.matcher(line).matches();
    }
}
