package dev.doorbell.quality.misuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.quality.stack.Workers;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A thread that is interrupted breaks nothing, closes nothing, and keeps its interrupt status. */
@ParameterizedClass
@EnumSource(Path.class)
@Timeout(60)
final class InterruptionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Path path;

    InterruptionTest(Path path) {
        this.path = path;
    }

    private static void interrupted(Workers.Work work) {
        Workers.run(Duration.ofSeconds(40), () -> {
            Thread.currentThread().interrupt();
            work.run();
            assertThat(Thread.currentThread().isInterrupted())
                    .as("interrupt status afterwards")
                    .isTrue();
        });
    }

    @Test
    void everythingWorksInAnInterruptedThread() {
        interrupted(() -> {
            try (Pair pair = Pair.on(path)) {
                for (int i = 0; i < 200; i++) {
                    exchange(pair.left(), pair.right());
                }
                assertThat(pair.left().queuePair().query().state()).isEqualTo(QueuePairState.RTS);
                assertThat(pair.left().context().query().maxQueuePairs()).isPositive();
                pair.left()
                        .domain()
                        .register(Arena.ofAuto().allocate(64), AccessFlag.LOCAL_WRITE)
                        .close();
                pair.left().queuePair().close();
                pair.right().queuePair().close();
                pair.right().completions().close();
            }
        });
    }

    private static void exchange(End left, End right) {
        right.queuePair().postReceive(1, right.region().slice(0, 64));
        try (SendBatch batch = left.queuePair().batch()) {
            batch.write(2, right.region().remote(), 64).sge(left.region(), 0, 64);
            batch.read(3, right.region().remote(), 64).sge(left.region(), 64, 64);
            batch.send(4).sge(left.region(), 0, 64).signaled();
            batch.submit();
        }
        take(left);
        take(right);
    }

    private static void take(End end) {
        long start = System.nanoTime();
        while (end.completions().poll(1, completion -> completion.requireSuccess()) == 0) {
            assertThat(System.nanoTime() - start).isLessThan(PATIENCE.toNanos());
            Thread.onSpinWait();
        }
    }

    @Test
    void waitingEndsAtOnceAndSaysWhy() {
        interrupted(() -> {
            try (Pair pair = Pair.on(path)) {
                assertThatThrownBy(() -> pair.left().completions().awaitSuccess(1, Duration.ofHours(1)))
                        .isInstanceOf(VerbsException.class)
                        .hasMessageContaining("EINTR")
                        .hasMessageContaining("0 of 1");
                assertThat(pair.left().completions().await(1, Duration.ofHours(1), completion -> {}))
                        .isZero();
                assertThat(pair.left().completions().await(() -> false, Duration.ofHours(1), completion -> {}))
                        .isFalse();
                exchange(pair.left(), pair.right());
            }
        });
    }

    /** What is there already is given out before anybody looks at the interrupt status. */
    @Test
    void waitingLooksOnceAtLeast() {
        try (Pair pair = Pair.on(path)) {
            End left = pair.left();
            try (SendBatch batch = left.queuePair().batch()) {
                batch.write(1, pair.right().region().remote(), 0).sge(left.region(), 0, 8);
                batch.write(2, pair.right().region().remote(), 0)
                        .sge(left.region(), 0, 8)
                        .signaled();
                batch.submit();
            }
            long start = System.nanoTime();
            while (left.queuePair().sendSlots() < 16 && System.nanoTime() - start < PATIENCE.toNanos()) {
                Thread.onSpinWait();
            }
            interrupted(() -> assertThat(left.completions().await(1, PATIENCE, completion -> {}))
                    .isEqualTo(1));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void interruptedWhileWaiting(boolean virtual) throws InterruptedException {
        try (Pair pair = Pair.on(path)) {
            CountDownLatch waiting = new CountDownLatch(1);
            AtomicReference<String> seen = new AtomicReference<>("nothing");
            Runnable wait = () -> {
                waiting.countDown();
                int came = pair.left().completions().await(1, Duration.ofHours(1), completion -> {});
                seen.set(came + " completions, interrupted: "
                        + Thread.currentThread().isInterrupted());
            };
            Thread thread = virtual
                    ? Thread.ofVirtual().start(wait)
                    : Thread.ofPlatform().daemon().start(wait);
            waiting.await();
            thread.interrupt();

            assertThat(thread.join(PATIENCE)).as("it stops waiting").isTrue();
            assertThat(seen).hasValue("0 completions, interrupted: true");
            exchange(pair.left(), pair.right());
        }
    }
}
