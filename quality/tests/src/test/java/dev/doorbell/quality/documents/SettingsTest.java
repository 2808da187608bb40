package dev.doorbell.quality.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.quality.ProjectTree;
import dev.doorbell.tools.doctor.KnownSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/settings.md} and the doctor know every variable that the product reads, and no other. */
final class SettingsTest {
    private static final Pattern READ = Pattern.compile("= \"(DOORBELL_[A-Z0-9_]+)\";");
    private static final Pattern ROW = Pattern.compile("^\\| `(DOORBELL_[A-Z0-9_]+)` \\|", Pattern.MULTILINE);

    /** Read by the script that starts the command. */
    private static final String SCRIPT = "DOORBELL_JAVA_OPTIONS";

    @Test
    void theDocumentAndTheDoctorKnowWhatIsRead() throws IOException {
        Set<String> read = new TreeSet<>(Set.of(SCRIPT));
        for (Path source : sources()) {
            read.addAll(names(READ, source));
        }
        assertThat(read).hasSizeGreaterThan(8);
        assertThat(names(ROW, ProjectTree.root().resolve("docs/settings.md")))
                .containsExactlyInAnyOrderElementsOf(read);
        assertThat(KnownSettings.names()).containsExactlyElementsOf(read);
    }

    private static List<String> names(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    /** Of the product: constants that hold the name of a variable. */
    private static List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.walk(ProjectTree.root())) {
            return all.filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> path.toString().contains("/src/main/java/"))
                    .filter(path -> !path.toString().contains("/quality/"))
                    .toList();
        }
    }
}
