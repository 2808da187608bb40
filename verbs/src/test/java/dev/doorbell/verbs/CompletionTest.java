package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.WorkCompletionFlag;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.fake.FakeCompletionQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class CompletionTest {
    private static final Duration LONG = Duration.ofSeconds(15);
    private static final Duration SHORT = Duration.ofMillis(2);

    private final Fixture fixture = new Fixture();
    private final CompletionQueue queue = fixture.completions;
    private final FakeCompletionQueue device = fixture.fakeCompletions();

    @AfterEach
    void close() {
        Thread.interrupted();
        fixture.close();
    }

    private void success(long id) {
        device.complete(id, 0, 0x101, WorkCompletionOpcode.SEND.code(), 8);
    }

    private void failure(long id) {
        device.complete(id, WorkCompletionStatus.RETRY_EXC_ERR.code(), 0x101, 99, 99);
    }

    @Test
    void theCursorShowsEachCompletionOnce() {
        success(1);
        device.complete(
                2, 0, 0x102, WorkCompletionOpcode.RECV.code(), 33, WorkCompletionFlag.WITH_IMM.bit(), 0x01020304);
        try (CompletionCursor poll = queue.poll()) {
            assertThat(poll.next()).isTrue();
            assertThat(poll.id()).isEqualTo(1);
            assertThat(poll.isSuccess()).isTrue();
            assertThat(poll.status()).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(poll.statusCode()).isZero();
            assertThat(poll.opcode()).isEqualTo(WorkCompletionOpcode.SEND);
            assertThat(poll.hasImmediate()).isFalse();
            assertThat(poll.requireSuccess()).isSameAs(poll);
            assertThat(poll.describe()).isEqualTo("work request 1 of queue pair 0x101: success");
            assertThat(poll.next()).isTrue();
            assertThat(poll.id()).isEqualTo(2);
            assertThat(poll.queuePairNumber()).isEqualTo(0x102);
            assertThat(poll.byteLength()).isEqualTo(33);
            assertThat(poll.flags()).isEqualTo(WorkCompletionFlag.WITH_IMM.bit());
            assertThat(poll.immediate()).isEqualTo(0x01020304);
            assertThat(poll.vendorError()).isZero();
            assertThat(poll.sourceQueuePair()).isEqualTo(5);
            assertThat(poll.sourceLid()).isEqualTo(6);
            assertThat(poll.serviceLevel()).isEqualTo(7);
            assertThat(poll.destinationPathBits()).isEqualTo(8);
            assertThat(poll.completionQueue()).isSameAs(queue);
            assertThat(poll.copy())
                    .isEqualTo(new Completion(
                            2,
                            WorkCompletionStatus.SUCCESS,
                            0,
                            0x102,
                            WorkCompletionOpcode.RECV,
                            33,
                            WorkCompletionFlag.WITH_IMM.bit(),
                            0x01020304,
                            5));
            assertThat(poll.next()).isFalse();
            Refused.with(Errno.ENODATA, poll::id);
        }
        try (CompletionCursor poll = queue.poll()) {
            assertThat(poll.next()).as("taken before").isFalse();
        }
    }

    @Test
    void fieldsThatAFailedCompletionLacksCannotBeRead() {
        failure(7);
        try (CompletionCursor poll = queue.poll()) {
            Refused.with(Errno.ENODATA, poll::id);
            assertThat(poll.next()).isTrue();
            assertThat(poll.id()).isEqualTo(7);
            assertThat(poll.status()).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);
            assertThat(poll.vendorError()).isEqualTo(0x77);
            assertThat(poll.queuePairNumber()).isEqualTo(0x101);
            for (Runnable field : List.<Runnable>of(
                    poll::opcode,
                    poll::byteLength,
                    poll::flags,
                    poll::hasImmediate,
                    poll::immediate,
                    poll::invalidatedRkey,
                    poll::sourceQueuePair,
                    poll::sourceLid,
                    poll::serviceLevel,
                    poll::destinationPathBits)) {
                assertThatThrownBy(field::run)
                        .isInstanceOf(InvalidFieldException.class)
                        .hasMessageContaining("RETRY_EXC_ERR");
            }
            assertThat(poll.copy().isSuccess()).isFalse();
            assertThat(poll.copy().opcode()).isEqualTo(WorkCompletionOpcode.UNKNOWN);
        }
    }

    @Test
    void moderationHasSixteenBits() {
        for (Duration period : List.of(Duration.ofNanos(65_535_001), Duration.ofHours(1), Duration.ofNanos(-1))) {
            assertThat(Refused.with(Errno.EINVAL, () -> queue.moderate(1, period)))
                    .hasMessageContaining("allowed 65535 us");
        }
        for (int completions : new int[] {-1, 65_536, Integer.MAX_VALUE}) {
            Refused.with(Errno.EINVAL, () -> queue.moderate(completions, SHORT));
        }
        Refused.with(Errno.EOPNOTSUPP, () -> queue.moderate(65_535, Duration.ofNanos(65_535_000)));
    }

    @Test
    void aFailureIsDescribedByNameCauseAndHint() {
        failure(7);
        WorkCompletionException failed =
                catchThrowableOfType(WorkCompletionException.class, () -> queue.awaitSuccess(1, LONG));

        assertThat(failed.id()).isEqualTo(7);
        assertThat(failed.status()).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);
        assertThat(failed.vendorError()).isEqualTo(0x77);
        assertThat(failed.queuePairNumber()).isEqualTo(0x101);
        assertThat(failed.errno()).isZero();
        assertThat(failed.errnoName()).isEmpty();
        assertThat(failed)
                .hasMessageStartingWith("work request 7 on queue pair 0x101: RETRY_EXC_ERR")
                .hasMessageContaining("RETRY_EXC_ERR")
                .hasMessageContaining(WorkCompletionStatus.RETRY_EXC_ERR.cause())
                .hasMessageContaining(WorkCompletionStatus.RETRY_EXC_ERR.hint())
                .hasMessageContaining("vendor error 119");
    }

    @Test
    void aMessageWithoutImmediateHasNone() {
        success(1);
        try (CompletionCursor poll = queue.poll()) {
            poll.next();
            assertThatThrownBy(poll::immediate)
                    .isInstanceOf(InvalidFieldException.class)
                    .hasMessageContaining("the message brought none");
            assertThatThrownBy(poll::invalidatedRkey).isInstanceOf(InvalidFieldException.class);
        }
    }

    @Test
    void aStatusWithoutANameKeepsItsNumber() {
        device.complete(1, 200, 5, 0, 0);
        try (CompletionCursor poll = queue.poll()) {
            poll.next();
            assertThat(poll.status()).isEqualTo(WorkCompletionStatus.UNKNOWN);
            assertThat(poll.statusCode()).isEqualTo(200);
            assertThat(poll.toString()).contains("status 200");
        }
    }

    @Test
    void aHandlerGetsAtMostWhatWasAskedFor() {
        for (int i = 0; i < 5; i++) {
            success(i);
        }
        List<Long> ids = new ArrayList<>();

        assertThat(queue.poll(3, completion -> ids.add(completion.id()))).isEqualTo(3);
        assertThat(queue.poll(0, completion -> ids.add(completion.id()))).isZero();
        assertThat(queue.poll(9, completion -> ids.add(completion.id()))).isEqualTo(2);
        assertThat(queue.poll(9, completion -> ids.add(completion.id()))).isZero();
        assertThat(ids).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void aHandlerThatThrowsHasTakenItsCompletion() {
        success(1);
        success(2);
        assertThatThrownBy(() -> queue.poll(9, completion -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertThat(queue.poll(9, completion -> assertThat(completion.id()).isEqualTo(2)))
                .isEqualTo(1);
    }

    @Test
    void aHandlerMayPostButNotPoll() {
        QueuePair queuePair = fixture.connected();
        success(1);
        queue.poll(1, completion -> {
            queuePair.postSend(2, fixture.region.slice(0, 8));
            assertThat(Refused.with(Errno.EBUSY, queue::poll)).hasMessageContaining("this thread has it open");
        });
        assertThat(queuePair.sendSlots()).isEqualTo(7);
    }

    @Test
    void aRoundEndsWithItsClose() {
        success(1);
        CompletionCursor poll = queue.poll();
        poll.next();
        poll.close();
        poll.close();

        Refused.with(Errno.EINVAL, poll::next);
        Refused.with(Errno.EINVAL, poll::id);
        assertThat(queue.poll(9, completion -> {})).isZero();
    }

    @Test
    @SuppressWarnings("try") // the other thread tries to close what it does not own
    void aRoundBelongsToItsThread() {
        success(1);
        try (CompletionCursor poll = queue.poll()) {
            poll.next();
            OtherThread.run(() -> {
                Refused.with(Errno.EINVAL, poll::id);
                Refused.with(Errno.EINVAL, poll::next);
                poll.close();
            });
            assertThat(poll.id()).isEqualTo(1);
        }
    }

    @Test
    void waitingEndsWhenAllHaveCome() throws InterruptedException {
        success(1);
        Thread other = Thread.ofVirtual().start(() -> {
            success(2);
            success(3);
        });
        assertThat(queue.await(3, LONG, completion -> {})).isEqualTo(3);
        other.join();
        assertThat(queue.await(0, LONG, completion -> {})).isZero();
    }

    @Test
    void waitingEndsWhenTheTimeIsUp() {
        success(1);

        assertThat(queue.await(2, SHORT, completion -> {})).isEqualTo(1);
        assertThat(queue.await(1, Duration.ofSeconds(-1), completion -> {})).isZero();
        assertThat(Refused.with(Errno.ETIMEDOUT, () -> queue.awaitSuccess(1, SHORT)))
                .hasMessageContaining("0 of 1 completions");
    }

    @Test
    void waitingEndsWhenAConditionHolds() {
        AtomicInteger seen = new AtomicInteger();
        success(1);
        success(2);

        assertThat(queue.await(() -> seen.get() >= 2, LONG, completion -> seen.incrementAndGet()))
                .isTrue();
        assertThat(queue.await(() -> false, SHORT, completion -> {})).isFalse();
        success(3);
        assertThat(queue.await(() -> true, Duration.ZERO, completion -> seen.incrementAndGet()))
                .isTrue();
        assertThat(seen).as("it looks once at least").hasValue(3);
    }

    @Test
    void anInterruptedThreadStopsWaitingAndClosesNothing() {
        success(1);
        Thread.currentThread().interrupt();

        assertThat(queue.await(2, LONG, completion -> {})).isEqualTo(1);
        assertThat(queue.await(() -> false, LONG, completion -> {})).isFalse();
        Refused.with(Errno.EINTR, () -> queue.awaitSuccess(1, LONG));
        assertThat(Thread.interrupted()).as("the interrupt status stays").isTrue();
        success(2);
        queue.awaitSuccess(1, LONG);
        assertThat(fixture.context.isOpen()).isTrue();
    }

    @Test
    void anInterruptReachesAWaitingThread() throws InterruptedException {
        CountDownLatch waiting = new CountDownLatch(1);
        AtomicInteger came = new AtomicInteger(-1);
        Thread waiter = Thread.ofPlatform()
                .start(() -> came.set(
                        queue.await(
                                        () -> {
                                            waiting.countDown();
                                            return false;
                                        },
                                        LONG,
                                        completion -> {})
                                ? 1
                                : 0));
        waiting.await();
        waiter.interrupt();
        waiter.join();

        assertThat(came).hasValue(0);
    }

    @Test
    void durationsWithoutAnEndAreTaken() {
        assertThat(Deadline.nanos(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Long.MAX_VALUE / 2);
        assertThat(Deadline.nanos(Duration.ofSeconds(-1))).isZero();
        assertThat(Deadline.nanos(Duration.ofNanos(5))).isEqualTo(5);
    }
}
