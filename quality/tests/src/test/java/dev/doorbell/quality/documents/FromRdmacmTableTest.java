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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/from-rdmacm.md} has every public function of librdmacm, each with a Java form that exists or with the reason
 * why there is none.
 */
final class FromRdmacmTableTest {
    private static final String NOT_INSTALLED = "librdmacm and its headers are not installed";
    private static final Pattern ROW =
            Pattern.compile("^\\| `(rdma_\\w+)` \\| (.*?) \\| (.*?) \\|$", Pattern.MULTILINE);
    private static final Pattern FORM = Pattern.compile("`([A-Z]\\w+)(?:\\.([a-z]\\w*)\\(\\))?`");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern INLINE = Pattern.compile("static inline[^;{]*?\\b(rdma_\\w+)\\s*\\(");
    private static final List<String> PACKAGES =
            List.of("dev.doorbell.cm.", "dev.doorbell.verbs.", "dev.doorbell.spec.");
    private static final List<Path> LIBRARIES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/librdmacm.so.1"),
            Path.of("/usr/lib64/librdmacm.so.1"),
            Path.of("/usr/lib/librdmacm.so.1"));
    private static final List<Path> HEADERS =
            List.of(Path.of("/usr/include/rdma/rdma_cma.h"), Path.of("/usr/include/rdma/rdma_verbs.h"));

    private record Row(String function, String form, String remark) {}

    @Test
    void everyFunctionHasOneRow() throws IOException {
        assertThat(functions()).hasSizeGreaterThan(60).doesNotHaveDuplicates();
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
        assertThat(rows().stream()
                        .filter(row -> forms(row).findAny().isEmpty() && row.remark.length() < 20)
                        .map(Row::function))
                .isEmpty();
    }

    @Test
    void theInstalledLibraryExportsNothingElse() throws IOException {
        Optional<Path> library = LIBRARIES.stream().filter(Files::exists).findFirst();
        assumeTrue(library.isPresent(), NOT_INSTALLED);
        Set<String> exported = ElfSymbols.definedIn(library.orElseThrow());
        exported.removeIf(name -> !name.startsWith("rdma_"));
        assertThat(exported).hasSizeGreaterThan(30).isSubsetOf(functions());
    }

    @Test
    void theInstalledHeadersDefineNothingElse() throws IOException {
        assumeTrue(HEADERS.stream().allMatch(Files::exists), NOT_INSTALLED);
        List<String> inline = new ArrayList<>();
        for (Path header : HEADERS) {
            INLINE.matcher(COMMENT.matcher(Files.readString(header)).replaceAll(""))
                    .results()
                    .forEach(found -> inline.add(found.group(1)));
        }
        assertThat(inline).hasSizeGreaterThan(10).isSubsetOf(functions());
    }

    private static List<String> functions() throws IOException {
        return rows().stream().map(Row::function).toList();
    }

    private static List<Row> rows() throws IOException {
        return ROW.matcher(Files.readString(ProjectTree.root().resolve("docs/from-rdmacm.md")))
                .results()
                .map(row -> new Row(row.group(1), row.group(2), row.group(3)))
                .toList();
    }

    private static Stream<MatchResult> forms(Row row) {
        return FORM.matcher(row.form).results();
    }

    private static boolean exists(String type, Optional<String> method) {
        for (String prefix : PACKAGES) {
            try {
                Class<?> found = Class.forName(prefix + type);
                return method.isEmpty()
                        || Arrays.stream(found.getMethods())
                                .anyMatch(candidate -> candidate.getName().equals(method.get()));
            } catch (ClassNotFoundException e) {
                // The next package may have it.
            }
        }
        return false;
    }
}
