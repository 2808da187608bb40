package dev.doorbell.tools.cm;

import dev.doorbell.spec.PortSpace;
import dev.doorbell.tools.options.Arguments;
import java.net.InetSocketAddress;
import java.util.Locale;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.jspecify.annotations.Nullable;

/** The options of ucmatose(1). */
public final class StressOptions {
    private static final int PORT = 7471;
    private static final int MAX_BYTE = 255;
    private static final int MAX_TIMEOUT = 31;

    private StressOptions() {}

    /** What the parser has to understand. */
    public static Options options() {
        return CmOptions.ours(new Options()
                .addOption(CmOptions.value("s", "ADDRESS", "the server's address; without it, be the server"))
                .addOption(CmOptions.value("b", "ADDRESS", "own address"))
                .addOption(CmOptions.value("f", "FORMAT", "of addresses: ip or name, which are the same here"))
                .addOption(CmOptions.value("P", "SPACE", "port space: tcp, which is the default, or ib"))
                .addOption(CmOptions.value("c", "COUNT", "connections (default 1)"))
                .addOption(CmOptions.value("C", "COUNT", "messages each way on each connection (default 10)"))
                .addOption(CmOptions.value("S", "BYTES", "size of a message (default 100)"))
                .addOption(CmOptions.value("t", "TOS", "type of service, 0 to 255"))
                .addOption(CmOptions.value("a", "CODE", "ACK timeout, 0 to 31"))
                .addOption(CmOptions.value("p", "PORT", "port of the server (default " + PORT + ")"))
                .addOption(CmOptions.flag("m", "move connections to another event channel")));
    }

    /**
     * Reads a command line.
     *
     * @throws ParseException with a sentence if a value makes no sense
     */
    public static StressSettings parse(CommandLine line) throws ParseException {
        int port = Arguments.number(line, "p", PORT, 0, CmOptions.MAX_PORT);
        boolean client = line.hasOption("s");
        return new StressSettings(
                CmOptions.address(line, "s", port),
                local(line, client ? 0 : port),
                space(line),
                Arguments.number(line, "c", 1, 1, 1_000_000),
                Arguments.number(line, "C", 10, 0, 100_000),
                Arguments.number(line, "S", 100, 1, 1 << 30),
                Arguments.number(line, "t", -1, 0, MAX_BYTE),
                Arguments.number(line, "a", -1, 0, MAX_TIMEOUT),
                line.hasOption("m"),
                CmOptions.device(line),
                CmOptions.welcome(line),
                CmOptions.patience(line));
    }

    private static @Nullable InetSocketAddress local(CommandLine line, int port) throws ParseException {
        InetSocketAddress given = CmOptions.address(line, "b", port);
        return given != null || line.hasOption("s") ? given : CmOptions.wildcard(port);
    }

    private static PortSpace space(CommandLine line) throws ParseException {
        return switch (line.getOptionValue("P", "tcp").toLowerCase(Locale.ROOT)) {
            case "tcp" -> PortSpace.TCP;
            case "ib" -> PortSpace.IB;
            default -> throw new ParseException("-P is tcp or ib, not '" + line.getOptionValue("P") + "'");
        };
    }
}
