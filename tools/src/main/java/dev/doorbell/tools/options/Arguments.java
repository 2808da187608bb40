package dev.doorbell.tools.options;

import java.time.Duration;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** Arguments of options, as the C programs take them, and the option for patience, which those lack. */
public final class Arguments {
    private static final String TIMEOUT = "timeout";

    private Arguments() {}

    /** A number, decimal or 0x hexadecimal. */
    public static int number(CommandLine line, String option, int otherwise, int lowest, int highest)
            throws ParseException {
        if (!line.hasOption(option)) {
            return otherwise;
        }
        String text = line.getOptionValue(option);
        try {
            long value = Long.decode(text);
            if (value >= lowest && value <= highest) {
                return (int) value;
            }
        } catch (NumberFormatException e) {
            // the same answer as for a number out of range
        }
        String name = (option.length() > 1 ? "--" : "-") + option;
        throw new ParseException(name + " is " + lowest + " to " + highest + ", not '" + text + "'");
    }

    /** The option {@code --timeout}. */
    public static Option timeout(String description) {
        return Option.builder()
                .longOpt(TIMEOUT)
                .hasArg()
                .argName("SECONDS")
                .desc(description)
                .get();
    }

    /** Whether {@code --timeout} says anything. */
    public static boolean isPatienceGiven(CommandLine line) {
        return line.hasOption(TIMEOUT);
    }

    /** What {@code --timeout} says. */
    public static Duration patience(CommandLine line, int otherwiseSeconds) throws ParseException {
        String text = line.getOptionValue(TIMEOUT, Integer.toString(otherwiseSeconds));
        try {
            double seconds = Double.parseDouble(text);
            if (seconds >= 0.001 && seconds <= 86_400) {
                return Duration.ofMillis(Math.round(seconds * 1000));
            }
        } catch (NumberFormatException e) {
            // the same answer as for a number out of range
        }
        throw new ParseException("--timeout is 0.001 to 86400 seconds, not '" + text + "'");
    }
}
