package dev.doorbell.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.tools.doctor.Finding.Grade;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ExaminationTest {
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void theEmbeddedDeviceIsWell() {
        List<Finding> findings = Examination.of(Map.of("PATH", "/bin", "DOORBELL_SOFT", "soft0@127.0.0.1"));
        assertThat(findings).noneMatch(finding -> finding.grade() == Grade.WRONG);
        assertThat(findings)
                .filteredOn(finding -> finding.grade() == Grade.OK)
                .extracting(Finding::text)
                .anyMatch(text -> text.startsWith("Java "))
                .contains("DOORBELL_SOFT=soft0@127.0.0.1")
                .noneMatch(text -> text.contains("PATH"))
                .anyMatch(text -> text.startsWith("soft0 can be opened: driver rxe"))
                .anyMatch(text -> text.startsWith("a message went from one queue pair of soft0 to another"))
                .anyMatch(text -> text.startsWith("the connection manager of soft0 listens"));
    }

    @Test
    void aVariableThatNobodyReadsIsWrong() {
        assertThat(KnownSettings.examine(Map.of("DOORBELL_CAPTRUE", "all.pcapng", "DOORBELL_FAULTS", "loss=1%")))
                .satisfiesExactly(
                        slip -> {
                            assertThat(slip.grade()).isEqualTo(Grade.WRONG);
                            assertThat(slip.text()).contains("is it DOORBELL_CAPTURE?");
                        },
                        known -> assertThat(known).isEqualTo(Finding.ok("DOORBELL_FAULTS=loss=1%")));
        assertThat(KnownSettings.examine(Map.of("DOORBELL_WHATEVER_ELSE", "1"))
                        .getFirst()
                        .text())
                .doesNotContain("is it")
                .contains("There are DOORBELL_CAPTURE, ");
    }

    @Test
    void slipsAreCounted() {
        assertThat(KnownSettings.distance("", "abc")).isEqualTo(3);
        assertThat(KnownSettings.distance("abc", "")).isEqualTo(3);
        assertThat(KnownSettings.distance("DOORBELL_SOTF", "DOORBELL_SOFT")).isEqualTo(2);
        assertThat(KnownSettings.distance("same", "same")).isZero();
        assertThat(KnownSettings.distance("kitten", "sitting")).isEqualTo(3);
    }
}
