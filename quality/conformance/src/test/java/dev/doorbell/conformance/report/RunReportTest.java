package dev.doorbell.conformance.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.CaseResult;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.Fabric;
import dev.doorbell.conformance.Suite;
import dev.doorbell.conformance.fabric.EmbeddedFabric;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class RunReportTest {
    private final Fabric fabric = EmbeddedFabric.direct();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private List<CaseResult> results(boolean everyCase) {
        List<ConformanceCase> cases = List.of(
                ConformanceCase.named("one.good")
                        .from("here")
                        .runs(bench -> bench.check().that("holds", true)),
                ConformanceCase.named("one.bad")
                        .from("there")
                        .runs(bench -> bench.check().equal("the answer", 42, 43)),
                ConformanceCase.named("two.elsewhere")
                        .from("nowhere")
                        .needs(Capability.TWO_DEVICES)
                        .runs(bench -> {}));
        SuiteLog log = new SuiteLog(new PrintStream(printed, true, StandardCharsets.UTF_8), everyCase);
        List<CaseResult> results = new Suite(fabric, 1).run(cases, log::print);
        log.print(Column.of(fabric.name(), fabric.title(), results));
        return results;
    }

    @Test
    void aFailureIsFoundAgainInTheReport() {
        String text = new RunReport(
                        fabric, results(false), Map.of("time", "now"), List.of("device soft0\n    ports: 1"))
                .text();
        assertThat(text)
                .contains("**1 passed, 1 failed, 1 skipped**, 0 of those")
                .contains("- time: now")
                .contains("| `one` | 1 | 0 | 0 | 1 |", "| `two` | 0 | 0 | 1 | 0 |")
                .contains("### `one.bad`", "Follows there", "the answer: expected 42", "RunReportTest")
                .contains("- `two.elsewhere`: TWO_DEVICES: both sides are on one device")
                .contains("```text\ndevice soft0\n    ports: 1\n```")
                .contains("\none.bad FAIL\n");
    }

    @Test
    void onlyFailuresArePrintedUnlessEveryCaseIsAskedFor() {
        results(false);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("  FAILED  one.bad: ", "1 passed, 1 failed, 1 skipped")
                .doesNotContain("one.good");
        printed.reset();
        results(true);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("  PASS       one.good (", "  SKIP       two.elsewhere (")
                .contains("\tat ");
    }
}
