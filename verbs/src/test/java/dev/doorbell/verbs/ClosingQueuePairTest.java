package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.fake.FakeQueuePair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of outstanding work requests. */
@Timeout(20)
class ClosingQueuePairTest {
    private final Fixture fixture = new Fixture();
    private final QueuePair queuePair = fixture.connected();
    private final FakeQueuePair fake = fixture.fake();
    private final MemorySlice slice = fixture.region.slice(0, 8);

    @AfterEach
    void close() {
        fixture.close();
    }

    private void postThreeSendsAndTwoReceives() {
        try (SendBatch batch = queuePair.batch()) {
            batch.send(1).sge(slice);
            batch.send(2).sge(slice).signaled();
            batch.send(3).sge(slice);
            batch.submit();
        }
        queuePair.postReceive(11, slice);
        queuePair.postReceive(12, slice);
    }

    private List<Long> flushed() {
        List<Long> ids = new ArrayList<>();
        fixture.completions.poll(100, completion -> {
            assertThat(completion.status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
            assertThat(completion.queuePairNumber()).isEqualTo(queuePair.number());
            assertThat(completion.copy().isSuccess()).isFalse();
            ids.add(completion.id());
        });
        return ids;
    }

    @Test
    void theDeviceFlushesBeforeTheQueuePairIsDestroyed() {
        postThreeSendsAndTwoReceives();
        queuePair.close();

        assertThat(fake.modifications.getLast().state()).isEqualTo(QueuePairState.ERROR);
        assertThat(fake.modifications.getLast().mask()).containsExactly(QueuePairAttribute.STATE);
        assertThat(fixture.device.channel.log).endsWith("MODIFY_QP", "DESTROY_QP");
        assertThat(flushed()).containsExactlyInAnyOrder(1L, 2L, 3L, 11L, 12L);
        assertThat(flushed()).isEmpty();
    }

    @Test
    void whatADeviceDoesNotFlushInTimeComesBackAllTheSame() {
        fake.flushes = false;
        postThreeSendsAndTwoReceives();
        long start = System.nanoTime();
        queuePair.close(Duration.ofMillis(20));

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
        assertThat(flushed()).containsExactly(1L, 2L, 3L, 11L, 12L);
        assertThat(flushed()).isEmpty();
    }

    @Test
    void whatADeviceReportsAfterAllComesBackOnce() {
        fake.flushes = false;
        postThreeSendsAndTwoReceives();
        // The device reports one of them without getting round to retiring it, then the time is up.
        fake.sends.reportLate();
        queuePair.close(Duration.ZERO);

        assertThat(flushed()).containsExactly(1L, 2L, 3L, 11L, 12L);
        assertThat(flushed()).isEmpty();
    }

    @Test
    void whatWasPolledBeforeTheDeviceRetiredItDoesNotComeBackAgain() {
        fake.flushes = false;
        postThreeSendsAndTwoReceives();
        fake.sends.reportLate();
        assertThat(flushed()).containsExactly(1L);
        queuePair.close(Duration.ZERO);

        assertThat(flushed()).containsExactly(2L, 3L, 11L, 12L);
        assertThat(flushed()).isEmpty();
    }

    @Test
    void onlyWhatIsOutstandingComesBack() {
        fake.flushes = false;
        for (int i = 0; i < 100; i++) {
            try (SendBatch batch = queuePair.batch()) {
                batch.send(i);
                batch.submit();
            }
            if (i < 97) {
                fake.sends.execute();
            }
        }
        queuePair.close(Duration.ZERO);

        assertThat(flushed()).containsExactly(97L, 98L, 99L);
    }

    @Test
    void anIdentifierThatIsUsedTwiceComesBackTwice() {
        fake.flushes = false;
        queuePair.postSend(5, slice);
        queuePair.postSend(5, slice);
        fake.sends.reportLate();
        queuePair.close(Duration.ZERO);

        assertThat(flushed()).containsExactly(5L, 5L);
    }

    @Test
    void closingWhileARoundOfPollingIsOpenHandsThemToThatRound() {
        fake.flushes = false;
        queuePair.postSend(5, slice);
        try (CompletionCursor poll = fixture.completions.poll()) {
            assertThat(poll.next()).isFalse();
            queuePair.close(Duration.ZERO);
            assertThat(poll.next()).isTrue();
            assertThat(poll.id()).isEqualTo(5);
            assertThat(poll.status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
            assertThat(poll.next()).isFalse();
        }
    }

    @Test
    void aBatchThatIsOpenInTheClosingThreadIsGivenUp() {
        fake.flushes = false;
        queuePair.postSend(1, slice);
        try (SendBatch batch = queuePair.batch()) {
            batch.send(2);
            queuePair.close(Duration.ZERO);
        }
        assertThat(flushed()).containsExactly(1L);
    }

    @Test
    void aQueuePairThatNeverConnectedClosesAtOnce() {
        QueuePair fresh = fixture.builder().build();
        fresh.close();

        assertThat(fixture.fake().modifications).isEmpty();
        assertThat(fixture.device.channel.log).endsWith("CREATE_QP", "DESTROY_QP");
    }

    @Test
    void aDeviceThatIsGoneIsNotWaitedFor() {
        fake.flushes = false;
        queuePair.postSend(5, slice);
        fixture.device.channel.refusals.put(UverbsCommand.MODIFY_QP, Errno.EIO);
        queuePair.close(Duration.ofMinutes(5));

        assertThat(flushed()).containsExactly(5L);
    }

    @Test
    void theContextDoesNotWaitForFlushes() {
        fake.flushes = false;
        queuePair.postSend(5, slice);
        fixture.context.close();

        assertThat(fake.modifications.getLast().state()).isEqualTo(QueuePairState.RTS);
        assertThat(fixture.device.channel.closed).isTrue();
    }
}
