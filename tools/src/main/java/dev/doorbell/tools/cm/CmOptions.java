package dev.doorbell.tools.cm;

import dev.doorbell.tools.options.Arguments;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.jspecify.annotations.Nullable;

/** What the programs' command lines have in common. */
final class CmOptions {
    static final int MAX_PORT = 65_535;

    private static final String DEVICE = "ib-dev";

    private CmOptions() {}

    static Option value(String letter, String argument, String description) {
        return Option.builder(letter)
                .hasArg()
                .argName(argument)
                .desc(description)
                .get();
    }

    static Option flag(String letter, String description) {
        return Option.builder(letter).desc(description).get();
    }

    /** Those that the C programs lack. */
    static Options ours(Options options) {
        return options.addOption(Option.builder()
                        .longOpt(DEVICE)
                        .hasArg()
                        .argName("NAME")
                        .desc("a device of the kernel to use; otherwise that of the preferred device")
                        .get())
                .addOption(Arguments.timeout("patience with each step (default 30; a server's first peer: for ever)"));
    }

    static @Nullable String device(CommandLine line) {
        return line.getOptionValue(DEVICE);
    }

    static Duration patience(CommandLine line) throws ParseException {
        return Arguments.patience(line, 30);
    }

    /** How long a server waits for its first peer: as long as it takes, unless a patience is given. */
    static Duration welcome(CommandLine line) throws ParseException {
        return Arguments.isPatienceGiven(line) ? patience(line) : Duration.ofDays(3650);
    }

    /** The address of an option; null if it was not given. */
    static @Nullable InetSocketAddress address(CommandLine line, String option, int port) throws ParseException {
        String host = line.getOptionValue(option);
        if (host == null) {
            return null;
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new ParseException("-" + option + ": the host '" + host + "' is unknown");
        }
    }

    /** The address of every device, in IPv4 or, where the host has no other, in IPv6. */
    static InetSocketAddress wildcard(int port) {
        return new InetSocketAddress(port);
    }
}
