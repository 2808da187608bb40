package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.QueuePairState;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class AccountingTest {
    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aCompletionQueueThatCouldOverflowIsRefusedWithTheNumbers() {
        CompletionQueue small = fixture.context.createCompletionQueue(20);
        QueuePair first = fixture.domain.queuePair(small).depth(8, 8).build();
        assertThat(small.committed()).isEqualTo(16);
        assertThat(small.capacity()).isEqualTo(20);

        VerbsException refusal = Refused.with(
                Errno.ENOSPC,
                "24 completions",
                20,
                () -> fixture.domain.queuePair(small).depth(4, 4).build());
        assertThat(refusal)
                .hasMessageContaining("16 completions are committed, the new queue pair adds 8")
                .hasMessageContaining("at least 24 entries");
        assertThat(small.committed()).as("a refused queue pair takes nothing").isEqualTo(16);

        fixture.domain.queuePair(small).depth(2, 2).build();
        assertThat(small.committed()).isEqualTo(20);
        first.close();
        assertThat(small.committed()).as("a closed queue pair gives back").isEqualTo(4);
    }

    @Test
    void sendsAndReceivesAreCountedWhereTheyComplete() {
        CompletionQueue sends = fixture.context.createCompletionQueue(8);
        CompletionQueue receives = fixture.context.createCompletionQueue(4);
        QueuePair.Builder builder =
                fixture.domain.queuePair(sends).receiveCompletions(receives).depth(6, 4);
        QueuePair queuePair = builder.build();
        assertThat(queuePair.sendCompletions()).isSameAs(sends);
        assertThat(queuePair.receiveCompletions()).isSameAs(receives);
        assertThat(sends.committed()).isEqualTo(6);
        assertThat(receives.committed()).isEqualTo(4);

        assertThat(Refused.with(Errno.ENOSPC, builder.depth(2, 1)::build).object())
                .isEqualTo(receives.toString());
        assertThat(sends.committed()).as("both or none").isEqualTo(6);
    }

    @Test
    void overcommitmentIsForThoseWhoAskForIt() {
        CompletionQueue small = fixture.context.createCompletionQueue(4);
        fixture.domain
                .queuePair(small)
                .depth(8, 8)
                .allowCompletionQueueOvercommit()
                .build();

        assertThat(small.committed()).isEqualTo(16);
    }

    @Test
    void aQueuePairThatTheKernelRefusesTakesNothing() {
        fixture.device.channel.refusals.put(UverbsCommand.CREATE_QP, Errno.ENOMEM);
        VerbsException refusal = Refused.with(Errno.ENOMEM, fixture.builder()::build);

        assertThat(refusal.remedy()).contains("locked memory");
        assertThat(refusal.asked()).contains("maxSendRequests=8");
        assertThat(refusal.allowed()).contains("100 queue pairs");
        assertThat(fixture.completions.committed()).isZero();
    }

    @Test
    void sizesThatTheDeviceLacksAreRefusedWithItsLimits() {
        Refused.with(
                Errno.EINVAL,
                "5 elements of a send",
                "0 to 4",
                fixture.builder().sge(5, 1)::build);
        QueuePair.Builder deep = fixture.builder().depth(2000, 2000).allowCompletionQueueOvercommit();
        Refused.with(Errno.EINVAL, "2000 send work requests", 1000, deep::build);
        fixture.device.channel.refusals.put(UverbsCommand.CREATE_QP, Errno.EINVAL);
        QueuePair.Builder receiving = fixture.builder().depth(1, 2000).allowCompletionQueueOvercommit();
        Refused.with(Errno.EINVAL, "2000 receive work requests", 1000, receiving::build);
        Refused.with(
                Errno.EINVAL,
                "9 elements of a receive",
                "0 to 4",
                fixture.builder().sge(1, 9)::build);
        assertThat(Refused.with(Errno.EINVAL, "64 inline bytes", "fewer", fixture.builder()::build))
                .hasMessageContaining("inline");
        assertThat(Refused.with(Errno.EINVAL, fixture.builder().inline(0)::build)
                        .asked())
                .startsWith("RC with");
        fixture.device.channel.refusals.clear();
    }

    @Test
    void sizesThatMakeNoSenseAreRefused() {
        Refused.with(
                Errno.EINVAL,
                "-1 sends, 0 receives",
                "0 and more",
                fixture.builder().depth(-1, 0)::build);
        Refused.with(Errno.EINVAL, "PSN 16777216", 0xff_ffff, fixture.builder().psn(1 << 24)::build);
        Refused.with(Errno.EINVAL, "2000 entries", "1 to 1000", () -> fixture.context.createCompletionQueue(2000));
        Refused.with(
                Errno.EINVAL,
                "vector 2",
                "0 to 1",
                fixture.context.completionQueue(4).vector(2)::build);
        fixture.device.channel.refusals.put(UverbsCommand.CREATE_CQ, Errno.ENOMEM);
        Refused.with(Errno.ENOMEM, "4 entries", "less", () -> fixture.context.createCompletionQueue(4));
    }

    @Test
    void aCompletionQueueOfAnotherContextIsRefused() {
        try (Fixture other = new Fixture()) {
            assertThat(Refused.with(Errno.EINVAL, fixture.domain.queuePair(other.completions)::build))
                    .hasMessageContaining("another context");
        }
    }

    @Test
    void unsignaledWorkRequestsKeepTheirSlotsUntilTheDeviceRetiresThem() {
        QueuePair queuePair = fixture.connected();
        assertThat(queuePair.sendSlots()).isEqualTo(8);
        try (SendBatch batch = queuePair.batch()) {
            batch.send(1);
            batch.send(2);
            batch.submit();
        }
        assertThat(queuePair.sendSlots()).isEqualTo(6);
        fixture.fake().sends.execute();
        assertThat(queuePair.sendSlots()).isEqualTo(8);
        assertThat(fixture.completions.poll(9, completion -> {})).isZero();
    }

    @Test
    void aQueuePairHasWhatWasAskedForAndSaysWhatWasGranted() {
        QueuePair queuePair = fixture.builder().signalAll().build();

        assertThat(queuePair.capacity()).isEqualTo(new QueuePairCapacity(8, 8, 2, 2, 64));
        assertThat(fixture.fake().request().signalAll()).isTrue();
        assertThat(fixture.fake().request().capacity()).isEqualTo(new QueuePairCapacity(8, 8, 2, 2, 64));
        assertThat(queuePair.handle()).isEqualTo(fixture.fake().handle());
        assertThat(queuePair.number()).isEqualTo(fixture.fake().number());
        assertThat(queuePair.state()).isEqualTo(QueuePairState.RESET);
    }

    @Test
    void goingToResetForgetsWhatIsOutstanding() {
        QueuePair queuePair = fixture.connected();
        queuePair.postSend(1, fixture.region.slice(0, 8));
        queuePair.postReceive(2, fixture.region.slice(0, 8));
        queuePair.modify(
                QueuePairAttributes.builder().state(QueuePairState.RESET).build());

        Fixture.connect(queuePair);
        assertThat(queuePair.sendSlots()).isEqualTo(8);
        assertThat(queuePair.receiveCredit()).isZero();
        queuePair.close(Duration.ofSeconds(5));
        assertThat(fixture.completions.poll(9, completion -> {})).isZero();
    }
}
