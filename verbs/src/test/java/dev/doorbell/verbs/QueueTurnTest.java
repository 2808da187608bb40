package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
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

    /** Who has taken thousands of turns takes them without the lock: who ends them all sees it nevertheless. */
    @Test
    void theTurnOfAFavouriteIsSeen() {
        for (int i = 0; i < 20_000; i++) {
            turn.begin("post");
            turn.end();
        }
        turn.begin("post");
        OtherThread.run(() -> assertThat(turn.shut(1_000_000)).isFalse());
        turn.check("post");
        turn.end();
        OtherThread.run(() -> assertThat(turn.shut(SECOND_NS)).isTrue());
        Refused.with(Errno.EBADF, () -> turn.begin("post"));
    }

    /** Either the end of all turns sees the open one, or whoever begins one sees the end. */
    @RepeatedTest(300)
    void withoutALockAnOpenTurnAndTheEndSeeEachOther() {
        QueueTurn single = new QueueTurn("send queue", true);
        AtomicInteger inside = new AtomicInteger();
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger late = new AtomicInteger();
        CountDownLatch busy = new CountDownLatch(1);
        CompletableFuture<Void> user = OtherThread.start(() -> {
            for (int i = 0; ; i++) {
                single.begin("post");
                if (ended.get()) {
                    late.incrementAndGet();
                }
                inside.setPlain(i);
                single.end();
                if (i == 50) {
                    busy.countDown();
                }
            }
        });
        OtherThread.run(() -> {
            try {
                busy.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        while (!single.shut(SECOND_NS)) {
            Thread.onSpinWait();
        }
        ended.set(true);
        assertThat(user)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withCauseInstanceOf(ClosedException.class);
        assertThat(late).hasValue(0);
    }
}
