package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The protocol of {@link CompletionWaiting} over {@link ChannelEvents}, {@link Wakeups} and an event file that wakes one
 * thread an event, as a model: a device that completes twice, two threads that wait for one completion each of the same
 * queue, a bystander that reads the file for another queue and may leave at any moment, and perhaps somebody who closes the
 * queue. Where nothing can go on, both have got theirs, or were told of the close.
 *
 * <p>Other tests take a step away and expect a thread that sleeps for ever: the model sees what it is there for.
 */
@Timeout(120)
final class WaitingProtocolTest extends Interleavings {
    // Shared words.
    private static final int RING = 0;
    private static final int ARMED = 1;
    private static final int FILE = 2;
    private static final int COUNT = 3;
    private static final int CLOSED = 4;
    /** Thread that the next event of the file wakes first, plus one; and the one after it. */
    private static final int LISTED_FIRST = 5;

    private static final int LISTED_SECOND = 6;
    private static final int LISTED_THIRD = 7;
    // The device: its step and how many completions are left; whom it is about to wake.
    private static final int DEVICE = 8;
    private static final int LEFT = 9;
    private static final int WOKEN = 10;
    private static final int CLOSER = 11;
    // For each thread: its step, the count that it saw, its permit, whether it said that it waits.
    private static final int THREADS = 12;
    private static final int STEP = 0;
    private static final int SEEN = 1;
    private static final int PERMIT = 2;
    private static final int WAITS = 3;
    private static final int THREAD_WORDS = 4;
    private static final int BYSTANDER = 2;
    private static final int WORDS = THREADS + 3 * THREAD_WORDS;

    // Steps of a waiter.
    private static final int POLL = 0;
    private static final int SAY = 1;
    private static final int SEE = 2;
    private static final int ARM = 3;
    private static final int POLL_AGAIN = 4;
    private static final int DRAIN = 5;
    private static final int TELL = 6;
    private static final int WAKE = 7;
    private static final int LOOK = 8;
    private static final int LIST = 9;
    private static final int PARK = 10;
    private static final int UNLIST = 11;
    private static final int DONE = 12;

    private boolean closes;
    private boolean pollsAgain = true;
    private boolean tellsOthers = true;
    private boolean looksAtCount = true;
    private boolean drainsBeforeLeaving = true;

    private static int[] first() {
        int[] state = new int[WORDS];
        state[LEFT] = 2;
        state[THREADS + BYSTANDER * THREAD_WORDS] = DRAIN;
        return state;
    }

    @Test
    void bothGetTheirCompletion() {
        assertThat(badEnds(first())).isEmpty();
    }

    @Test
    void bothAreToldOfAClose() {
        closes = true;
        assertThat(badEnds(first())).isEmpty();
    }

    @Test
    void withoutTheSecondPollOneSleeps() {
        pollsAgain = false;
        assertThat(badEnds(first())).isNotEmpty();
    }

    @Test
    void withoutTellingOthersOneSleeps() {
        tellsOthers = false;
        assertThat(badEnds(first())).isNotEmpty();
    }

    @Test
    void withoutALookAtTheCountOneSleeps() {
        looksAtCount = false;
        assertThat(badEnds(first())).isNotEmpty();
    }

    @Test
    void whoLeavesWithoutReadingTakesAWakeUpAlong() {
        drainsBeforeLeaving = false;
        assertThat(badEnds(first())).isNotEmpty();
    }

    @Override
    boolean isGoodEnd(int[] state) {
        return stepOf(state, 0) == DONE && stepOf(state, 1) == DONE;
    }

    @Override
    void step(int[] s) {
        device(s);
        if (closes) {
            closer(s);
        }
        waiter(s, 0);
        waiter(s, 1);
        bystander(s);
    }

    private static int at(int thread, int word) {
        return THREADS + thread * THREAD_WORDS + word;
    }

    private static int stepOf(int[] s, int thread) {
        return s[at(thread, STEP)];
    }

