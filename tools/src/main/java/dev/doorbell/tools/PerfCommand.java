package dev.doorbell.tools;

import dev.doorbell.tools.perf.Perf;
import dev.doorbell.tools.perf.PerfException;
import dev.doorbell.tools.perf.PerfOptions;
import java.io.PrintStream;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** {@code doorbell perf}: what ib_send_lat, ib_write_bw and so on of perftest measure, between two of these commands. */
final class PerfCommand implements Subcommand {
    @Override
    public String name() {
        return "perf";
    }

    @Override
    public String summary() {
        return "measure latency and throughput of operations, as perftest does";
    }

    @Override
    public String description() {
        return """
               Without arguments it is the server, which serves one client. A client names an operation and the
               server's IP address: send-lat, write-lat, read-lat, atomic-lat, or send-bw, write-bw, read-bw,
               atomic-bw. send-lat is half of the way there and back, the others' latency lasts until their
               completion. MB are 2^20 bytes. The peer is 'doorbell perf' too. Repeat short runs: a JVM that
               has just started is slow. Exit code 1 if the peer does not play along or answer in time.""";
    }

    @Override
    public List<String> arguments() {
        return List.of("OPERATION", "ADDRESS");
    }

    @Override
    public Options options() {
        return PerfOptions.options();
    }

    @Override
    public int run(CommandLine line, PrintStream out) throws ParseException {
        try {
            Perf.play(PerfOptions.parse(line), out);
            return DoorbellCommand.OK;
        } catch (PerfException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }
}
