package dev.doorbell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.conformance.cases.AllCases;
import dev.doorbell.conformance.report.PyverbsTable;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table from pyverbs' tests to our cases is complete in both directions. */
final class PyverbsTableTest {
    private static final Pattern TEST = Pattern.compile("test_[a-z0-9_]+\\.[a-z0-9_]+");

    @Test
    void everyTestHasCasesOrAReason() {
        assertThat(PyverbsTable.lines())
                .hasSizeGreaterThan(200)
                .allMatch(line -> line.cases().isEmpty() != line.reason().isBlank())
                .extracting(PyverbsTable.Line::test)
                .doesNotHaveDuplicates();
    }

    @Test
    void everyCaseInTheTableExists() {
        assertThat(PyverbsTable.unknown(AllCases.list())).isEmpty();
    }

    @Test
    void everyTestThatACaseNamesIsInTheTable() {
        List<String> named = AllCases.list().stream()
                .flatMap(test -> TEST.matcher(test.origin()).results())
                .map(result -> result.group())
                .distinct()
                .toList();
        assertThat(PyverbsTable.lines()).extracting(PyverbsTable.Line::test).containsAll(named);
    }
}
