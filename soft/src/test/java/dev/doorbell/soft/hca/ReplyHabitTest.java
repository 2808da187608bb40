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
        habit.message(20_000);
        assertThat(habit.mayWait(20_000)).isTrue();
        assertThat(habit.mayWait(20_000 + ReplyHabit.SOON_NS - 1)).isTrue();
    }

    @Test
    void aLateReplyIsNone() {
        habit.message(100);
        habit.reply(100 + ReplyHabit.SOON_NS);
        habit.message(20_000);
        assertThat(habit.mayWait(20_000)).isFalse();
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

    @Test
    void whatIsSentWithoutAMessageBeforeItTeachesNothing() {
        habit.message(0);
        habit.reply(ReplyHabit.SOON_NS);
        habit.reply(ReplyHabit.SOON_NS + 1);
        habit.message(30_000);
        assertThat(habit.mayWait(30_000)).isFalse();
    }
}
