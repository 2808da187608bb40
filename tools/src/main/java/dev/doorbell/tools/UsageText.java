package dev.doorbell.tools;

import java.io.PrintStream;
import java.util.stream.Collectors;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** Prints what {@code --help} of a subcommand says. */
final class UsageText {
    private final PrintStream out;

    UsageText(PrintStream out) {
        this.out = out;
    }

    void print(Subcommand subcommand, Options options) {
        out.println("usage: doorbell " + subcommand.name() + " [OPTION...]" + arguments(subcommand));
        out.println();
        out.println(subcommand.description());
        out.println();
        for (Option option : options.getOptions()) {
            out.printf("  %-24s %s%n", forms(option), option.getDescription());
        }
    }

    private static String arguments(Subcommand subcommand) {
        return subcommand.arguments().stream()
                .map(argument -> " [" + argument + "]")
                .collect(Collectors.joining());
    }

    /** Both forms where there are two, long ones alone below the long ones; the C programs' options often have the letter alone. */
    private static String forms(Option option) {
        String letter = option.getOpt() == null ? "   " : "-" + option.getOpt();
        String name =
                option.getLongOpt() == null ? "" : (option.getOpt() == null ? " --" : ", --") + option.getLongOpt();
        return letter + name + (option.hasArg() ? " " + option.getArgName() : "");
    }
}
