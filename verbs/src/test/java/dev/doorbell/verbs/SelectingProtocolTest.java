package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The protocol of {@link ReadinessPipe} between a device that raises three events and a selector loop that takes one event
 * at a time until there is none, as a model; a second device thread raises at the same time. Where nothing can go on, no
 * event is left and the pipe is not readable for ever.
 */
@Timeout(120)
final class SelectingProtocolTest extends Interleavings {
    private static final int EVENTS = 0;
    private static final int STATE = 1;
    private static final int BYTES = 2;
    private static final int PROGRAM = 3;
    private static final int DEVICES = 4;
    private static final int LEFT = 6;
    private static final int WORDS = 8;

    private static final int LOW = 0;
    private static final int RISING = 1;
    private static final int HIGH = 2;

    private boolean looksAfterLowering = true;
    private boolean raisesAfterAdding = true;

    private static int[] first() {
        int[] state = new int[WORDS];
        state[LEFT] = 2;
        state[LEFT + 1] = 1;
        return state;
    }

    @Test
    void noEventIsMissed() {
        assertThat(badEnds(first())).isEmpty();
    }

    @Test
    void withoutALookAfterLoweringAnEventIsMissed() {
        looksAfterLowering = false;
        assertThat(badEnds(first())).isNotEmpty();
    }

    @Test
    void raisedBeforeItIsThereAnEventIsMissed() {
        raisesAfterAdding = false;
        assertThat(badEnds(first())).isNotEmpty();
    }

    @Override
    boolean isGoodEnd(int[] s) {
        return s[EVENTS] == 0 && s[BYTES] == 0 && s[STATE] == LOW;
    }

    @Override
    void step(int[] s) {
        device(s, 0);
        device(s, 1);
        program(s);
    }

    private void device(int[] s, int which) {
        int step = DEVICES + which;
        int left = LEFT + which;
        switch (s[step]) {
            case 0 -> {
                if (s[left] > 0 && raisesAfterAdding) {
                    to(s, EVENTS, s[EVENTS] + 1, left, s[left] - 1, step, 1);
                } else if (s[left] > 0) {
                    to(s, left, s[left] - 1, step, 1);
                }
            }
            case 1, 2, 3 -> raise(s, step, 1, raisesAfterAdding ? 0 : 4);
            default -> to(s, EVENTS, s[EVENTS] + 1, step, 0);
        }
    }

    private void raise(int[] s, int step, int base, int next) {
        if (s[step] == base) {
            if (s[STATE] == LOW) {
                to(s, STATE, RISING, step, base + 1);
            } else {
                to(s, step, next);
            }
        } else if (s[step] == base + 1) {
            to(s, BYTES, s[BYTES] + 1, step, base + 2);
        } else {
            to(s, STATE, HIGH, step, next);
        }
    }

    private void program(int[] s) {
        switch (s[PROGRAM]) {
            // Selects.
            case 0 -> {
                if (s[BYTES] > 0) {
                    to(s, PROGRAM, 1);
                }
            }
            // Takes.
            case 1 -> to(s, PROGRAM, s[EVENTS] > 0 ? 1 : 2, EVENTS, Math.max(s[EVENTS] - 1, 0));
            // Lowers.
            case 2 -> {
                if (s[STATE] == HIGH) {
                    to(s, STATE, LOW, PROGRAM, 3);
                } else if (s[STATE] == LOW) {
                    to(s, PROGRAM, looksAfterLowering ? 4 : 0);
                }
                // Rising: waits.
            }
            case 3 -> {
                if (s[BYTES] > 0) {
                    to(s, BYTES, s[BYTES] - 1, PROGRAM, looksAfterLowering ? 4 : 0);
                }
            }
            // Looks again.
            case 4 -> to(s, PROGRAM, s[EVENTS] > 0 ? 5 : 0, EVENTS, Math.max(s[EVENTS] - 1, 0));
            default -> raise(s, PROGRAM, 5, 1);
        }
    }
}
