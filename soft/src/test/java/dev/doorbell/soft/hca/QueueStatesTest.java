package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionStatus;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What work requests become in the states of a reliable connection, by either way. */
@ParameterizedClass
@EnumSource(Way.class)
@Timeout(60)
class QueueStatesTest {
    private final Way.Ground ground;
    private final Endpoint left;
    private final Endpoint right;
    private final Device.Buffer source;
    private final Device.Buffer target;

    QueueStatesTest(Way way) {
        ground = way.open();
        left = ground.left().endpoint();
        right = ground.right().endpoint();
        source = ground.left().buffer(5000).fill(1);
        target = ground.right().buffer(5000);
    }

    private static List<Long> ids(List<Endpoint.Done> done, WorkCompletionStatus status) {
        assertThat(done).extracting(Endpoint.Done::status).allMatch(status::equals);
        return done.stream().map(Endpoint.Done::id).toList();
    }

    private static List<Long> flushed(List<Endpoint.Done> done) {
        return ids(done, WorkCompletionStatus.WR_FLUSH_ERR);
    }

    private static List<Long> succeeded(List<Endpoint.Done> done) {
        return ids(done, WorkCompletionStatus.SUCCESS);
    }

    private static int modify(Endpoint end, QueuePairState state, boolean notify) {
        QueuePairSettings settings = new QueuePairSettings();
        settings.state = state.code();
        settings.notifyDrained = notify;
        return end.queuePair.modify(
                settings, Endpoint.mask(QueuePairAttribute.STATE, QueuePairAttribute.SQD_ASYNC_NOTIFY));
    }

    @Test
    void errorFlushesBothQueuesInPostingOrder() {
        Endpoint.connect(left, right);
        left.receive(21, sge(source));
        left.receive(22, sge(source));
        left.send(1, sge(source));
        left.write(2, target, 0, sge(source));
        left.read(3, target, 0, sge(source));
        assertThat(left.to(QueuePairState.ERROR)).isZero();
        assertThat(flushed(left.sent())).containsExactly(1L, 2L, 3L);
        assertThat(flushed(left.received())).containsExactly(21L, 22L);
        ground.finish();
        assertThat(left.sent()).as("late answers change nothing").isEmpty();
    }

    @Test
    void whatIsPostedInErrorIsFlushed() {
        Endpoint.connect(left, right);
        assertThat(left.to(QueuePairState.ERROR)).isZero();
        left.receive(21, sge(source));
        left.send(1, sge(source));
        left.send(2, sge(source));
        assertThat(flushed(left.sent())).containsExactly(1L, 2L);
        assertThat(flushed(left.received())).containsExactly(21L);
        left.receive(22, sge(source));
        assertThat(left.queuePair.ring()).isZero();
        assertThat(flushed(left.received())).containsExactly(22L);
    }

