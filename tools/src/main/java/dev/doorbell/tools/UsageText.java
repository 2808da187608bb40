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
            String letter = option.getOpt() == null ? "    " : "-" + option.getOpt() + ", ";
            out.printf("  %s%-20s %s%n", letter, longForm(option), option.getDescription());
        }
    }

    private static String arguments(Subcommand subcommand) {
        return subcommand.arguments().stream()
                .map(argument -> " [" + argument + "]")
                .collect(Collectors.joining());
    }

    private static String longForm(Option option) {
        String name = "--" + option.getLongOpt();
        return option.hasArg() ? name + ' ' + option.getArgName() : name;
    }
}
