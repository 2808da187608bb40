package dev.doorbell.tools;

import java.io.PrintStream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** {@code doorbell tour}: the whole way from the device list to a completion, explained and checked. */
final class TourCommand implements Subcommand {
    @Override
    public String name() {
        return "tour";
    }

    @Override
    public String summary() {
        return "the way from the device list to a completion, explained and checked";
    }

    @Override
    public String description() {
        return """
               Opens a device step by step, shows its limits, connects two queue pairs of this process,
               does every operation on real buffers and checks the bytes, and counts what went to the
               kernel and what did not. Exit code 1 if a byte was wrong or an operation failed.""";
    }

    @Override
    public Options options() {
        return new Options().addOption(DeviceOption.option("this device; otherwise the preferred one"));
    }

    @Override
    public int run(CommandLine line, PrintStream out) {
        return new Tour(DeviceOption.choose(line), out).run() ? DoorbellCommand.OK : DoorbellCommand.FAILED;
    }
}
