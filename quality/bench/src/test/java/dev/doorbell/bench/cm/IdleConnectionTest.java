package dev.doorbell.bench.cm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Notices when an idle connection takes much more memory than docs/perf/cm.md says. Bytes are counted, and no time. */
@Timeout(120)
final class IdleConnectionTest {
    private static final int CONNECTIONS = 200;
    private static final int PAGE = 4096;

    /** Three rings at each end, none longer than a page: a send queue, a receive queue and a completion queue of a few elements. */
    private static final int RINGS = 6;

    private static Round idle(Layer layer) throws Exception {
        try (LocalScene scene = new LocalScene("idle", layer, false, 1, new Addresses(9))) {
            scene.play(CONNECTIONS);
            return scene.play(CONNECTIONS);
        }
    }

    @Test
    void anIdentifierAtEachEnd() throws Exception {
        assertThat(idle(Layer.COMMANDS).idleHeapBytes()).isLessThan(4_000);
    }

    @Test
    void aQueuePairAtEachEnd() throws Exception {
        Round round = idle(Layer.LIBRARY);
        assertThat(round.idleHeapBytes()).isLessThan(50_000);
        assertThat(round.idleRingBytes()).isEqualTo(RINGS * PAGE);
    }
}
