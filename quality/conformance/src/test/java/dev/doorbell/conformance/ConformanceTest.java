package dev.doorbell.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.doorbell.conformance.cases.AllCases;
import dev.doorbell.conformance.fabric.EmbeddedFabric;
import dev.doorbell.conformance.report.Column;
import dev.doorbell.conformance.report.PyverbsTable;
import dev.doorbell.conformance.saboteurs.SaboteurList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Every case on every fabric of this machine; then whether the documents say what was found. */
@Timeout(600)
final class ConformanceTest {
    /** System property: the part of a case's name that the cases to run have in common. */
    private static final String ONLY = "doorbell.conformance.only";

    private static final int SLOWEST = 10;
    private static final long SEED = 20_260_101;

    @TestFactory
    Stream<DynamicNode> suite() {
        String only = System.getProperty(ONLY, "");
        List<ConformanceCase> cases = AllCases.list().stream()
                .filter(test -> test.name().contains(only))
                .toList();
        List<DynamicNode> nodes = new ArrayList<>();
        for (Fabric fabric : EmbeddedFabric.all()) {
            Optional<String> obstacle =
                    fabric.name().equals(EmbeddedFabric.UDP) ? Sockets.obstacle(fabric) : Optional.empty();
            if (obstacle.isPresent()) {
                nodes.add(dynamicTest(fabric.name(), () -> Assumptions.abort(obstacle.get())));
                continue;
            }
            List<CaseResult> results = new ArrayList<>();
            nodes.add(container(fabric, cases, results));
            if (only.isEmpty()) {
                nodes.add(dynamicTest(fabric.name() + ": checked-in results", () -> compare(fabric, results)));
            }
        }
        if (only.isEmpty()) {
            nodes.add(dynamicTest("docs/conformance.md", ConformanceTest::compareDocument));
        }
        return nodes.stream();
    }

    /** Datagram channels carry what other links carry; their results need no column of their own. */
    @TestFactory
    Stream<DynamicNode> datagramChannels() {
        String only = System.getProperty(ONLY, "");
        Fabric fabric = EmbeddedFabric.portableUdp();
        Optional<String> obstacle = Sockets.obstacle(fabric);
        if (obstacle.isPresent()) {
            return Stream.of(dynamicTest(fabric.name(), () -> Assumptions.abort(obstacle.get())));
        }
        List<ConformanceCase> cases = AllCases.list().stream()
                .filter(test -> test.name().contains(only))
                .toList();
        List<CaseResult> results = new ArrayList<>();
        return Stream.of(container(fabric, cases, results), dynamicTest(fabric.name() + ": all pass", () -> {
            summary(fabric, results);
            assertThat(results).allMatch(result -> result.outcome() == Outcome.PASS);
        }));
    }

    private static DynamicNode container(Fabric fabric, List<ConformanceCase> cases, List<CaseResult> results) {
        Suite suite = new Suite(fabric, SEED);
        return dynamicContainer(
                fabric.name(), cases.stream().map(test -> dynamicTest(test.name(), () -> run(suite, test, results))));
    }

    private static void run(Suite suite, ConformanceCase test, List<CaseResult> results) {
        CaseResult result = suite.run(test);
        results.add(result);
        if (result.outcome() == Outcome.FAIL) {
            throw new AssertionError(test.name() + ": " + result.reason(), result.failure());
        }
    }

    private static void summary(Fabric fabric, List<CaseResult> results) {
        System.out.printf(
                "conformance on %s: %d cases, %d assertions, %d ms%n",
                fabric.name(),
                results.size(),
                results.stream().mapToInt(CaseResult::assertions).sum(),
                results.stream()
                        .mapToLong(result -> result.duration().toMillis())
                        .sum());
        results.stream()
                .sorted(Comparator.comparing(CaseResult::duration).reversed())
                .limit(SLOWEST)
                .forEach(result ->
                        System.out.printf("  %5d ms  %s%n", result.duration().toMillis(), result.test()));
    }

    private static void compare(Fabric fabric, List<CaseResult> results) {
        summary(fabric, results);
        Column column = Column.of(fabric.name(), fabric.title(), results);
        if (Results.areToBeWritten()) {
            Results.write(column);
        } else {
            assertThat(column.toText())
                    .as("results/%s.txt is out of date; make it anew with%n  %s", fabric.name(), Results.COMMAND)
                    .isEqualTo(Results.checkedIn(fabric.name()));
        }
    }

    private static void compareDocument() {
        String text = Results.document(List.of(PyverbsTable.section(), SaboteurList.section()));
        if (Results.areToBeWritten()) {
            Results.writeDocument(text);
        } else {
            assertThat(text)
                    .as("docs/conformance.md is out of date; make it anew with%n  %s", Results.COMMAND)
                    .isEqualTo(Results.checkedInDocument());
        }
    }

    @Test
    void noTwoCasesHaveOneName() {
        assertThat(AllCases.list().stream().map(ConformanceCase::name)).doesNotHaveDuplicates();
    }
}
