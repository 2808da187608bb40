package dev.doorbell.tools.cm;

import dev.doorbell.spec.PortSpace;
import dev.doorbell.tools.options.Arguments;
import java.net.InetSocketAddress;
import java.util.Locale;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.jspecify.annotations.Nullable;

/**
 * The options of udaddy(1) and mckey(1). With those, {@code -p} is the port space and not the port, unlike with rping(1) and
 * ucmatose(1).
 */
public final class DatagramOptions {
    private static final String PORT = "port";

    /** Where udaddy serves, always. */
    private static final int UDADDY_PORT = 7174;

    /** What one packet carries on any path. */
    private static final int MAX_SIZE = 4096;

    private static final int MAX_BYTE = 255;

    private DatagramOptions() {}

    /** What the parser of udaddy has to understand. */
    public static Options unicast() {
        return CmOptions.ours(
                common().addOption(CmOptions.value("s", "ADDRESS", "the server's address; without it, be the server"))
                        .addOption(CmOptions.value("f", "FORMAT", "of addresses: ip or name, which are the same here"))
                        .addOption(CmOptions.value("t", "TOS", "type of service, 0 to 255")));
    }

    /** What the parser of mckey has to understand. */
    public static Options multicast() {
        return CmOptions.ours(common().addOption(CmOptions.value("m", "GROUP", "the group's address"))
                .addOption(CmOptions.flag("s", "send, instead of receiving"))
                .addOption(CmOptions.flag("o", "join to send only"))
                .addOption(CmOptions.flag("l", "accepted: nothing loops back here")));
    }

    private static Options common() {
        return new Options()
                .addOption(CmOptions.value("b", "ADDRESS", "own address"))
                .addOption(CmOptions.value("c", "COUNT", "identifiers (default 1)"))
                .addOption(CmOptions.value("C", "COUNT", "messages of each (default 10)"))
                .addOption(CmOptions.value("S", "BYTES", "size of a message (default 100)"))
                .addOption(CmOptions.value("P", "SPACE", "port space: udp, which is the default, or ipoib"))
                .addOption(CmOptions.value("p", "NUMBER", "port space as a number: 0x0111 is udp, 0x0002 is ipoib"))
                .addOption(Option.builder()
                        .longOpt(PORT)
                        .hasArg()
                        .argName("PORT")
                        .desc("the service's port (default " + UDADDY_PORT + ", which udaddy(1) always has)")
                        .get());
    }

    /** Reads a command line of udaddy. */
    public static DatagramSettings parseUnicast(CommandLine line) throws ParseException {
        int port = Arguments.number(line, PORT, UDADDY_PORT, 0, CmOptions.MAX_PORT);
        boolean client = line.hasOption("s");
        InetSocketAddress local = CmOptions.address(line, "b", client ? 0 : port);
        return settings(
                line,
                CmOptions.address(line, "s", port),
                local == null && !client ? CmOptions.wildcard(port) : local,
                null);
    }

    /** Reads a command line of mckey. */
    public static DatagramSettings parseMulticast(CommandLine line) throws ParseException {
        int port = Arguments.number(line, PORT, UDADDY_PORT, 0, CmOptions.MAX_PORT);
        InetSocketAddress group = CmOptions.address(line, "m", port);
        if (group == null || !group.getAddress().isMulticastAddress()) {
            throw new ParseException("-m is the address of a multicast group, such as 239.1.2.3");
        }
        return settings(line, null, CmOptions.address(line, "b", 0), group);
    }

    private static DatagramSettings settings(
            CommandLine line,
            @Nullable InetSocketAddress server,
            @Nullable InetSocketAddress local,
            @Nullable InetSocketAddress group)
            throws ParseException {
        return new DatagramSettings(
                server,
                local,
                group,
                group != null && line.hasOption("s"),
                line.hasOption("o"),
                space(line),
                Arguments.number(line, "c", 1, 1, 10_000),
                Arguments.number(line, "C", 10, 0, 10_000),
                Arguments.number(line, "S", 100, 1, MAX_SIZE),
                Arguments.number(line, "t", -1, 0, MAX_BYTE),
                CmOptions.device(line),
                CmOptions.welcome(line),
                CmOptions.patience(line));
    }

    private static PortSpace space(CommandLine line) throws ParseException {
        String name = line.getOptionValue("P");
        if (name != null) {
            return switch (name.toLowerCase(Locale.ROOT)) {
                case "udp" -> PortSpace.UDP;
                case "ipoib" -> PortSpace.IPOIB;
                default -> throw new ParseException("-P is udp or ipoib, not '" + name + "'");
            };
        }
        int code = Arguments.number(line, "p", PortSpace.UDP.code(), 0, CmOptions.MAX_PORT);
        if (code == PortSpace.UDP.code() || code == PortSpace.IPOIB.code()) {
            return code == PortSpace.UDP.code() ? PortSpace.UDP : PortSpace.IPOIB;
        }
        throw new ParseException("-p is the port space, 0x0111 for udp or 0x0002 for ipoib, not '"
                + line.getOptionValue("p") + "'; --port is the port");
    }
}
