package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Completion queues that change their size, overflow, or are two for one queue pair. */
@ParameterizedClass
@EnumSource(Way.class)
@Timeout(120)
class CompletionQueueTest {
    private final Way.Ground ground;
    private final Endpoint left;
    private final Endpoint right;
    private final Device.Buffer source;
    private final Device.Buffer target;

    CompletionQueueTest(Way way) {
        ground = way.open();
        left = ground.left().endpoint();
        right = ground.right().endpoint();
        source = ground.left().buffer(64).fill(1);
        target = ground.right().buffer(64);
    }

    private static List<Long> ids(List<Endpoint.Done> done) {
        return done.stream().map(Endpoint.Done::id).toList();
    }

    private static List<Long> range(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    private void write(long first, long last) {
        for (long id = first; id <= last; id++) {
            left.write(id, target, 0, sge(source));
            ground.settle();
        }
    }

    @Test
    void growingAndShrinkingKeepWhatWaitsInOrder() {
        Endpoint.connect(left, right);
        write(1, 20);
        assertThat(left.resize(64)).isZero();
        write(21, 40);
        assertThat(left.resize(1024)).isZero();
        write(41, 50);
        assertThat(left.resize(64)).isZero();
        assertThat(ids(left.sent())).isEqualTo(range(1, 50));
        write(51, 55);
        assertThat(left.resize(8)).isZero();
        assertThat(ids(left.sent())).isEqualTo(range(51, 55));
        write(56, 60);
        assertThat(ids(left.sent())).isEqualTo(range(56, 60));
    }

    @Test
    void aSizeBelowWhatWaitsIsRefusedAndChangesNothing() {
        Endpoint.connect(left, right);
        write(1, 9);
        assertThat(left.resize(8)).isEqualTo(Errno.EINVAL);
        assertThat(left.resize(16, 8)).as("fewer than the ring would hold").isEqualTo(Errno.EINVAL);
        assertThat(left.resize(16, 9)).isZero();
        write(10, 12);
        assertThat(ids(left.sent())).isEqualTo(range(1, 12));
    }

    @Test
    void anArmedQueueStaysArmed() {
        Endpoint.connect(left, right);
        left.sendQueue.arm(false);
        assertThat(left.resize(512)).isZero();
        write(1, 2);
        assertThat(left.completionEvents).isEqualTo(1);
    }

    /** One thread posts, polls and resizes; others complete into the queue meanwhile. */
    @Test
    void completionsArriveWhileTheQueueMoves() throws InterruptedException, ExecutionException {
        Endpoint.connect(left, right);
        int total = 20_000;
        FutureTask<Void> driver = new FutureTask<>(
                () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        ground.settle();
                        left.queuePair.ring();
                    }
                },
                null);
        Thread thread = Thread.ofPlatform().daemon().start(driver);
        SplittableRandom random = new SplittableRandom(9);
        List<Long> done = new ArrayList<>();
        long posted = 0;
        while (done.size() < total) {
            if (posted < total && posted - done.size() < 40) {
                left.write(++posted, target, 0, sge(source));
            }
            if (random.nextInt(50) == 0) {
                left.resize(64 << random.nextInt(4));
            }
            if (random.nextInt(3) == 0) {
                done.addAll(ids(left.sent()));
            }
        }
        thread.interrupt();
        driver.get();
        assertThat(done).isEqualTo(range(1, total));
        assertThat(left.overflows).isZero();
    }

    @Test
    void anOverflowOfSendsKillsTheSenderAndIsReportedOnce() {
        left.options.completions = 2;
        Endpoint tight = ground.left().endpoint(left.options);
        Endpoint.connect(tight, right);
        tight.receive(21, sge(source));
        for (int id = 1; id <= 4; id++) {
            tight.write(id, target, 0, sge(source));
            ground.settle();
        }
        assertThat(tight.overflows).isEqualTo(1);
        assertThat(tight.queuePair.state()).isEqualTo(QueuePairState.ERROR);
        assertThat(ground.left().events).containsExactly(AsyncEventType.QP_FATAL);
        assertThat(ids(tight.sent())).as("what fitted can be polled").containsExactly(1L, 2L);
        assertThat(tight.received())
                .as("the other queue is sound")
                .extracting(Endpoint.Done::status)
                .containsExactly(WorkCompletionStatus.WR_FLUSH_ERR);
        tight.send(5, sge(source));
        assertThat(tight.sent()).as("it stays in error").isEmpty();
        assertThat(tight.overflows).isEqualTo(1);
    }

    @Test
    void anOverflowOfReceivesKillsTheReceiverSilently() {
        right.options.completions = 1;
        Endpoint tight = ground.right().endpoint(right.options);
        Endpoint.connect(left, tight);
        tight.receive(1, sge(target));
        tight.receive(2, sge(target));
        left.send(1, sge(source));
        ground.settle();
        left.send(2, sge(source));
        ground.settle();
        assertThat(tight.overflows).isEqualTo(1);
        assertThat(tight.queuePair.state()).isEqualTo(QueuePairState.ERROR);
        assertThat(ground.right().events).containsExactly(AsyncEventType.QP_FATAL);
        ground.finish();
        assertThat(left.sent())
                .extracting(Endpoint.Done::status)
                .containsExactly(WorkCompletionStatus.SUCCESS, WorkCompletionStatus.RETRY_EXC_ERR);
        assertThat(ids(tight.received())).containsExactly(1L);
    }
}
