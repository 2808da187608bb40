package dev.doorbell.quality.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doorbell.quality.ProjectTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/from-c.md} has every public function of libibverbs, each with a Java form that exists or with the reason why
 * there is none.
 */
final class FromCTableTest {
    private static final String NOT_INSTALLED = "libibverbs and its headers are not installed";
    private static final Pattern ROW = Pattern.compile("^\\| `(\\w+)` \\| (.*?) \\| (.*?) \\|$", Pattern.MULTILINE);
    private static final Pattern FORM = Pattern.compile("`(\\w+(?:\\.[A-Z]\\w+)*)(?:\\.([a-z]\\w*)\\(\\))?`");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern INLINE = Pattern.compile("static inline[^;{]*?\\b(ibv_\\w+)\\s*\\(");
    private static final List<String> PACKAGES =
            List.of("dev.doorbell.verbs.", "dev.doorbell.spec.", "dev.doorbell.verbs.spi.");
    private static final List<Path> LIBRARIES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/libibverbs.so.1"),
            Path.of("/usr/lib64/libibverbs.so.1"),
            Path.of("/usr/lib/libibverbs.so.1"));
    private static final Path HEADER = Path.of("/usr/include/infiniband/verbs.h");

    private record Row(String function, String form, String remark) {}

    @Test
    void everyPublicFunctionHasOneRow() throws IOException {
        List<String> functions = rows().stream().map(Row::function).toList();

        assertThat(functions).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(functions(false));
    }

    @Test
    void everyJavaFormExists() throws IOException {
        List<String> missing = new ArrayList<>();
        for (Row row : rows()) {
            forms(row)
                    .filter(form -> !exists(form.group(1), Optional.ofNullable(form.group(2))))
                    .forEach(form -> missing.add(row.function + ": " + form.group()));
        }

        assertThat(missing).isEmpty();
    }

    @Test
    void whatHasNoJavaFormHasAReason() throws IOException {
        List<String> unexplained = rows().stream()
                .filter(row -> forms(row).findAny().isEmpty() && row.remark.length() < 20)
                .map(Row::function)
                .toList();

        assertThat(unexplained).isEmpty();
    }

    @Test
    void theInstalledLibraryExportsNothingElse() throws IOException {
        Optional<Path> library = LIBRARIES.stream().filter(Files::exists).findFirst();
        assumeTrue(library.isPresent(), NOT_INSTALLED);

        Set<String> exported = ElfSymbols.definedIn(library.orElseThrow());

        // Commands and registration belong to the drivers inside rdma-core.
        exported.removeIf(name -> !name.contains("ibv_") || name.startsWith("ibv_cmd_") || name.startsWith("_"));
        assertThat(exported).hasSizeGreaterThan(50).isSubsetOf(functions(true));
    }

    @Test
    void theInstalledHeaderDefinesNothingElse() throws IOException {
        assumeTrue(Files.exists(HEADER), NOT_INSTALLED);
        String header = COMMENT.matcher(Files.readString(HEADER)).replaceAll("");

        List<String> inline =
                INLINE.matcher(header).results().map(found -> found.group(1)).toList();

        assertThat(inline).hasSizeGreaterThan(50).isSubsetOf(functions(true));
    }

    private static List<Row> rows() throws IOException {
        Matcher table = ROW.matcher(Files.readString(ProjectTree.root().resolve("docs/from-c.md")));
        return table.results()
                .map(row -> new Row(row.group(1), row.group(2), row.group(3)))
                .toList();
    }

    private static Stream<MatchResult> forms(Row row) {
        return FORM.matcher(row.form).results();
    }

    private static boolean exists(String type, Optional<String> method) {
        for (String prefix : PACKAGES) {
            try {
                Class<?> found = Class.forName(prefix + type.replace('.', '$'));
                return method.isEmpty()
                        || Arrays.stream(found.getMethods())
                                .anyMatch(candidate -> candidate.getName().equals(method.get()));
            } catch (ClassNotFoundException e) {
                // The next package may have it.
            }
        }
        return false;
    }

    private static Set<String> functions(boolean privateOnes) throws IOException {
        Path list = ProjectTree.root()
                .resolve("quality/tests/src/test/resources/dev/doorbell/quality/documents/libibverbs-functions.tsv");
        Set<String> names = new TreeSet<>();
        for (String line : Files.readAllLines(list)) {
            if (!line.startsWith("#") && (privateOnes || !line.contains("\tprivate\t"))) {
                names.add(line.substring(0, line.indexOf('\t')));
            }
        }
        return names;
    }
}
