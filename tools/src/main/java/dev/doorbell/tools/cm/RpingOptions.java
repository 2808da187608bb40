package dev.doorbell.tools.cm;

import dev.doorbell.tools.options.Arguments;
import java.net.InetSocketAddress;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** The options of rping(1). */
public final class RpingOptions {
    private static final int PORT = 7174;
    private static final int SIZE = 64;

    /** "rdma-ping-" with ten digits, a colon, a blank, and the end of the text. */
    private static final int SMALLEST = 26;

    private static final int LARGEST = 65_535;

    private RpingOptions() {}

    /** What the parser has to understand. */
    public static Options options() {
        return CmOptions.ours(new Options()
                .addOption(CmOptions.flag("s", "be the server"))
                .addOption(CmOptions.flag("c", "be the client"))
                .addOption(CmOptions.flag("v", "print the data, and compare them"))
                .addOption(CmOptions.flag("V", "compare the data"))
                .addOption(CmOptions.flag("d", "tell the steps"))
                .addOption(CmOptions.flag("P", "serve one client after the other, for ever"))
                .addOption(CmOptions.flag("q", "accepted: queue pairs are the library's here"))
                .addOption(CmOptions.value(
                        "S", "BYTES", "size of the data, " + SMALLEST + " to " + LARGEST + " (default " + SIZE + ")"))
                .addOption(CmOptions.value("C", "COUNT", "pings (default: for ever)"))
                .addOption(CmOptions.value("a", "ADDRESS", "the server's address, or where it listens"))
                .addOption(CmOptions.value("I", "ADDRESS", "the client's own address"))
                .addOption(CmOptions.value("p", "PORT", "port of the server (default " + PORT + ")")));
    }

    /**
     * Reads a command line.
     *
     * @throws ParseException with a sentence if a value makes no sense
     */
    public static RpingSettings parse(CommandLine line) throws ParseException {
        boolean server = line.hasOption("s");
        if (server == line.hasOption("c")) {
            throw new ParseException("either -s or -c");
        }
        int port = Arguments.number(line, "p", PORT, server ? 0 : 1, CmOptions.MAX_PORT);
        InetSocketAddress address = CmOptions.address(line, "a", port);
        if (!server && address == null) {
            throw new ParseException("a client needs the server's address: -a ADDRESS");
        }
        return new RpingSettings(
                server,
                address == null ? CmOptions.wildcard(port) : address,
                CmOptions.address(line, "I", 0),
                Arguments.number(line, "S", SIZE, SMALLEST, LARGEST),
                Arguments.number(line, "C", 0, 0, Integer.MAX_VALUE),
                line.hasOption("v"),
                line.hasOption("v") || line.hasOption("V"),
                line.hasOption("d"),
                line.hasOption("P"),
                CmOptions.device(line),
                CmOptions.welcome(line),
                CmOptions.patience(line));
    }
}
