package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The protocol of {@link LeasedDriving} as a model, and every way in which its steps can interleave: a sender with two
 * packets, a poller that looks once and leaves, and may say before that it polls all the time, a waiter that may leave after any round of work, the background thread,
 * and a lease that can run out at any moment. Each access to a shared word is a step of its own; the full barriers of the
 * code make that the whole truth. Where nothing can go on, no packet may be left.
 *
 * <p>Three tests take a step away and expect a lost packet: the model sees what it is there for.
 */
final class LeaseProtocolTest {
    // Shared words.
    private static final int WORK = 0;
    private static final int LEASE = 1;
    private static final int NEXT_LOOK = 2;
    private static final int STANDBY = 3;
    private static final int BACKGROUND_PERMIT = 4;
    private static final int WAITER_PERMIT = 5;
    // Where each process stands, and what it has read.
    private static final int SENDER = 6;
    private static final int SENDER_LEFT = 7;
    private static final int SENDER_LEASE = 8;
    private static final int SENDER_PLANNED = 9;
    private static final int BACKGROUND = 10;
    private static final int LOOK = 11;
    private static final int POLLER = 12;
    private static final int WAITER = 13;
    private static final int LOOKING = 14;
    private static final int WORDS = 15;

    // Values of the word that says when the background thread looks next.
    private static final int AWAKE = 0;
    private static final int SOON = 1;
    private static final int LEASE_END = 2;
    private static final int NEVER = 3;

    private static final int POLLER_GONE = 15;
    private static final int WAITER_GONE = 39;

    /** How many values each word can have, in the order of the words. */
    private static final int[] RADIX = {4, 2, 4, 2, 2, 2, 8, 4, 2, 4, 16, 4, 16, 40, 2};

    private boolean backgroundLooksTwice = true;
    private boolean leaseIsWatched = true;
    private boolean whoLookedAttends = true;
    private final List<int[]> successors = new ArrayList<>();

    @Test
    void noPacketIsLeftWhenNothingCanGoOn() {
        assertThat(explore()).isEmpty();
    }

    @Test
    void withoutTheSecondLookAPacketIsLost() {
        backgroundLooksTwice = false;
        assertThat(explore()).isNotEmpty();
    }

    @Test
    void withoutSomebodyWhoWatchesTheLeaseAPacketIsLost() {
        leaseIsWatched = false;
        assertThat(explore()).isNotEmpty();
    }

    @Test
    void withoutALastLookOfWhoPolledAPacketIsLost() {
        whoLookedAttends = false;
        assertThat(explore()).isNotEmpty();
    }

    /** All states in which nothing can go on while a packet waits. */
    private List<String> explore() {
        List<String> lost = new ArrayList<>();
        Set<Long> seen = new HashSet<>();
        Deque<int[]> open = new ArrayDeque<>();
        int[] first = new int[WORDS];
        first[SENDER_LEFT] = 2;
        open.add(first);
        seen.add(encode(first));
        while (!open.isEmpty()) {
            int[] state = open.remove();
            successors.clear();
            step(state);
            if (successors.isEmpty() && state[WORK] > 0) {
                lost.add(Arrays.toString(state));
            }
            for (int[] next : successors) {
                if (seen.add(encode(next))) {
                    open.add(next);
                }
            }
        }
        assertThat(seen).as("the model goes somewhere").hasSizeGreaterThan(1000);
        return lost;
    }

    private static long encode(int[] state) {
        long code = 0;
        for (int word = 0; word < WORDS; word++) {
            assert state[word] < RADIX[word];
            code = code * RADIX[word] + state[word];
        }
        return code;
    }

    private void step(int[] state) {
        if (state[LEASE] == 1) {
            to(state, LEASE, 0);
        }
        sender(state);
        background(state);
        poller(state);
        waiter(state);
    }

    /** Adds a successor in which some words have other values: pairs of word and value. */
    private void to(int[] state, int... changes) {
        int[] next = state.clone();
        for (int i = 0; i < changes.length; i += 2) {
            next[changes[i]] = changes[i + 1];
        }
        successors.add(next);
    }

    private boolean isLate(int planned, int lease) {
        return planned >= LEASE_END && (lease == 0 || (planned == NEVER && leaseIsWatched));
    }

    private void sender(int[] s) {
        int done = s[SENDER_LEFT] - 1;
        switch (s[SENDER]) {
            case 0 -> {
                if (s[SENDER_LEFT] > 0) {
                    to(s, WORK, s[WORK] + 1, SENDER, 1);
                }
            }
            case 1 -> to(s, SENDER_LEASE, s[LEASE], SENDER, s[LEASE] == 1 ? 6 : 2);
            case 6 -> {
                if (s[LOOKING] == 1) {
                    to(s, SENDER_LEFT, done, SENDER, 0);
                } else {
                    to(s, SENDER, 4);
                }
            }
            case 2 -> to(s, SENDER, s[STANDBY] == 1 ? 3 : 4);
            case 3 -> {
                if (s[STANDBY] == 1) {
                    to(s, STANDBY, 0, WAITER_PERMIT, 1, SENDER_LEFT, done, SENDER, 0);
                } else {
                    to(s, SENDER, 4);
                }
            }
            case 4 -> {
                if (isLate(s[NEXT_LOOK], s[SENDER_LEASE])) {
                    to(s, SENDER_PLANNED, s[NEXT_LOOK], SENDER, 5);
                } else {
                    to(s, SENDER_LEFT, done, SENDER, 0);
                }
            }
            default -> wake(s, s[SENDER_PLANNED], SENDER_LEFT, done, SENDER, 0);
        }
    }

