package dev.doorbell.bench.udp;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@code quality/bench/run udp} was asked for.
 *
 * @param effort how long it may take
 * @param pin whether each end gets a processor of its own
 * @param parts what to measure, and where
 */
record UdpOptions(Effort effort, boolean pin, Set<Part> parts) {
    private static final int MOST_ROUNDS = 1000;

    /** What can be left out. */
    enum Part {
        LOOPBACK,
        VETH,
        LATENCY,
        THROUGHPUT
    }

    /**
     * How much is played.
     *
     * @param rounds rounds of each contest that count
     * @param warmUps rounds before them that do not
     * @param chunks looks at the clock in a round of round trips
     * @param streamBytes bytes of a round of streaming
     */
    record Effort(int rounds, int warmUps, int chunks, long streamBytes) {
        static final Effort FULL = new Effort(15, 14, 200, 512 << 20);
        static final Effort QUICK = new Effort(5, 10, 100, 256 << 20);
    }

    UdpOptions {
        parts = Set.copyOf(parts);
    }

    /** Throws {@link IllegalArgumentException} with a message for the user. */
    static UdpOptions parse(String... arguments) {
        Deque<String> words = new ArrayDeque<>(List.of(arguments));
        Effort effort = Effort.FULL;
        boolean pin = true;
        Set<Part> parts = EnumSet.allOf(Part.class);
        while (!words.isEmpty()) {
            String word = words.remove();
            switch (word) {
                case "--quick" -> effort = Effort.QUICK;
                case "--no-pin" -> pin = false;
                case "--loopback" -> parts.remove(Part.VETH);
                case "--veth" -> parts.remove(Part.LOOPBACK);
                case "--latency" -> parts.remove(Part.THROUGHPUT);
                case "--throughput" -> parts.remove(Part.LATENCY);
                case "--rounds" ->
                    effort = new Effort(number(words.poll()), effort.warmUps, effort.chunks, effort.streamBytes);
                default ->
                    throw new IllegalArgumentException(
                            "unknown option " + word + "; quality/bench/run --help lists them");
            }
        }
        return new UdpOptions(effort, pin, parts);
    }

    boolean has(Part part) {
        return parts.contains(part);
    }

    private static int number(@Nullable String text) {
        try {
            int number = Integer.parseInt(text == null ? "" : text);
            if (number >= 1 && number <= MOST_ROUNDS) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--rounds needs a number, not \"" + text + "\"", e);
        }
        throw new IllegalArgumentException("--rounds takes 1 to " + MOST_ROUNDS + ", not " + text);
    }
}
