package dev.doorbell.tools;

import java.io.PrintStream;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** Prints what {@code --help} of a subcommand says. */
final class UsageText {
    private final PrintStream out;

    UsageText(PrintStream out) {
        this.out = out;
    }

    void print(Subcommand subcommand, Options options) {
        out.println("usage: doorbell " + subcommand.name() + " [OPTION...]");
        out.println();
        out.println(subcommand.description());
        out.println();
        for (Option option : options.getOptions()) {
            out.printf("  -%s, %-20s %s%n", option.getOpt(), longForm(option), option.getDescription());
        }
    }

    private static String longForm(Option option) {
        String name = "--" + option.getLongOpt();
        return option.hasArg() ? name + ' ' + option.getArgName() : name;
    }
}
