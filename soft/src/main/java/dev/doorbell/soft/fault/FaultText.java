package dev.doorbell.soft.fault;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Faults as one line of text; {@link FaultInjector#parse} says how it looks. */
final class FaultText {
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ns|us|ms|s)");
    private static final Pattern SCRIPT = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?@(.+)");
    private static final String KEYS =
            "there are loss, duplicate, reorder, corrupt, delay, hold, seed, only, and drop=N@PACKETS";
    private static final double PERCENT = 100;

    private FaultText() {}

    static FaultInjector parse(String text) {
        String[] parts = text.split(",", -1);
        FaultInjector injector = seed(parts);
        double sum = 0;
        for (String part : parts) {
            int equals = part.indexOf('=');
            if (equals < 0) {
                throw wrong("'" + part.strip() + "' is no fault; " + KEYS);
            }
            String key = part.substring(0, equals).strip().toLowerCase(Locale.ROOT);
            sum += apply(injector, key, part.substring(equals + 1).strip());
        }
        if (sum > 1) {
            throw wrong(
                    "the probabilities add up to " + percent(sum) + "; a packet suffers one fault, so 100% at most");
        }
        return injector;
    }

    private static FaultInjector seed(String[] parts) {
        for (String part : parts) {
            String stripped = part.strip();
            if (stripped.startsWith("seed=")) {
                try {
                    return FaultInjector.seeded(Long.decode(stripped.substring("seed=".length())));
                } catch (NumberFormatException e) {
                    throw wrong("'" + stripped + "': a seed is a whole number");
                }
            }
        }
        return FaultInjector.unpredictable();
    }

    /** Takes one entry over; returns the probability that it adds. */
    private static double apply(FaultInjector injector, String key, String value) {
        switch (key) {
            case "seed" -> {}
            case "delay" -> injector.delay(time(key, value));
            case "hold" -> injector.hold(time(key, value));
            case "only" -> injector.only(direction(value));
            case "drop" -> script(injector, Fate.DROP, key, value);
            case "loss" -> {
                return rate(injector, Fate.DROP, key, value);
            }
            case "duplicate" -> {
                return scriptOrRate(injector, Fate.DUPLICATE, key, value);
            }
            case "reorder" -> {
                return scriptOrRate(injector, Fate.HOLD_BACK, key, value);
            }
            case "corrupt" -> {
                return scriptOrRate(injector, Fate.DAMAGE, key, value);
            }
            default -> throw wrong("'" + key + "' is no fault; " + KEYS);
        }
        return 0;
    }

    private static double scriptOrRate(FaultInjector injector, Fate fate, String key, String value) {
        if (value.indexOf('@') < 0) {
            return rate(injector, fate, key, value);
        }
        script(injector, fate, key, value);
        return 0;
    }

    private static double rate(FaultInjector injector, Fate fate, String key, String value) {
        double probability = probability(key, value);
        switch (fate) {
            case DROP -> injector.loss(probability);
            case DUPLICATE -> injector.duplication(probability);
            case HOLD_BACK -> injector.reordering(probability);
            case DAMAGE -> injector.corruption(probability);
            case FALSIFY -> injector.falsification(probability);
            case PASS -> {}
        }
        return probability;
    }

    private static void script(FaultInjector injector, Fate fate, String key, String value) {
        Matcher matcher = SCRIPT.matcher(value);
        if (!matcher.matches()) {
            throw wrong("'" + key + "=" + value + "' does not say which packet, such as " + key + "=3@READ_RESPONSE or "
                    + key + "=1-2@sent/ACKNOWLEDGE");
        }
        int first = Integer.parseInt(matcher.group(1));
        int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
        try {
            injector.script(fate, first, last, FaultMatch.parse(matcher.group(3)));
        } catch (IllegalArgumentException e) {
            throw wrong("'" + key + "=" + value + "': " + e.getMessage());
        }
    }

    private static double probability(String key, String value) {
        boolean percent = value.endsWith("%");
        try {
            double number = Double.parseDouble(percent ? value.substring(0, value.length() - 1) : value);
            double probability = percent ? number / PERCENT : number;
            if (probability >= 0 && probability <= 1) {
                return probability;
            }
        } catch (NumberFormatException e) {
            // the same answer as for a number out of range
        }
        throw wrong("'" + key + "=" + value + "': it takes 0% to 100%, or 0 to 1");
    }

    private static Duration time(String key, String value) {
        Matcher matcher = TIME.matcher(value);
        if (!matcher.matches()) {
            throw wrong("'" + key + "=" + value + "': it takes a time such as 500ns, 20us, 2ms or 1s");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ns" -> Duration.ofNanos(number);
            case "us" -> Duration.ofNanos(number * 1000);
            case "ms" -> Duration.ofMillis(number);
            default -> Duration.ofSeconds(number);
        };
    }

    private static Direction direction(String value) {
        return switch (value) {
            case "sent" -> Direction.SENT;
            case "received" -> Direction.RECEIVED;
            default -> throw wrong("'only=" + value + "': it takes sent or received");
        };
    }

    private static IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(what);
    }

    /** The word for a scripted fault. */
    static String word(Fate fate) {
        return switch (fate) {
            case PASS -> "pass";
            case DROP -> "drop";
            case DUPLICATE -> "duplicate";
            case HOLD_BACK -> "reorder";
            case DAMAGE -> "corrupt";
            case FALSIFY -> "falsify";
        };
    }

    static String percent(double probability) {
        return BigDecimal.valueOf(probability)
                        .movePointRight(2)
                        .round(new MathContext(6))
                        .stripTrailingZeros()
                        .toPlainString()
                + "%";
    }

    static String time(long ns) {
        if (ns % 1_000_000_000 == 0) {
            return ns / 1_000_000_000 + "s";
        } else if (ns % 1_000_000 == 0) {
            return ns / 1_000_000 + "ms";
        }
        return ns % 1000 == 0 ? ns / 1000 + "us" : ns + "ns";
    }
}
