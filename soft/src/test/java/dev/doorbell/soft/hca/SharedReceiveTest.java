package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionStatus;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rule 3.10: queue pairs that share their receives, on one device. */
@Timeout(60)
class SharedReceiveTest {
    private final AtomicLong clock = new AtomicLong(1_000_000);
    private final Device device = new Device(1, clock, null);
    private final SharedQueue shared = new SharedQueue(device, 16);
    private final Device.Buffer source = device.buffer(64).fill(1);
    private final Device.Buffer target = device.buffer(64);
    private final Endpoint first = shared.endpoint();
    private final Endpoint second = shared.endpoint();
    private final Endpoint toFirst = device.endpoint();
    private final Endpoint toSecond = device.endpoint();

    SharedReceiveTest() {
        Endpoint.connect(toFirst, first);
        Endpoint.connect(toSecond, second);
    }

    private void post(long... ids) {
        for (long id : ids) {
            shared.post(id, sge(target));
        }
    }

    private static List<Long> received(Endpoint endpoint, WorkCompletionStatus status) {
        List<Endpoint.Done> done = endpoint.received();
        assertThat(done).extracting(Endpoint.Done::status).allMatch(status::equals);
        return done.stream().map(Endpoint.Done::id).toList();
    }

    private static List<Long> received(Endpoint endpoint) {
        return received(endpoint, WorkCompletionStatus.SUCCESS);
    }

    @Test
    void whoeverGetsAMessageTakesTheOldest() {
        post(1, 2, 3, 4);
        toFirst.send(11, sge(source));
        toSecond.send(21, sge(source));
        toSecond.send(22, sge(source));
        toFirst.writeImmediate(12, 7, target, sge(source));
        assertThat(received(first)).containsExactly(1L, 4L);
        assertThat(received(second)).containsExactly(2L, 3L);
        assertThat(target.memory().mismatch(source.memory())).isEqualTo(-1);
        assertThat(shared.waiting()).isZero();
    }

    @Test
    void anEmptyQueueIsNotReadyForEither() {
        toFirst.send(11, sge(source));
        toSecond.send(21, sge(source));
        post(1);
        while (device.step() && shared.waiting() > 0) {}
        post(2);
        while (device.step() && shared.waiting() > 0) {}
        assertThat(received(first).size() + received(second).size()).isEqualTo(2);
        assertThat(device.hca.counters().get("send_rnr_err")).isGreaterThanOrEqualTo(2);
    }

