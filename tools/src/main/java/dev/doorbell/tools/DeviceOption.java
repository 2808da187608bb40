package dev.doorbell.tools;

import dev.doorbell.verbs.Device;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;

/** The option {@code -d, --device NAME}, as the C tools have it. */
final class DeviceOption {
    private static final String LONG = "device";

    private DeviceOption() {}

    static Option option(String description) {
        return Option.builder("d")
                .longOpt(LONG)
                .hasArg()
                .argName("NAME")
                .desc(description)
                .get();
    }

    /** Whether a device was named. */
    static boolean isGiven(CommandLine line) {
        return line.hasOption(LONG);
    }

    /** The device that was named, or the preferred one. */
    static Device choose(CommandLine line) {
        return isGiven(line) ? Device.named(line.getOptionValue(LONG)) : Device.preferred();
    }
}
