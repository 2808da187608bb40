package dev.doorbell.verbs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Every way in which the steps of a protocol can interleave. A model says which states can follow a state, one step of one
 * process at a time; each access to a shared word is a step of its own.
 */
abstract class Interleavings {
    private final List<int[]> successors = new ArrayList<>();

    /** Adds the states that can follow, with {@link #to}. */
    abstract void step(int[] state);

    /** Whether a state may be the last one. */
    abstract boolean isGoodEnd(int[] state);

    /** Adds a successor in which some words have other values: pairs of word and value. */
    final void to(int[] state, int... changes) {
        int[] next = state.clone();
        for (int i = 0; i < changes.length; i += 2) {
            next[changes[i]] = changes[i + 1];
        }
        successors.add(next);
    }

    /** The states in which nothing can go on though something should, up to a few. */
    final List<String> badEnds(int[] first) {
        List<String> bad = new ArrayList<>();
        Set<List<Integer>> seen = new HashSet<>();
        Deque<int[]> open = new ArrayDeque<>();
        open.add(first);
        seen.add(key(first));
        while (!open.isEmpty() && bad.size() < 5) {
            int[] state = open.remove();
            successors.clear();
            step(state);
            if (successors.isEmpty() && !isGoodEnd(state)) {
                bad.add(Arrays.toString(state));
            }
            for (int[] next : List.copyOf(successors)) {
                if (seen.add(key(next))) {
                    open.add(next);
                }
            }
        }
        if (seen.size() < 100) {
            throw new AssertionError("the model goes nowhere: " + seen.size() + " states");
        }
        return bad;
    }

    private static List<Integer> key(int[] state) {
        return Arrays.stream(state).boxed().toList();
    }
}
