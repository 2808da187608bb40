package dev.doorbell.quality.misuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.quality.leaks.Footprint;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Posting, polling, waiting, resizing, modifying and registering, while two threads close what they find, through both drivers: nobody
 * hangs, nobody gets an exception of another kind than the API's, and nothing is left.
 */
@Timeout(400)
final class CrowdTest {
    /** System property: how many meetings there are, for those who look for what is rare. */
    private static final String ROUNDS = "doorbell.crowd.rounds";

    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @ParameterizedTest
    @CsvSource({"false, 1", "false, 2", "true, 1", "true, 2"})
    void nobodyHangsAndNothingIsLeft(boolean isMlx5, int devices) {
        Footprint before = Footprint.now();
        int rounds = Integer.getInteger(ROUNDS, 4);
        for (int seed = 0; seed < rounds; seed++) {
            try (Crowd crowd = new Crowd(isMlx5, devices, seed)) {
                crowd.meet(DEADLINE);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(Footprint.now().descriptors()).isEqualTo(before.descriptors());
    }
}
