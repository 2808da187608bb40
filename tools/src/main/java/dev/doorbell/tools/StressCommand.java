package dev.doorbell.tools;

import dev.doorbell.tools.cm.CmToolException;
import dev.doorbell.tools.cm.Stress;
import dev.doorbell.tools.cm.StressOptions;
import java.io.PrintStream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** {@code doorbell cm-stress}: ucmatose(1), of which either end may be the C program. */
final class StressCommand implements Subcommand {
    @Override
    public String name() {
        return "cm-stress";
    }

    @Override
    public String summary() {
        return "make many connections by address, and end them";
    }

    @Override
    public String description() {
        return """
               Makes many connections at a time, sends messages on each both ways, ends them, and says how
               many a second. Without -s it is the server. The peer may be ucmatose of rdmacm-utils, with the
               same -c, -C and -S.
               Exit code 1 if the peer does not play along or does not answer in time.""";
    }

    @Override
    public Options options() {
        return StressOptions.options();
    }

    @Override
    public int run(CommandLine line, PrintStream out) throws ParseException {
        try {
            Stress.play(StressOptions.parse(line), out);
            return DoorbellCommand.OK;
        } catch (CmToolException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }
}
