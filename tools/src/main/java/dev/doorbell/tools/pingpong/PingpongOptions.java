package dev.doorbell.tools.pingpong;

import dev.doorbell.spec.Mtu;
import dev.doorbell.tools.options.Arguments;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** The options of one ping-pong program: those of ibverbs-utils, letters, words and defaults, and a few of our own. */
public final class PingpongOptions {
    static final int DEFAULT_TCP_PORT = 18515;

    private final Service service;

    /** The options of the program for a service. */
    public PingpongOptions(Service service) {
        this.service = service;
    }

    /** What the parser has to understand. */
    public Options options() {
        Options options = new Options()
                .addOption(value("p", "port", "PORT", "TCP port of the server (default " + DEFAULT_TCP_PORT + ")"))
                .addOption(value("d", "ib-dev", "NAME", "this device; otherwise the preferred one"))
                .addOption(value("i", "ib-port", "PORT", "port of the device (default 1)"))
                .addOption(value("s", "size", "BYTES", "size of a message (default " + service.defaultSize() + ")"));
        if (service.hasPathMtu()) {
            options.addOption(value("m", "mtu", "BYTES", "path MTU; the same at both ends (default 1024)"));
        }
        if (service == Service.SRQ) {
            options.addOption(
                    value("q", "num-qp", "COUNT", "queue pairs, up to 256; the same at both ends (default 16)"));
        }
        options.addOption(value("r", "rx-depth", "COUNT", "receives posted at a time (default 500)"))
                .addOption(value("n", "iters", "COUNT", "messages each way (default 1000)"))
                .addOption(value("l", "sl", "LEVEL", "service level, 0 to 15 (default 0)"))
                .addOption(value("g", "gid-idx", "INDEX", "slot of the GID table; otherwise one is chosen, and told"));
        for (Extra extra : extras()) {
            options.addOption(Option.builder(extra.letter())
                    .longOpt(extra.word())
                    .desc(extra.description())
                    .get());
        }
        return options.addOption(FaultsOption.option())
                .addOption(Arguments.timeout("how long the peer may be silent (default 10)"));
    }

    private static Option value(String letter, String word, String argument, String description) {
        return Option.builder(letter)
                .longOpt(word)
                .hasArg()
                .argName(argument)
                .desc(description)
                .get();
    }

    private List<Extra> extras() {
        return switch (service) {
            case RC -> List.of(Extra.values());
            case UC, UD -> List.of(Extra.EVENTS, Extra.CHECK);
            case SRQ -> List.of(Extra.EVENTS, Extra.CHECK, Extra.ON_DEMAND);
        };
    }

    /**
     * Reads a command line.
     *
     * @throws ParseException with a sentence if a value makes no sense
     */
    public Settings parse(CommandLine line) throws ParseException {
        List<String> arguments = line.getArgList();
        int most = service.addresses();
        Settings settings = new Settings(
                service,
                arguments.isEmpty() ? null : arguments.getFirst(),
                Arguments.number(line, "p", DEFAULT_TCP_PORT, 0, 65535),
                line.getOptionValue("d"),
                Arguments.number(line, "i", 1, 1, 255),
                Arguments.number(line, "s", service.defaultSize(), 1, Integer.MAX_VALUE - Ball.HEADROOM),
                mtu(line),
                Arguments.number(line, "r", 500, 1, Integer.MAX_VALUE / 2),
                Arguments.number(line, "n", 1000, 1, Integer.MAX_VALUE),
                Arguments.number(line, "l", 0, 0, 15),
                Arguments.number(line, "g", -1, 0, Integer.MAX_VALUE),
                most == 1 ? 1 : Arguments.number(line, "q", Math.min(most, 16), 1, most),
                extras(line),
                Arguments.patience(line, 10));
        if (settings.receiveDepth() < settings.queuePairs()) {
            throw new ParseException("-r " + settings.receiveDepth() + " is too small for " + settings.queuePairs()
                    + " queue pairs: each needs a receive at least");
        }
        if (settings.isClient() && settings.tcpPort() == 0) {
            throw new ParseException("-p 0 lets a server choose its port; a client has to know it");
        }
        return settings;
    }

    private Set<Extra> extras(CommandLine line) throws ParseException {
        Set<Extra> extras = EnumSet.noneOf(Extra.class);
        for (Extra extra : extras()) {
            if (line.hasOption(extra.letter())) {
                extras.add(extra);
            }
        }
        boolean onDemand = extras.contains(Extra.ON_DEMAND) || extras.contains(Extra.IMPLICIT_ON_DEMAND);
        if (extras.contains(Extra.PREFETCH) && !onDemand) {
            throw new ParseException("-P prefetches an on-demand region: it needs -o");
        }
        if (extras.contains(Extra.DEVICE_MEMORY) && onDemand) {
            throw new ParseException("memory of the device (-j) is not paged on demand (-o)");
        }
        return extras;
    }

    private Mtu mtu(CommandLine line) throws ParseException {
        if (!service.hasPathMtu()) {
            return Mtu.MTU_4096;
        }
        int bytes = Arguments.number(line, "m", 1024, 1, Integer.MAX_VALUE);
        try {
            return Mtu.ofBytes(bytes);
        } catch (IllegalArgumentException e) {
            throw new ParseException("-m: " + e.getMessage());
        }
    }
}
