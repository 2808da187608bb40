package dev.doorbell.soft.hca;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a responder remembers, when it may remember more. */
class ReplayResourcesTest {
    private static final int DEPTH = 4;

    private final InboundRequest request =
            new InboundRequest(new MemoryRegions(new java.util.SplittableRandom(1), 1, () -> {}));

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 5, 7, 8})
    void moreRoomKeepsWhatWasThere(int added) {
        ReplayResources replays = new ReplayResources(DEPTH);
        for (int psn = 0; psn < added; psn++) {
            add(replays, psn);
        }
        ReplayResources more = replays.withRoomFor(2 * DEPTH);
        assertThat(more.withRoomFor(DEPTH)).as("never less").isSameAs(more);
        for (int psn = 0; psn < added; psn++) {
            int slot = more.findAtomic(psn);
            assertThat(slot >= 0).as("number %d of %d", psn, added).isEqualTo(psn >= added - DEPTH);
            if (slot >= 0) {
                assertThat(more.original(slot)).isEqualTo(100L + psn);
            }
        }
        for (int psn = added; psn < added + DEPTH; psn++) {
            add(more, psn);
        }
        for (int psn = Math.max(0, added - DEPTH); psn < added + DEPTH; psn++) {
            assertThat(more.findAtomic(psn)).as("number %d", psn).isNotNegative();
        }
    }

    private void add(ReplayResources replays, int psn) {
        request.psn = psn;
        request.original = 100L + psn;
        replays.addAtomic(request);
    }
}
