package dev.doorbell.bench.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the benchmark measures allocates nothing once it is compiled, and completes what it posted. */
@Timeout(120)
final class PostAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 40;
    private static final int MOST_WINDOWS = 100;
    private static final int CLEAN_WINDOWS = 4;

    @ParameterizedTest
    @CsvSource({
        "true, false, false",
        "true, false, true",
        "false, false, false",
        "false, false, true",
        "true, true, false",
        "true, true, true",
        "false, true, false",
        "false, true, true"
    })
    void roundsOfWritesAllocateNothing(boolean isInline, boolean isBatch, boolean isSingleThreaded) {
        try (PostLoop loop = new PostLoop(isInline, isBatch, isSingleThreaded)) {
            long rounds = 0;
            int clean = 0;
            long allocated = 0;
            for (int window = 0; window < MOST_WINDOWS && clean < CLEAN_WINDOWS; window++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                long last = 0;
                for (int i = 0; i < ROUNDS; i++) {
                    last = loop.round();
                }
                allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
                rounds += ROUNDS;
                assertThat(last).isEqualTo(rounds * PostLoop.DEPTH);
                clean = allocated == 0 ? clean + 1 : 0;
            }
            assertThat(clean)
                    .as("windows of %d rounds without an allocation (the last one: %d bytes)", ROUNDS, allocated)
                    .isEqualTo(CLEAN_WINDOWS);
        }
    }
}
