package dev.doorbell.soft.hca;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is learned from how soon a program answers. */
class ReplyHabitTest {
    /** Trips after which as few replies as ever carry the acknowledgement. */
    private static final int WARM_UP = 4 * ReplyHabit.ACKS_PER_TRIAL * ReplyHabit.MOST_REPLIES_PER_ACK;

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
        int carried = carried(0, ReplyHabit.ACKS_PER_TRIAL * ReplyHabit.REPLIES_PER_ACK);
        assertThat(carried)
                .isBetween(ReplyHabit.ACKS_PER_TRIAL, ReplyHabit.ACKS_PER_TRIAL + ReplyHabit.REPLIES_PER_ACK);
    }

    /** So many trips of a microsecond; how many replies carried the acknowledgement. */
    private int carried(long startNs, int trips) {
        int carried = 0;
        for (int trip = 0; trip < trips; trip++) {
            carried += trip(startNs + trip * 1000L) ? 1 : 0;
        }
        return carried;
    }

    @Test
    void asLongAsThatGoesWellFewerRepliesCarryIt() {
        carried(0, WARM_UP);
        assertThat(carried(1000L * WARM_UP, 100 * ReplyHabit.MOST_REPLIES_PER_ACK))
                .isEqualTo(100);
    }

    @Test
    void aPeerThatLetsOnlySoManyMessagesGoWithoutItWaitsMoreAndMoreSeldom() {
        int limit = 3 * ReplyHabit.REPLIES_PER_ACK / 2;
        int without = 0;
        int waits = 0;
        long now = 0;
        for (int trip = 0; trip < 200_000; trip++) {
            now += 1000;
            without = trip(now) ? 0 : without + 1;
            if (without == limit) {
                waits++;
                without = 0;
                now += 2 * ReplyHabit.SOON_NS;
                assertThat(habit.mayWait(now)).isFalse();
                habit.acknowledged();
            }
        }
        assertThat(waits).isBetween(5, 40);
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
