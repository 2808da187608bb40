package dev.doorbell.quality.interop;

import dev.doorbell.tools.pingpong.Service;
import dev.doorbell.verbs.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * 4096-byte RC ping-pong on rxe0: ibv_rc_pingpong with itself and Doorbell with itself, in turn, after warming both up. Prints
 * each round and the medians; exits with 0 if Doorbell takes at most 1.1 times as long.
 */
final class PingpongRace {
    private static final int ROUNDS = 5;
    private static final int WARM_UP = 20_000;
    private static final int ITERATIONS = 3_000;
    private static final double TARGET = 1.1;
    private static final String HOST = "10.77.0.1";
    private static final Pattern RESULT = Pattern.compile("= (\\d+\\.\\d\\d) usec/iter");

    private final String slot;
    private int port = 18515;

    private PingpongRace(String slot) {
        this.slot = slot;
    }

    public static void main(String[] arguments) throws Exception {
        String slot;
        try (Desk rxe = Desk.at(Device.named("rxe0"))) {
            slot = Integer.toString(rxe.gidIndex(false));
        }
        boolean fast = new PingpongRace(slot).run() <= TARGET;
        System.out.println(fast ? "1 passed, 0 failed, 0 skipped" : "0 passed, 1 failed, 0 skipped");
        System.exit(fast ? 0 : 1);
    }

    private double run() throws Exception {
        double warm = ours(WARM_UP);
        System.out.printf(Locale.ROOT, "warm-up: Doorbell %.1f us, C %.1f us%n", warm, theirs(ITERATIONS));
        List<Double> c = new ArrayList<>();
        List<Double> java = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            c.add(theirs(ITERATIONS));
            java.add(ours(ITERATIONS));
            ratios.add(java.getLast() / c.getLast());
            System.out.printf(
                    Locale.ROOT,
                    "round %d: ibv_rc_pingpong %.1f us, Doorbell %.1f us, ratio %.3f%n",
                    round + 1,
                    c.getLast(),
                    java.getLast(),
                    ratios.getLast());
        }
        double ratio = median(java) / median(c);
        System.out.printf(
                Locale.ROOT,
                "median of %d: ibv_rc_pingpong %.1f us, Doorbell %.1f us, ratio of medians %.3f, median of ratios %.3f%n",
                ROUNDS,
                median(c),
                median(java),
                ratio,
                median(ratios));
        return ratio;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private double theirs(int iterations) throws Exception {
        port++;
        PingpongEnd server = PingpongEnd.theirs(Service.RC, words(iterations));
        server.awaitListener(port);
        return result(PingpongEnd.theirs(Service.RC, words(iterations, HOST)), server);
    }

    private double ours(int iterations) throws Exception {
        port++;
        PingpongEnd server = PingpongEnd.ours(Service.RC, words(iterations, "--timeout", "60"));
        server.awaitListener(port);
        return result(PingpongEnd.ours(Service.RC, words(iterations, "--timeout", "60", HOST)), server);
    }

    private static double result(PingpongEnd client, PingpongEnd server) throws Exception {
        String output = client.await();
        server.await();
        Matcher time = RESULT.matcher(output);
        Check.that(time.find(), "a time in:\n" + output);
        return Double.parseDouble(time.group(1));
    }

    private List<String> words(int iterations, String... more) {
        List<String> words = new ArrayList<>(List.of("-d", "rxe0", "-g", slot, "-s", "4096", "-m", "4096"));
        words.addAll(List.of("-n", Integer.toString(iterations), "-p", Integer.toString(port)));
        words.addAll(List.of(more));
        return words;
    }
}
