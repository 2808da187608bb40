package dev.doorbell.tools;

import dev.doorbell.tools.cm.CmToolException;
import dev.doorbell.tools.cm.DatagramOptions;
import dev.doorbell.tools.cm.Datagrams;
import java.io.PrintStream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** {@code doorbell udaddy} and {@code doorbell mckey}: udaddy(1) and mckey(1), of which either end may be the C program. */
final class DatagramCommand implements Subcommand {
    private final boolean multicast;

    /** @param multicast whether it is mckey */
    DatagramCommand(boolean multicast) {
        this.multicast = multicast;
    }

    @Override
    public String name() {
        return multicast ? "mckey" : "udaddy";
    }

    @Override
    public String summary() {
        return multicast ? "join a multicast group, and send or receive" : "find a peer by address, and send datagrams";
    }

    @Override
    public String description() {
        return multicast ? """
                Joins a multicast group (-m GROUP -b OWN-ADDRESS), and receives datagrams of it, or sends some
                with -s. The peer may be mckey of rdmacm-utils.
                Exit code 1 if the group cannot be joined or datagrams are missing.""" : """
                Finds the queue pair of a server by its IP address, sends it datagrams, and gets as many back.
                Without -s it is the server. The peer may be udaddy of rdmacm-utils, with the same -c, -C and -S.
                Exit code 1 if the peer does not play along or does not answer in time.""";
    }

    @Override
    public Options options() {
        return multicast ? DatagramOptions.multicast() : DatagramOptions.unicast();
    }

    @Override
    public int run(CommandLine line, PrintStream out) throws ParseException {
        try {
            Datagrams.play(multicast ? DatagramOptions.parseMulticast(line) : DatagramOptions.parseUnicast(line), out);
            return DoorbellCommand.OK;
        } catch (CmToolException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }
}
