package dev.doorbell.quality.datapath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.memory.Shared;
import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.quality.stack.Workers;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A program that polls memory instead of completions: once it sees the last aligned eight bytes of a WRITE, with acquire, it
 * sees all the others.
 */
@Timeout(180)
final class MemoryPollingTest {
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final long SEED = 20;
    private static final int LONGEST = 9_000;

    /** What both threads know of a round without talking about it. */
    private record Round(long number, int at, int bytes) {
        static Round of(long number) {
            SplittableRandom random = new SplittableRandom(SEED + number);
            int at = random.nextInt(64);
            int bytes = random.nextInt(4) == 0 ? random.nextInt(16, LONGEST) : random.nextInt(16, 600);
            return new Round(number, at, bytes);
        }

        /** Repeats the same eight bytes, so that each aligned word has the same value, whatever the round. */
        long word() {
            return (number & 0x7f) * 0x0101_0101_0101_0101L + 0x0101_0101_0101_0101L;
        }

        long lastWord(MemorySegment memory) {
            long end = memory.address() + at + bytes;
            return (end & -8) - 8 - memory.address();
        }
    }

    @ParameterizedTest
    @EnumSource(Path.class)
    void theLastWordComesLast(Path path) {
        int rounds = path == Path.DIRECT ? 20_000 : 5_000;
        try (Pair pair = Pair.on(path)) {
            AtomicLong seen = new AtomicLong();
            Workers.run(
                    DEADLINE,
                    () -> write(pair.left(), pair.right().region().remote(), rounds, seen),
                    () -> look(pair.right(), rounds, seen));
        }
    }

    private static void write(End left, RemoteMemory remote, int rounds, AtomicLong seen) {
        for (long number = 1; number <= rounds; number++) {
            Round round = Round.of(number);
            left.memory().asSlice(0, round.bytes()).fill((byte) round.word());
            try (SendBatch batch = left.queuePair().batch()) {
                batch.write(number, remote, round.at())
                        .sge(left.region(), 0, round.bytes())
                        .signaled();
                batch.submit();
            }
            left.completions().awaitSuccess(1, DEADLINE);
            for (int spins = 1; seen.get() != number; spins++) {
                spin(spins);
            }
        }
    }

    private static void look(End right, int rounds, AtomicLong seen) {
        MemorySegment memory = right.memory();
        MemorySegment expected = MemorySegment.ofArray(new byte[LONGEST]);
        for (long number = 1; number <= rounds; number++) {
            Round round = Round.of(number);
            long word = round.lastWord(memory);
            for (int spins = 1; Shared.getLongAcquire(memory, word) != round.word(); spins++) {
                spin(spins);
            }
            long difference = MemorySegment.mismatch(
                    memory,
                    round.at(),
                    round.at() + round.bytes(),
                    expected.fill((byte) round.word()),
                    0,
                    round.bytes());
            assertThat(difference)
                    .as("byte that was not there yet in round %d, of %d bytes", number, round.bytes())
                    .isEqualTo(-1);
            memory.asSlice(round.at(), round.bytes()).fill((byte) 0);
            seen.set(number);
        }
    }

    /** Looks often enough to catch a wrong order, and lets others run where there are fewer processors than threads. */
    private static void spin(int spins) {
        if (spins % 1024 == 0) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }
}