    @Test
    void aFailureIsReportedBeforeWhatItFlushes() {
        Endpoint.connect(left, right);
        right.receive(21, sge(target));
        left.receive(31, sge(source));
        left.write(1, target, 0, sge(source));
        left.rdma(2, dev.doorbell.spec.WorkRequestOpcode.RDMA_WRITE, 0, 0, sge(source));
        left.send(3, sge(source));
        ground.finish();
        assertThat(left.sent())
                .extracting(Endpoint.Done::id, Endpoint.Done::status)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(1L, WorkCompletionStatus.SUCCESS),
                        org.assertj.core.groups.Tuple.tuple(2L, WorkCompletionStatus.REM_ACCESS_ERR),
                        org.assertj.core.groups.Tuple.tuple(3L, WorkCompletionStatus.WR_FLUSH_ERR));
        assertThat(flushed(left.received())).containsExactly(31L);
        assertThat(flushed(right.received())).containsExactly(21L);
    }

    @Test
    void resetForgetsEverything() {
        Endpoint.connect(left, right);
        left.receive(21, sge(source));
        left.send(1, sge(source));
        assertThat(left.to(QueuePairState.RESET)).isZero();
        ground.finish();
        assertThat(left.sent()).isEmpty();
        assertThat(left.received()).isEmpty();
        assertThat(left.sends.ring.consumerAcquire()).isEqualTo(left.sends.index);
        assertThat(left.receives.ring.consumerAcquire()).isEqualTo(left.receives.index);
        assertThat(left.queuePair.ring()).isEqualTo(Errno.EINVAL);
    }

    @Test
    void aQueuePairThatFailedIsUsedAgain() {
        Endpoint.connect(left, right);
        for (int life = 0; life < 3; life++) {
            left.send(1, sge(source));
            left.to(QueuePairState.ERROR);
            right.to(QueuePairState.ERROR);
            ground.finish();
            assertThat(flushed(left.sent())).containsExactly(1L);
            left.to(QueuePairState.RESET);
            right.to(QueuePairState.RESET);
            left.options.sendPsn = 77 * life;
            right.options.receivePsn = 77 * life;
            Endpoint.connect(left, right);
            right.receive(5, sge(target));
            left.send(2, sge(source));
            ground.finish();
            assertThat(succeeded(left.sent())).containsExactly(2L);
            assertThat(succeeded(right.received())).containsExactly(5L);
        }
    }

    @Test
    void drainingEndsWhenTheAnswersAreIn() {
        Endpoint.connect(left, right);
        left.send(1, sge(source));
        assertThat(modify(left, QueuePairState.SQD, true)).isZero();
        assertThat(left.queuePair.query().draining).isTrue();
        assertThat(left.to(QueuePairState.RTS)).as("still draining").isEqualTo(Errno.EINVAL);
        assertThat(left.to(QueuePairState.SQD)).as("still draining").isEqualTo(Errno.EINVAL);
        left.send(2, sge(source));
        right.receive(1, sge(target));
        right.receive(2, sge(target));
        ground.finish();
        assertThat(succeeded(left.sent())).containsExactly(1L);
        assertThat(ground.left().events).containsExactly(AsyncEventType.SQ_DRAINED);
        assertThat(left.queuePair.query().draining).isFalse();
        assertThat(left.to(QueuePairState.RTS)).isZero();
        ground.finish();
        assertThat(succeeded(left.sent())).containsExactly(2L);
        assertThat(ground.left().events).as("said once").hasSize(1);
    }

    @Test
    void anIdleQueueIsDrainedAtOnceAndSaysSoOnlyIfAsked() {
        Endpoint.connect(left, right);
        assertThat(modify(left, QueuePairState.SQD, false)).isZero();
        assertThat(ground.left().events).isEmpty();
        assertThat(left.to(QueuePairState.RTS)).isZero();
        assertThat(modify(left, QueuePairState.SQD, true)).isZero();
        assertThat(ground.left().events).containsExactly(AsyncEventType.SQ_DRAINED);
        QueuePairSettings changes = new QueuePairSettings();
        changes.retryCount = 3;
        assertThat(left.queuePair.modify(changes, Endpoint.mask(QueuePairAttribute.RETRY_COUNT)))
                .isZero();
        assertThat(ground.left().events).as("drained as before").hasSize(1);
        assertThat(left.queuePair.query().retryCount).isEqualTo(3);
    }

    @Test
    void aDepthThatIsGrantedWhileTheSendQueueIsDrainedCounts() {
        Endpoint.Options none = new Endpoint.Options();
        none.depth = 0;
        Endpoint server = ground.right().endpoint(none);
        Endpoint.connect(left, server);
        assertThat(server.to(QueuePairState.SQD)).isZero();
        QueuePairSettings changes = new QueuePairSettings();
        for (int depth : new int[] {1, 4}) {
            changes.maxDestReadAtomic = depth;
            assertThat(server.queuePair.modify(changes, Endpoint.mask(QueuePairAttribute.MAX_DEST_READ_ATOMIC)))
                    .isZero();
            left.read(depth, target, 0, sge(source));
            left.fetchAdd(depth + 1L, target.address(), target.key(), 1, sge(source, 0, 8));
            ground.finish();
            assertThat(succeeded(left.sent())).containsExactly((long) depth, depth + 1L);
        }
        assertThat(server.to(QueuePairState.RTS)).isZero();
    }

    @Test
    void theResponderWorksWhileTheSendQueueIsDrained() {
        Endpoint.connect(left, right);
        assertThat(left.to(QueuePairState.SQD)).isZero();
        left.receive(21, sge(source));
        right.send(1, sge(target));
        ground.finish();
        assertThat(succeeded(right.sent())).containsExactly(1L);
        assertThat(succeeded(left.received())).containsExactly(21L);
    }

    @Test
    void whatIsPostedWhileDrainedIsFlushedInError() {
        Endpoint.connect(left, right);
        left.send(1, sge(source));
        assertThat(modify(left, QueuePairState.SQD, true)).isZero();
        left.send(2, sge(source));
        assertThat(left.to(QueuePairState.ERROR)).isZero();
        assertThat(flushed(left.sent())).containsExactly(1L, 2L);
        ground.finish();
        assertThat(ground.left().events).as("it never drained").doesNotContain(AsyncEventType.SQ_DRAINED);
    }

    @Test
    void theStateThatTheCallerTakesItToBeInMustBeRight() {
        Endpoint.connect(left, right);
        QueuePairSettings settings = new QueuePairSettings();
        settings.state = QueuePairState.RTS.code();
        int mask = Endpoint.mask(QueuePairAttribute.STATE, QueuePairAttribute.CURRENT_STATE);
        settings.currentState = QueuePairState.SQD.code();
        assertThat(left.queuePair.modify(settings, mask)).isEqualTo(Errno.EINVAL);
        settings.currentState = QueuePairState.RTS.code();
        assertThat(left.queuePair.modify(settings, mask)).isZero();
        assertThat(left.to(QueuePairState.SQD)).isZero();
        assertThat(left.queuePair.modify(settings, mask)).isEqualTo(Errno.EINVAL);
        settings.currentState = QueuePairState.SQD.code();
        assertThat(left.queuePair.modify(settings, mask)).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = QueuePairAttribute.class,
            names = {"ALTERNATE_PATH", "PATH_MIGRATION_STATE", "CAPACITY", "RATE_LIMIT"})
    void whatTheDeviceLacksCannotBeModified(QueuePairAttribute attribute) {
        Endpoint.connect(left, right);
        assertThat(left.queuePair.modify(new QueuePairSettings(), attribute.bit()))
                .isEqualTo(Errno.EINVAL);
        assertThat(left.queuePair.state()).isEqualTo(QueuePairState.RTS);
    }

    @Test
    void aDestroyedQueuePairAnswersNothingAndKeepsWhatItDidNotDo() {
        Endpoint.connect(left, right);
        right.receive(21, sge(target));
        right.send(31, sge(target));
        right.queuePair.destroy();
        right.queuePair.destroy();
        left.send(1, sge(source));
        ground.finish();
        assertThat(ids(left.sent(), WorkCompletionStatus.RETRY_EXC_ERR)).containsExactly(1L);
        assertThat(right.received()).isEmpty();
        assertThat(right.receives.ring.consumerAcquire()).isZero();
        assertThat(right.sends.ring.consumerAcquire()).isZero();
    }

    @Test
    void communicationIsEstablishedOnceBeforeTheProgramSaysSo() {
        assertThat(left.init()).isZero();
        assertThat(right.init()).isZero();
        assertThat(right.readyToReceive(left)).isZero();
        assertThat(left.readyToReceive(right)).isZero();
        assertThat(left.readyToSend()).isZero();
        left.write(1, target, 0, sge(source));
        left.write(2, target, 0, sge(source));
        ground.finish();
        assertThat(ground.right().events).containsExactly(AsyncEventType.COMM_EST);
    }
}