    private void device(int[] s) {
        switch (s[DEVICE]) {
            case 0 -> {
                if (s[LEFT] > 0) {
                    to(s, RING, s[RING] + 1, LEFT, s[LEFT] - 1, DEVICE, 1);
                }
            }
            case 1 -> {
                if (s[ARMED] == 1) {
                    to(s, ARMED, 0, DEVICE, 2);
                } else {
                    to(s, DEVICE, 0);
                }
            }
            case 2 ->
                to(
                        s,
                        FILE,
                        s[FILE] + 1,
                        WOKEN,
                        s[LISTED_FIRST],
                        LISTED_FIRST,
                        s[LISTED_SECOND],
                        LISTED_SECOND,
                        s[LISTED_THIRD],
                        LISTED_THIRD,
                        0,
                        DEVICE,
                        3);
            default -> {
                if (s[WOKEN] == 0) {
                    to(s, DEVICE, 0);
                } else {
                    to(s, at(s[WOKEN] - 1, PERMIT), 1, WOKEN, 0, DEVICE, 0);
                }
            }
        }
    }

    private void closer(int[] s) {
        switch (s[CLOSER]) {
            case 0 -> to(s, CLOSED, 1, CLOSER, 1);
            case 1 -> to(s, COUNT, s[COUNT] + 1, CLOSER, 2);
            case 2 -> wakeAll(s, CLOSER, 3);
            default -> {}
        }
    }

    private void wakeAll(int[] s, int word, int value) {
        to(
                s,
                at(0, PERMIT),
                s[at(0, PERMIT)] | s[at(0, WAITS)],
                at(1, PERMIT),
                s[at(1, PERMIT)] | s[at(1, WAITS)],
                word,
                value);
    }

    private void waiter(int[] s, int self) {
        int step = at(self, STEP);
        switch (s[step]) {
            case POLL, POLL_AGAIN -> {
                if (s[CLOSED] == 1) {
                    to(s, step, DONE, at(self, WAITS), 0);
                } else if (s[RING] > 0) {
                    to(s, RING, s[RING] - 1, step, DONE, at(self, WAITS), 0);
                } else {
                    to(s, step, s[step] == POLL ? SAY : DRAIN);
                }
            }
            case SAY -> to(s, at(self, WAITS), 1, step, SEE);
            case SEE -> to(s, at(self, SEEN), s[COUNT], step, ARM);
            case ARM -> to(s, ARMED, 1, step, pollsAgain ? POLL_AGAIN : DRAIN);
            case LOOK -> to(s, step, looksAtCount && s[COUNT] != s[at(self, SEEN)] ? POLL : LIST);
            case DONE -> {}
            default -> reading(s, self);
        }
    }

    /** Reads the file for another queue, and may leave whenever it has read everything. */
    private void bystander(int[] s) {
        int step = at(BYSTANDER, STEP);
        switch (s[step]) {
            case LOOK -> {
                to(s, step, LIST);
                to(s, step, DONE);
            }
            case PARK -> {
                reading(s, BYSTANDER);
                // Its time is up.
                to(s, step, UNLIST);
            }
            case UNLIST -> unlist(s, BYSTANDER, drainsBeforeLeaving ? DRAIN : DONE);
            case DONE -> {}
            default -> reading(s, BYSTANDER);
        }
    }

    /** What all who wait on the file do. */
    private void reading(int[] s, int self) {
        int step = at(self, STEP);
        switch (s[step]) {
            case DRAIN -> {
                if (s[FILE] > 0) {
                    to(s, FILE, s[FILE] - 1, step, TELL);
                } else {
                    to(s, step, LOOK);
                }
            }
            case TELL -> to(s, COUNT, s[COUNT] + 1, step, tellsOthers ? WAKE : DRAIN);
            case WAKE -> wakeAll(s, step, DRAIN);
            case LIST -> {
                if (s[FILE] > 0) {
                    to(s, step, DRAIN);
                } else if (s[LISTED_FIRST] == 0) {
                    to(s, LISTED_FIRST, self + 1, step, PARK);
                } else if (s[LISTED_SECOND] == 0) {
                    to(s, LISTED_SECOND, self + 1, step, PARK);
                } else {
                    to(s, LISTED_THIRD, self + 1, step, PARK);
                }
            }
            case PARK -> {
                if (s[at(self, PERMIT)] == 1) {
                    to(s, at(self, PERMIT), 0, step, UNLIST);
                }
            }
            case UNLIST -> unlist(s, self, DRAIN);
            default -> throw new IllegalStateException("step " + s[step]);
        }
    }

    private void unlist(int[] s, int self, int next) {
        int[] left = new int[3];
        int count = 0;
        for (int word = LISTED_FIRST; word <= LISTED_THIRD; word++) {
            if (s[word] != self + 1 && s[word] != 0) {
                left[count++] = s[word];
            }
        }
        to(s, LISTED_FIRST, left[0], LISTED_SECOND, left[1], LISTED_THIRD, left[2], at(self, STEP), next);
    }
}
