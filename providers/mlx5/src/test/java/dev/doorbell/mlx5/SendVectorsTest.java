package dev.doorbell.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the C driver writes for sends, by each way that this driver has: call by call and in one call, with words by address and
 * through segments. Runs twice, with native access and without.
 */
@Timeout(120)
class SendVectorsTest {
    private static final List<String> PROFILES =
            List.of("dyn", "static", "static_bf0", "dyn_bf256", "dyn_nobf", "shutupbf");

    @Test
    void postedInOneCall() {
        Tally tally = new Tally();
        int posts = 0;
        for (String profile : PROFILES) {
            SendReplay replay = SendReplay.atOnce(profile, tally);
            replay.run();
            posts += replay.posts();
        }
        assertThat(tally.failures()).isEmpty();
        assertThat(posts).as("work requests that came alone").isGreaterThan(300);
    }

    @Test
    void postedCallByCall() {
        Tally tally = new Tally();
        for (String profile : PROFILES) {
            new SendReplay(profile, tally).run();
        }
        assertThat(tally.failures()).isEmpty();
    }
}
