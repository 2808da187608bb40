package dev.doorbell.quality.datapath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.memory.Host;
import dev.doorbell.memory.Shared;
import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.quality.stack.Workers;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A target whose program computes, and never posts, polls or waits, serves its peer all the same. */
@Timeout(120)
final class PassiveTargetTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int ROUNDS = 200;
    private static final int BYTES = 10_000;
    private static final int READ_BACK = 16_384;
    private static final int WORD = 32_768;
    private static final int RESULT = 40_000;

    @Test
    void aComputingProgramServes() {
        try (Pair pair = Pair.on(Path.LINK)) {
            AtomicBoolean done = new AtomicBoolean();
            long[] seen = new long[1];
            Workers.run(
                    DEADLINE,
                    () -> {
                        try {
                            ask(pair.left(), pair.right().region().remote());
                        } finally {
                            done.set(true);
                        }
                    },
                    () -> seen[0] = compute(pair.right(), done));

            assertThat(seen[0])
                    .as("the last word that the computing thread saw")
                    .isEqualTo(ROUNDS);
            assertThat(Host.getLong(pair.right().memory(), WORD)).isEqualTo(ROUNDS);
        }
    }

    /** Looks at its memory, but calls nothing that could drive its device. */
    private static long compute(End target, AtomicBoolean done) {
        long last = 0;
        long sum = 1;
        while (!done.get()) {
            for (int i = 0; i < 10_000; i++) {
                sum = sum * 6_364_136_223_846_793_005L + 1;
            }
            long now = Shared.getLongAcquire(target.memory(), BYTES - 8);
            assertThat(now).isGreaterThanOrEqualTo(last);
            last = now;
        }
        assertThat(sum).isNotZero();
        return Shared.getLongAcquire(target.memory(), BYTES - 8);
    }

    private static void ask(End left, RemoteMemory remote) {
        for (int round = 1; round <= ROUNDS; round++) {
            Host.setLong(left.memory(), 0, ~(long) round);
            Host.setLong(left.memory(), BYTES - 8, round);
            try (SendBatch batch = left.queuePair().batch()) {
                batch.write(1, remote, 0).sge(left.region(), 0, BYTES);
                batch.read(2, remote, 0).sge(left.region(), READ_BACK, BYTES);
                batch.fetchAndAdd(3, remote, WORD, 1)
                        .sge(left.region(), RESULT, 8)
                        .signaled();
                batch.submit();
            }
            left.completions().awaitSuccess(1, DEADLINE);
            assertThat(Host.getLong(left.memory(), READ_BACK)).isEqualTo(~(long) round);
            assertThat(Host.getLong(left.memory(), READ_BACK + BYTES - 8)).isEqualTo(round);
            assertThat(Host.getLong(left.memory(), RESULT)).isEqualTo(round - 1);
        }
    }
}
