package dev.doorbell.tools;

import dev.doorbell.tools.cm.CmToolException;
import dev.doorbell.tools.cm.Rping;
import dev.doorbell.tools.cm.RpingOptions;
import java.io.PrintStream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** {@code doorbell rping}: rping(1), of which either end may be the C program. */
final class RpingCommand implements Subcommand {
    @Override
    public String name() {
        return "rping";
    }

    @Override
    public String summary() {
        return "connect by address, and ping by RDMA READ and WRITE";
    }

    @Override
    public String description() {
        return """
               A server (-s) and a client (-c -a ADDRESS) connect by IP address. The client's data go to the
               server by RDMA READ and come back by RDMA WRITE. The peer may be rping of rdmacm-utils.
               Exit code 1 if the peer does not play along, does not answer in time, or data were wrong.""";
    }

    @Override
    public Options options() {
        return RpingOptions.options();
    }

    @Override
    public int run(CommandLine line, PrintStream out) throws ParseException {
        try {
            Rping.play(RpingOptions.parse(line), out);
            return DoorbellCommand.OK;
        } catch (CmToolException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }
}
