package dev.doorbell.soft.hca;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is learned from how soon a program answers. */
class ReplyHabitTest {
    private final ReplyHabit habit = new ReplyHabit();

    @Test
    void nothingIsExpectedOfAStranger() {
        habit.message(100);
        assertThat(habit.mayWait(100)).isFalse();
    }

    @Test
    void onePromptReplyIsEnough() {
        habit.message(100);
        assertThat(habit.isOpen()).isTrue();
        habit.reply(100 + ReplyHabit.SOON_NS - 1);
        assertThat(habit.isOpen()).isFalse();
        habit.message(50_000);
        assertThat(habit.mayWait(50_000)).isTrue();
        assertThat(habit.mayWait(50_000 + ReplyHabit.SOON_NS - 1)).isTrue();
    }

    @Test
    void aLateReplyIsNone() {
        habit.message(100);
        habit.reply(100 + ReplyHabit.SOON_NS);
        habit.message(50_000);
        assertThat(habit.mayWait(50_000)).isFalse();
    }

    @Test
    void waitingInVainEndsTheHabit() {
        habit.message(0);
        habit.reply(1);
        habit.message(100);
        assertThat(habit.mayWait(100 + ReplyHabit.SOON_NS)).isFalse();
        habit.message(50_000);
        assertThat(habit.mayWait(50_000)).isFalse();
    }

    /** A message and its reply, in time. */
    private boolean trip(long nowNs) {
        habit.message(nowNs);
        return habit.reply(nowNs + 1);
    }

    @Test
    void whereThePeerGoesOnWithoutItOneReplyInSomeCarriesTheAcknowledgement() {
        int carried = 0;
        for (int trip = 0; trip < 100 * ReplyHabit.REPLIES_PER_ACK; trip++) {
            carried += trip(trip * 1000L) ? 1 : 0;
        }
        assertThat(carried).isBetween(100, 100 + ReplyHabit.REPLIES_PER_ACK);
    }

    @Test
    void whereThePeerWaitsForItAlmostEveryReplyCarriesIt() {
        int missing = 0;
        for (int trip = 0; trip < 10_000; trip++) {
            long now = trip * 100_000L;
            if (!trip(now)) {
                missing++;
                assertThat(habit.mayWait(now + ReplyHabit.SOON_NS)).isTrue();
                assertThat(habit.mayWait(now + ReplyHabit.SOON_NS + 1))
                        .as("it leaves by itself when the peer has waited for long enough")
                        .isFalse();
                habit.acknowledged();
            }
        }
        assertThat(missing).as("trials, further and further apart").isBetween(5, 20);
    }

    @Test
    void aStreamOfMessagesIsNoConversation() {
        trip(0);
        for (int count = 0; count < 4; count++) {
            habit.message(100);
            assertThat(habit.mayWait(100)).isTrue();
        }
        habit.message(100);
        assertThat(habit.mayWait(100)).isFalse();
    }

    @Test
    void whatIsSentWithoutAMessageBeforeItTeachesNothing() {
        habit.message(0);
        habit.reply(ReplyHabit.SOON_NS);
        habit.reply(ReplyHabit.SOON_NS + 1);
        habit.message(80_000);
        assertThat(habit.mayWait(80_000)).isFalse();
    }
}
