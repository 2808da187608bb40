package dev.doorbell.tools;

import dev.doorbell.verbs.Context;
import java.io.PrintStream;
import java.time.Duration;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.jspecify.annotations.Nullable;

/** {@code doorbell asyncwatch}: what happens to a device by itself, in the spirit of ibv_asyncwatch(1). */
final class AsyncwatchCommand implements Subcommand {
    private static final String COUNT = "count";
    private static final String TIMEOUT = "timeout";
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    @Override
    public String name() {
        return "asyncwatch";
    }

    @Override
    public String summary() {
        return "print the asynchronous events of a device";
    }

    @Override
    public String description() {
        return """
               Opens a device and prints what happens to it and its ports, until it is interrupted, has
               printed as many events as -n says, or the time of --timeout is up. Exit code 1 if there were
               fewer events than -n says, or the device is gone.""";
    }

    @Override
    public Options options() {
        return new Options()
                .addOption(DeviceOption.option("this device; otherwise the preferred one"))
                .addOption(number("n", COUNT, "COUNT", "end after so many events"))
                .addOption(number(null, TIMEOUT, "SECONDS", "end after this time"));
    }

    private static Option number(@Nullable String letter, String word, String argument, String description) {
        return Option.builder(letter)
                .longOpt(word)
                .hasArg()
                .argName(argument)
                .desc(description)
                .get();
    }

    @Override
    public int run(CommandLine line, PrintStream out) throws ParseException {
        int count = positive(line, COUNT);
        int seconds = positive(line, TIMEOUT);
        try (Context context = DeviceOption.choose(line).open()) {
            out.println(context.device().name() + ": async event "
                    + context.asyncFile().replace("fd ", "FD "));
            out.println("  (waiting for events; Ctrl-C ends it)");
            out.flush();
            int most = count == 0 ? Integer.MAX_VALUE : count;
            int printed = new AsyncWatch(context.events()::await, out)
                    .run(most, seconds == 0 ? FOR_EVER : Duration.ofSeconds(seconds));
            return printed < count ? DoorbellCommand.FAILED : DoorbellCommand.OK;
        }
    }

    /** The number that was given, or 0. */
    private static int positive(CommandLine line, String option) throws ParseException {
        if (!line.hasOption(option)) {
            return 0;
        }
        String text = line.getOptionValue(option);
        try {
            int value = Integer.parseInt(text);
            if (value > 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            // the same answer as for a number that is too small
        }
        throw new ParseException("--" + option + " is 1 or more, not '" + text + "'");
    }
}
