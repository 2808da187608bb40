package dev.doorbell.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchOptionsTest {
    @Test
    void takesRoundsAndPinningInAnyOrder() {
        BenchOptions options = BenchOptions.parse("--no-pin", "--rounds", "3", "--quick");

        assertThat(options.pin()).isFalse();
        assertThat(options.rounds()).isEqualTo(7);
        assertThat(BenchOptions.parse("--quick", "--rounds", "3").rounds()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "many", "", "10001", "99999999999"})
    void refusesRoundsThatMakeNoSense(String rounds) {
        assertThatThrownBy(() -> BenchOptions.parse("--rounds", rounds))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--rounds");
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThatThrownBy(() -> BenchOptions.parse("--fast"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--fast");
    }
}
