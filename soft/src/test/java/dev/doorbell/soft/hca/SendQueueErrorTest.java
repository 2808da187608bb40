package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionStatus;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Rule 3.9: what fails at an unreliable sender stops its send queue alone. */
@ParameterizedClass
@EnumSource(Way.class)
@Timeout(60)
class SendQueueErrorTest {
    private static final int SIZE = 5000;

    private final Way.Ground ground;
    private final Endpoint one;
    private final Endpoint other;
    private final Device.Buffer source;
    private final Device.Buffer target;

    SendQueueErrorTest(Way way) {
        ground = way.open();
        one = ground.left().endpoint(Endpoint.Options.of(QueuePairType.UC));
        other = ground.right().endpoint(Endpoint.Options.of(QueuePairType.UC));
        Endpoint.connect(one, other);
        source = ground.left().buffer(SIZE).fill(1);
        target = ground.right().buffer(SIZE);
    }

    private static List<WorkCompletionStatus> statuses(List<Endpoint.Done> done) {
        return done.stream().map(Endpoint.Done::status).toList();
    }

    /** Sends from memory that is nobody's: the last part of a message of several packets. */
    private void fail() {
        one.receive(31, sge(source));
        one.send(1, sge(source, 0, 3000), new Endpoint.Sge(64, 2000, 5));
        ground.settle();
    }

    @Test
    void whatIsBehindItIsFlushedAndTheReceiveQueueWorksOn() {
        fail();
        one.send(2, sge(source));
        assertThat(statuses(one.sent()))
                .containsExactly(WorkCompletionStatus.LOC_PROT_ERR, WorkCompletionStatus.WR_FLUSH_ERR);
        assertThat(one.queuePair.query().state).isEqualTo(QueuePairState.SQE.code());
        assertThat(one.received()).isEmpty();
        other.send(1, sge(target));
        ground.settle();
        assertThat(statuses(one.received())).containsExactly(WorkCompletionStatus.SUCCESS);
        assertThat(ground.left().events).isEmpty();
    }

    @Test
    void theSendQueueStartsAgain() {
        fail();
        assertThat(one.to(QueuePairState.SQD)).isEqualTo(Errno.EINVAL);
        assertThat(one.to(QueuePairState.RTS)).isZero();
        one.sent();
        other.receive(21, sge(target));
        one.send(3, sge(source));
        ground.settle();
        assertThat(statuses(one.sent())).containsExactly(WorkCompletionStatus.SUCCESS);
        assertThat(statuses(other.received())).containsExactly(WorkCompletionStatus.SUCCESS);
        assertThat(target.memory().mismatch(source.memory())).isEqualTo(-1);
    }

    @Test
    void itGoesOnToErrorAndReset() {
        fail();
        assertThat(one.to(QueuePairState.ERROR)).isZero();
        assertThat(statuses(one.received())).containsExactly(WorkCompletionStatus.WR_FLUSH_ERR);
        assertThat(one.to(QueuePairState.RESET)).isZero();
        assertThat(other.to(QueuePairState.RESET)).isZero();
        Endpoint.connect(one, other);
        assertThat(one.queuePair.state()).isEqualTo(QueuePairState.RTS);
    }

    @Test
    void aQueuePairInErrorStaysThere() {
        one.to(QueuePairState.ERROR);
        fail();
        assertThat(statuses(one.sent())).containsExactly(WorkCompletionStatus.WR_FLUSH_ERR);
        assertThat(one.queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void anUnreliableReceiverKeepsWhatItTookFromASharedQueueForTheNextMessage() {
        SharedQueue shared = new SharedQueue(ground.right(), 8);
        Endpoint taker = shared.endpoint(Endpoint.Options.of(QueuePairType.UC));
        one.to(QueuePairState.RESET);
        Endpoint.connect(one, taker);
        shared.post(1, sge(target));
        shared.post(2, sge(target));
        one.send(1, sge(source, 0, 3000), new Endpoint.Sge(64, 2000, 5));
        ground.settle();
        one.to(QueuePairState.RTS);
        one.send(2, sge(source));
        one.send(3, sge(source, 0, 8));
        ground.settle();
        assertThat(taker.received())
                .extracting(Endpoint.Done::id, Endpoint.Done::bytes)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(1L, (long) SIZE),
                        org.assertj.core.groups.Tuple.tuple(2L, 8L));
    }
}
