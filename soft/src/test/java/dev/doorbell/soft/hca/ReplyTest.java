package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionStatus;
import java.util.EnumSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Acknowledgements that wait for the program's reply, where the thread that polls will come back. */
@Timeout(30)
class ReplyTest {
    private final Wire wire = new Wire();
    private final Endpoint one = wire.left.endpoint();
    private final Endpoint other = wire.right.endpoint();
    private final Device.Buffer left = wire.left.buffer(8);
    private final Device.Buffer right = wire.right.buffer(8);

    @BeforeEach
    void connect() {
        Endpoint.connect(one, other);
    }

    /** A message goes out and is answered at once; both programs poll. */
    private void trip() {
        ask();
        poll(wire.right);
        other.send(2, sge(right));
        poll(wire.left);
        poll(wire.left);
        poll(wire.right);
        assertThat(one.received()).hasSize(1);
        one.sent();
        other.sent();
        other.received();
    }

    private void ask() {
        other.receive(1, sge(right));
        one.receive(1, sge(left));
        one.send(1, sge(left));
    }

    private void poll(Device device) {
        device.hca.poll(wire.clock.get());
    }

    private long sentByRight() {
        return wire.count(wire.right, "sent_pkts");
    }

    @Test
    void anAcknowledgementTravelsWithThePromptReply() {
        trip();
        ask();
        long before = sentByRight();
        poll(wire.right);
        assertThat(other.received()).as("the message is there at once").hasSize(1);
        assertThat(sentByRight())
                .as("nothing is sent before the program replies")
                .isEqualTo(before);
        other.send(2, sge(right));
        assertThat(sentByRight()).isEqualTo(before + 2);
        poll(wire.left);
        poll(wire.left);
        assertThat(one.sent()).as("the acknowledgement came too").hasSize(1);
    }

    @Test
    void withoutAHabitItLeavesAtOnce() {
        ask();
        poll(wire.right);
        assertThat(sentByRight()).isEqualTo(1);
    }

    @Test
    void whoPollsAgainInsteadOfReplyingIsNotWaitedForForLong() {
        trip();
        ask();
        long before = sentByRight();
        poll(wire.right);
        wire.clock.addAndGet(ReplyHabit.SOON_NS);
        poll(wire.right);
        assertThat(sentByRight()).isEqualTo(before + 1);
        ask();
        poll(wire.right);
        assertThat(sentByRight()).as("and not at all the next time").isEqualTo(before + 2);
    }

    /** As long as the peer goes on; and the acknowledgement comes all the same when it does not. */
    @Test
    void inAConversationOneOfSomeRepliesIsEnough() {
        for (int trip = 0; trip < 10; trip++) {
            trip();
        }
        long before = sentByRight();
        for (int trip = 0; trip < 10 * ReplyHabit.REPLIES_PER_ACK; trip++) {
            trip();
        }
        long replies = 10L * ReplyHabit.REPLIES_PER_ACK;
        assertThat(sentByRight() - before - replies).as("acknowledgements").isBetween(9L, 11L);
        wire.clock.addAndGet(ReplyHabit.SOON_NS);
        poll(wire.right);
        poll(wire.left);
        assertThat(one.queuePair.requester().isBusy()).isFalse();
    }

    /**
     * The program has its message and goes: the peer, which nobody would answer any more, learns before that it arrived. Other
     * peers than ours ask for ever where they were told to.
     */
    @ParameterizedTest
    @EnumSource(End.class)
    void whoEndsAcknowledgesWhatItTook(End end) {
        trip();
        ask();
        poll(wire.right);
        assertThat(other.received()).hasSize(1);
        end.of(other.queuePair);
        poll(wire.left);
        poll(wire.left);
        assertThat(one.sent()).extracting(Endpoint.Done::status).containsExactly(WorkCompletionStatus.SUCCESS);
        wire.settle();
    }

    /** How a queue pair ends. */
    enum End {
        DESTROYED,
        RESET,
        ERROR;

        void of(HcaQueuePair queuePair) {
            switch (this) {
                case DESTROYED -> queuePair.destroy();
                case RESET -> modify(queuePair, QueuePairState.RESET);
                case ERROR -> modify(queuePair, QueuePairState.ERROR);
            }
        }

        private static void modify(HcaQueuePair queuePair, QueuePairState state) {
            QueuePairSettings changes = new QueuePairSettings();
            changes.state = state.code();
            assertThat(queuePair.modify(changes, QueuePairAttribute.mask(EnumSet.of(QueuePairAttribute.STATE))))
                    .isZero();
        }
    }

    /** The program went away after its poll: its lease ends, and the thread behind it is told that there is work. */
    @Test
    void aThreadThatDoesNotComeBackIsReplaced() {
        trip();
        ask();
        long before = sentByRight();
        poll(wire.right);
        assertThat(wire.right.hca.hasWork()).isTrue();
        assertThat(wire.right.hca.doWork(wire.clock.get())).isTrue();
        assertThat(sentByRight()).isEqualTo(before + 1);
        assertThat(wire.right.hca.hasWork()).isFalse();
        wire.settle();
        assertThat(one.sent()).hasSize(1);
    }
}
