package dev.doorbell.tools;

import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import java.io.PrintStream;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** {@code doorbell devinfo}: what devices can do, in the spirit of ibv_devinfo(1). */
final class DevinfoCommand implements Subcommand {
    @Override
    public String name() {
        return "devinfo";
    }

    @Override
    public String summary() {
        return "show what devices can do, and who drives them";
    }

    @Override
    public String description() {
        return """
               Opens each device, or the one that is named, and prints its attributes and those of its
               ports. With -v also all limits, the GID table, counters, capabilities, and each operation
               with the class that implements it. Exit code 1 if a device that was named cannot be
               opened, or no device can.""";
    }

    @Override
    public Options options() {
        return new Options()
                .addOption(DeviceOption.option("this device only"))
                .addOption(Option.builder("i")
                        .longOpt("port")
                        .hasArg()
                        .argName("PORT")
                        .desc("this port only")
                        .get())
                .addOption(Option.builder("v")
                        .longOpt("verbose")
                        .desc("everything that is known")
                        .get());
    }

    @Override
    public int run(CommandLine line, PrintStream out) throws ParseException {
        int port = port(line);
        List<Device> devices = DeviceOption.isGiven(line) ? List.of(DeviceOption.choose(line)) : Device.list();
        boolean shown = false;
        for (Device device : devices) {
            if (!DeviceOption.isGiven(line) && !device.isUsable()) {
                out.println("device " + device.name() + " cannot be used: "
                        + device.obstacle().orElse("no reason is known"));
                continue;
            }
            try (Context context = device.open()) {
                new DeviceReport(context, out).print(port, line.hasOption("verbose"));
                shown = true;
            }
        }
        return shown ? DoorbellCommand.OK : DoorbellCommand.FAILED;
    }

    /** The port that was asked for, or 0 for all. */
    private static int port(CommandLine line) throws ParseException {
        if (!line.hasOption("port")) {
            return 0;
        }
        String text = line.getOptionValue("port");
        try {
            int port = Integer.parseInt(text);
            if (port > 0) {
                return port;
            }
        } catch (NumberFormatException e) {
            // falls through to the same answer as a number that is no port
        }
        throw new ParseException("'" + text + "' is not a port: they are numbered from 1");
    }
}
