package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Turns, and their end. */
@Timeout(20)
class QueueTurnTest {
    private static final long SECOND_NS = 1_000_000_000;

    private final QueueTurn turn = new QueueTurn("send queue", false);

    @Test
    void whoTakesTurnAfterTurnDoesNotHoldUpTheEnd() {
        CountDownLatch busy = new CountDownLatch(2);
        List<CompletableFuture<Void>> threads = Stream.generate(() -> OtherThread.start(() -> takeTurns(busy)))
                .limit(2)
                .toList();
        OtherThread.run(() -> {
            try {
                busy.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });

        assertThat(turn.shut(10 * SECOND_NS)).isTrue();

        for (CompletableFuture<Void> thread : threads) {
            assertThat(thread)
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableThat()
                    .withCauseInstanceOf(ClosedException.class);
        }
    }

    private void takeTurns(CountDownLatch busy) {
        for (int i = 0; ; i++) {
            turn.begin("post");
            for (int work = 0; work < 1000; work++) {
                Thread.onSpinWait();
            }
            turn.end();
            if (i == 100) {
                busy.countDown();
            }
        }
    }

    @Test
    void anEndThatDoesNotComeInTimeChangesNothing() {
        turn.begin("post");
        OtherThread.run(() -> assertThat(turn.shut(1_000_000)).isFalse());
        turn.check("post");
        turn.end();

        turn.begin("post");
        turn.end();
        assertThat(turn.shut(SECOND_NS)).isTrue();
        assertThat(Refused.with(Errno.EBADF, () -> turn.begin("post"))).isInstanceOf(ClosedException.class);
    }
}
