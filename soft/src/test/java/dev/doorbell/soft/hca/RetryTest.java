package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.AckTimeout;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.RnrTimer;
import dev.doorbell.spec.WorkCompletionStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule 3.3: counts and timers are the same whether a message is copied or travels in packets. */
@ParameterizedClass
@EnumSource(Way.class)
@Timeout(60)
class RetryTest {
    private final Way.Ground ground;
    private final Endpoint left;
    private final Endpoint right;
    private final Device.Buffer source;
    private final Device.Buffer target;

    RetryTest(Way way) {
        ground = way.open();
        left = ground.left().endpoint();
        right = ground.right().endpoint();
        source = ground.left().buffer(8);
        target = ground.right().buffer(8);
    }

    /** Lets time pass until a work request is complete; answers how long that took. */
    private long untilDone() {
        long start = ground.clock().get();
        int before = left.sendCompletions.index;
        ground.settle();
        while (left.sendCompletions.ring.producerAcquire() == before) {
            assertThat(ground.step()).isTrue();
        }
        return ground.clock().get() - start;
    }

    private void ends(WorkCompletionStatus... statuses) {
        assertThat(left.sent()).extracting(Endpoint.Done::status).containsExactly(statuses);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5, 6})
    void aReceiverThatIsNeverReadyIsAskedOnceMoreThanTheCountSays(int retries) {
        left.options.rnrRetry = retries;
        right.options.rnrTimer = 14;
        Endpoint.connect(left, right);
        left.send(1, sge(source));
        left.send(2, sge(source));
        assertThat(untilDone()).isEqualTo(retries * RnrTimer.nanos(14));
        ends(WorkCompletionStatus.RNR_RETRY_EXC_ERR, WorkCompletionStatus.WR_FLUSH_ERR);
        assertThat(ground.count(ground.right(), "send_rnr_err")).isEqualTo(retries + 1);
        assertThat(ground.count(ground.left(), "retry_rnr_exceeded_err")).isEqualTo(1);
        assertThat(left.queuePair.state()).isEqualTo(QueuePairState.ERROR);
        assertThat(right.queuePair.state()).isEqualTo(QueuePairState.RTS);
    }

    @Test
    void sevenWaitsForTheReceiverForEver() {
        left.options.rnrRetry = 7;
        Endpoint.connect(left, right);
        left.send(1, sge(source));
        for (int round = 0; round < 500; round++) {
            assertThat(ground.step()).isTrue();
        }
        assertThat(left.sent()).isEmpty();
        assertThat(ground.count(ground.right(), "send_rnr_err")).isGreaterThan(100);
        right.receive(1, sge(target));
        ground.finish();
        ends(WorkCompletionStatus.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 13, 25, 30, 31})
    void theReceiversCodeSaysHowLong(int code) {
        right.options.rnrTimer = code;
        Endpoint.connect(left, right);
        left.send(1, sge(source));
        ground.settle();
        right.receive(1, sge(target));
        left.queuePair.ring();
        assertThat(untilDone()).isEqualTo(RnrTimer.nanos(code));
        ends(WorkCompletionStatus.SUCCESS);
    }

    @Test
    void bothCountsStartAgainWithEachMessage() {
        left.options.rnrRetry = 1;
        Endpoint.connect(left, right);
        for (int message = 0; message < 3; message++) {
            left.send(message, sge(source));
            ground.settle();
            right.receive(message, sge(target));
            ground.finish();
            ends(WorkCompletionStatus.SUCCESS);
        }
        assertThat(ground.count(ground.left(), "rcvd_rnr_err")).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 6, 7})
    void aSilentPeerIsAskedOnceMoreThanTheCountSays(int retries) {
        left.options.retryCount = retries;
        left.options.timeout = 14;
        Endpoint.connect(left, right);
        right.queuePair.destroy();
        left.write(1, target, 0, sge(source));
        left.write(2, target, 0, sge(source));
        assertThat(untilDone()).isEqualTo((retries + 1) * AckTimeout.nanos(14));
        ends(WorkCompletionStatus.RETRY_EXC_ERR, WorkCompletionStatus.WR_FLUSH_ERR);
        assertThat(ground.count(ground.left(), "retry_exceeded_err")).isEqualTo(1);
        assertThat(left.queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void withoutATimeoutASilentPeerIsWaitedForForEver() {
        left.options.timeout = 0;
        left.options.retryCount = 0;
        Endpoint.connect(left, right);
        right.queuePair.destroy();
        left.send(1, sge(source));
        ground.finish();
        assertThat(left.sent()).isEmpty();
        assertThat(left.to(QueuePairState.ERROR)).isZero();
        ends(WorkCompletionStatus.WR_FLUSH_ERR);
    }

    @Test
    void aPeerThatBecomesReadyInTimeIsReached() {
        left.options.retryCount = 1;
        assertThat(left.init()).isZero();
        assertThat(left.readyToReceive(right)).isZero();
        assertThat(left.readyToSend()).isZero();
        left.send(1, sge(source));
        ground.settle();
        assertThat(right.init()).isZero();
        right.receive(1, sge(target));
        assertThat(right.readyToReceive(left)).isZero();
        ground.finish();
        ends(WorkCompletionStatus.SUCCESS);
        assertThat(right.received()).hasSize(1);
    }
}