    /** Wakes the background thread if it still plans what was read, and goes on. */
    private void wake(int[] s, int planned, int... further) {
        if (s[NEXT_LOOK] == planned) {
            int[] all = Arrays.copyOf(further, further.length + 4);
            all[further.length] = NEXT_LOOK;
            all[further.length + 1] = AWAKE;
            all[further.length + 2] = BACKGROUND_PERMIT;
            all[further.length + 3] = 1;
            to(s, all);
        } else {
            to(s, further);
        }
    }

    private void background(int[] s) {
        switch (s[BACKGROUND]) {
            case 0 -> to(s, BACKGROUND, s[LEASE] == 0 ? 1 : 2);
            case 1 -> {
                if (s[WORK] > 0) {
                    to(s, WORK, s[WORK] - 1, BACKGROUND, 0);
                    // The work was what the waiter waits for.
                    to(s, WORK, s[WORK] - 1, WAITER_PERMIT, 1, BACKGROUND, 0);
                } else {
                    to(s, BACKGROUND, 2);
                }
            }
            case 2 -> {
                if (s[WORK] == 0) {
                    to(s, LOOK, NEVER, BACKGROUND, 4);
                } else {
                    to(s, BACKGROUND, 3);
                }
            }
            case 3 -> to(s, LOOK, s[LEASE] == 1 ? LEASE_END : SOON, BACKGROUND, 4);
            case 4 -> to(s, NEXT_LOOK, s[LOOK], BACKGROUND, backgroundLooksTwice && s[LOOK] != SOON ? 5 : 6);
            case 5 -> to(s, BACKGROUND, s[WORK] == 0 ? 6 : 7);
            case 7 -> to(s, BACKGROUND, s[LOOK] == LEASE_END && s[LEASE] == 1 ? 6 : 8);
            case 6 -> {
                if (s[BACKGROUND_PERMIT] == 1) {
                    to(s, BACKGROUND_PERMIT, 0, BACKGROUND, 8);
                } else if (s[LOOK] != NEVER) {
                    to(s, BACKGROUND, 8);
                }
            }
            default -> to(s, NEXT_LOOK, AWAKE, BACKGROUND, 0);
        }
    }

    private void poller(int[] s) {
        switch (s[POLLER]) {
            case 0 -> {
                to(s, POLLER, 7);
                to(s, LOOKING, 1, POLLER, 7);
            }
            case 7 -> to(s, LEASE, 1, POLLER, 1);
            case 1 -> {
                if (s[WORK] > 0) {
                    to(s, POLLER, 2);
                } else {
                    to(s, POLLER, s[LOOKING] == 1 ? 8 : POLLER_GONE);
                }
            }
            case 2 -> to(s, WORK, Math.max(s[WORK] - 1, 0), POLLER, 3);
            case 8 -> to(s, LOOKING, 0, POLLER, whoLookedAttends ? 10 : POLLER_GONE);
            case 10, 11, 12 -> attend(s, POLLER, 10, POLLER_GONE);
            case 3, 4, 5 -> attend(s, POLLER, 3, s[LOOKING] == 1 ? 8 : POLLER_GONE);
            default -> {}
        }
    }

    private void waiter(int[] s) {
        switch (s[WAITER]) {
            case 0 -> to(s, LEASE, 0, WAITER, 20);
            case 4 -> to(s, STANDBY, 1, WAITER, 6);
            case 6 -> {
                if (s[WAITER_PERMIT] == 1) {
                    to(s, WAITER_PERMIT, 0, WAITER, 7);
                }
            }
            case 7 -> to(s, STANDBY, 0, WAITER, 8);
            case 8 -> {
                to(s, WAITER, s[WORK] > 0 ? 9 : 4);
                if (s[WORK] == 0) {
                    to(s, WAITER, WAITER_GONE);
                }
            }
            case 9 -> to(s, LEASE, 1, WAITER, 10);
            case 10 -> to(s, WORK, Math.max(s[WORK] - 1, 0), WAITER, 30);
            case 20, 21, 22 -> attend(s, WAITER, 20, 4);
            case 30, 31, 32 -> {
                attend(s, WAITER, 30, 4);
                attend(s, WAITER, 30, WAITER_GONE);
            }
            default -> {}
        }
    }

    /** The steps of a thread that may be leaving, from {@code base}: is there work, who looks at it, wake. */
    private void attend(int[] s, int process, int base, int after) {
        if (s[process] == base) {
            to(s, process, s[WORK] > 0 ? base + 1 : after);
        } else if (s[process] == base + 1) {
            to(s, process, isLate(s[NEXT_LOOK], s[LEASE]) ? base + 2 : after);
        } else if (s[process] == base + 2) {
            // Both values that are late; the code compares with the one that it read.
            int planned = s[NEXT_LOOK];
            if (isLate(planned, s[LEASE])) {
                wake(s, planned, process, after);
            } else {
                to(s, process, after);
            }
        }
    }
}
