package dev.doorbell.tools;

import java.io.PrintStream;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** One thing that the doorbell command can do. */
interface Subcommand {
    /** The word on the command line. */
    String name();

    /** What it does, in less than a line. */
    String summary();

    /** What it does, for {@code --help}: a paragraph, broken into lines. */
    String description();

    /** The options that it understands; a new object each time. */
    Options options();

    /** Names of the arguments that may stand behind the options, in order; each may be left out. */
    default List<String> arguments() {
        return List.of();
    }

    /**
     * Does it.
     *
     * @return the exit code
     * @throws ParseException if a value on the command line makes no sense
     */
    int run(CommandLine line, PrintStream out) throws ParseException;
}
