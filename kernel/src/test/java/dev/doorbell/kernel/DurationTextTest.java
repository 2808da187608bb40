package dev.doorbell.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DurationTextTest {
    @Test
    void aDurationReadsAsPeopleWriteIt() {
        assertThat(DurationText.of(Duration.ofSeconds(30))).isEqualTo("30 s");
        assertThat(DurationText.of(Duration.ofMillis(2500))).isEqualTo("2.5 s");
        assertThat(DurationText.of(Duration.ofMinutes(10))).isEqualTo("600 s");
        assertThat(DurationText.of(Duration.ofMillis(20))).isEqualTo("20 ms");
        assertThat(DurationText.of(Duration.ofNanos(67_108_864))).isEqualTo("67.108864 ms");
        assertThat(DurationText.of(Duration.ofNanos(4_096))).isEqualTo("4.096 us");
        assertThat(DurationText.of(Duration.ofNanos(7))).isEqualTo("7 ns");
    }

    @Test
    void theEndsOfTheRangeAreNoAccidents() {
        assertThat(DurationText.of(Duration.ZERO)).isEqualTo("0 s");
        assertThat(DurationText.of(Duration.ofSeconds(-5))).isEqualTo("0 s");
        assertThat(DurationText.of(Duration.ofSeconds(Long.MAX_VALUE))).endsWith(" s");
    }
}