    @Test
    void theLimitIsReportedOnceUntilItIsArmedAgain() {
        post(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        shared.queue.arm(7);
        for (int sent = 1; sent <= 3; sent++) {
            toFirst.send(sent, sge(source));
            assertThat(shared.limitEvents).as("%d of 10 are left", 10 - sent).isZero();
        }
        assertThat(shared.queue.limit()).isEqualTo(7);
        toSecond.send(4, sge(source));
        assertThat(shared.limitEvents).isEqualTo(1);
        assertThat(shared.queue.limit()).isZero();
        toSecond.send(5, sge(source));
        assertThat(shared.limitEvents).isEqualTo(1);
        shared.queue.arm(7);
        assertThat(shared.limitEvents).as("arming does not look").isEqualTo(1);
        toFirst.send(6, sge(source));
        assertThat(shared.limitEvents).isEqualTo(2);
    }

    @Test
    void theLimitCountsWhatWasPostedMeanwhile() {
        post(1, 2);
        toFirst.send(1, sge(source));
        shared.queue.arm(2);
        post(3, 4);
        toFirst.send(2, sge(source));
        assertThat(shared.limitEvents).as("two are left").isZero();
    }

    @Test
    void aQueuePairInErrorLeavesTheReceivesToTheOthers() {
        post(1, 2);
        assertThat(first.to(QueuePairState.ERROR)).isZero();
        assertThat(received(first)).isEmpty();
        assertThat(device.events).containsExactly(AsyncEventType.QP_LAST_WQE_REACHED);
        assertThat(first.to(QueuePairState.ERROR)).isZero();
        first.queuePair.ring();
        assertThat(device.events).as("said once").hasSize(1);
        toSecond.send(21, sge(source));
        assertThat(received(second)).containsExactly(1L);
        assertThat(first.to(QueuePairState.RESET)).isZero();
        assertThat(shared.waiting()).as("nothing was taken away").isEqualTo(1);
        toFirst.to(QueuePairState.RESET);
        Endpoint.connect(toFirst, first);
        toFirst.send(12, sge(source));
        assertThat(received(first)).containsExactly(2L);
        assertThat(first.to(QueuePairState.ERROR)).isZero();
        assertThat(device.events).as("a new life, a new event").hasSize(2);
    }

    @Test
    void aRefusedWriteWithImmediateFlushesWhatItTook() {
        post(1, 2);
        Device.Buffer foreign = device.buffer(64, 0);
        toFirst.writeImmediate(11, 7, foreign, sge(source));
        assertThat(received(first, WorkCompletionStatus.WR_FLUSH_ERR)).containsExactly(1L);
        assertThat(device.events).containsExactly(AsyncEventType.QP_ACCESS_ERR, AsyncEventType.QP_LAST_WQE_REACHED);
        toSecond.send(21, sge(source));
        assertThat(received(second)).containsExactly(2L);
    }

    @Test
    void aMessageThatIsTooLongFailsWhatItTookAlone() {
        shared.post(1, sge(target, 0, 8));
        post(2);
        toFirst.send(11, sge(source));
        assertThat(received(first, WorkCompletionStatus.LOC_LEN_ERR)).containsExactly(1L);
        toSecond.send(21, sge(source));
        assertThat(received(second)).containsExactly(2L);
    }

    @Test
    void whatMakesNoSenseBreaksTheQueueOnce() {
        shared.postMalformed(1);
        post(2);
        toFirst.send(11, sge(source));
        assertThat(received(first, WorkCompletionStatus.LOC_QP_OP_ERR)).containsExactly(1L);
        assertThat(toFirst.sent()).extracting(Endpoint.Done::status).containsExactly(WorkCompletionStatus.REM_OP_ERR);
        assertThat(shared.failures).isEqualTo(1);
        assertThat(shared.queue.isBroken()).isTrue();
        toSecond.send(21, sge(source));
        assertThat(received(second)).isEmpty();
        assertThat(second.queuePair.state()).isEqualTo(QueuePairState.ERROR);
        assertThat(shared.failures).isEqualTo(1);
    }

    @Test
    void resizingKeepsWhatWaitsInOrder() {
        post(1, 2, 3);
        toFirst.send(1, sge(source));
        assertThat(shared.resize(64)).isZero();
        post(4);
        for (int id = 2; id <= 4; id++) {
            toFirst.send(id, sge(source));
        }
        assertThat(received(first)).containsExactly(1L, 2L, 3L, 4L);
        for (int id = 0; id < 63; id++) {
            post(100 + id);
        }
        assertThat(shared.isFull()).isTrue();
        assertThat(shared.resize(128)).isZero();
        assertThat(shared.waiting()).isEqualTo(63);
    }

    @Test
    void resizingBelowWhatWaitsIsRefused() {
        post(1, 2, 3, 4, 5);
        assertThat(shared.resize(4)).isEqualTo(Errno.EINVAL);
        assertThat(shared.resize(8, 4)).as("fewer than the ring would hold").isEqualTo(Errno.EINVAL);
        assertThat(shared.resize(8, 5)).isZero();
        toFirst.send(1, sge(source));
        assertThat(received(first)).containsExactly(1L);
    }

    @Test
    void theSlotIsTheProgramsAgainBeforeTheMessageIsComplete() {
        Wire wire = new Wire();
        SharedQueue remote = new SharedQueue(wire.right, 4);
        Endpoint taker = remote.endpoint();
        Endpoint sender = wire.left.endpoint();
        Endpoint.connect(sender, taker);
        int bytes = 200 * 1024;
        Device.Buffer message = wire.left.buffer(bytes).fill(3);
        Device.Buffer inbox = wire.right.buffer(bytes);
        remote.post(1, sge(inbox));
        sender.send(1, sge(message));
        while (wire.right.hca.doWork(wire.clock.get())) {}
        assertThat(remote.waiting()).as("a part of the message has come").isZero();
        remote.scribble();
        wire.settle();
        assertThat(received(taker)).containsExactly(1L);
        assertThat(inbox.memory().mismatch(message.memory())).isEqualTo(-1);
    }

    @Test
    void messagesInPartsHoldOneReceiveEach() {
        Wire wire = new Wire();
        SharedQueue remote = new SharedQueue(wire.right, 8);
        Endpoint one = remote.endpoint();
        Endpoint other = remote.endpoint();
        Endpoint toOne = wire.left.endpoint();
        Endpoint toOther = wire.left.endpoint();
        Endpoint.connect(toOne, one);
        Endpoint.connect(toOther, other);
        int bytes = 200 * 1024;
        Device.Buffer message = wire.left.buffer(bytes).fill(4);
        Device.Buffer inbox = wire.right.buffer(bytes);
        Device.Buffer small = wire.right.buffer(64);
        remote.post(1, sge(inbox));
        remote.post(2, sge(small));
        remote.post(3, sge(small));
        toOne.send(1, sge(message));
        while (wire.right.hca.doWork(wire.clock.get())) {}
        toOther.send(1, sge(message, 0, 64));
        while (wire.right.hca.doWork(wire.clock.get())) {}
        assertThat(received(other)).containsExactly(2L);
        assertThat(one.to(QueuePairState.ERROR)).isZero();
        assertThat(received(one, WorkCompletionStatus.WR_FLUSH_ERR))
                .as("the half-filled one")
                .containsExactly(1L);
        assertThat(remote.waiting()).isEqualTo(1);
    }
}
