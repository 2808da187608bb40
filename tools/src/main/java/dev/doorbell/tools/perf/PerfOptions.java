package dev.doorbell.tools.perf;

import dev.doorbell.tools.options.Arguments;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** The options of perf; where perftest has the same, they have its letters. */
public final class PerfOptions {
    private static final int PORT = 18_515;
    private static final int LARGEST_OF_ALL = 1 << 20;
    private static final int MAX_PORT = 65_535;
    private static final Duration FOR_EVER = Duration.ofDays(3650);

    private PerfOptions() {}

    /** What the parser has to understand. */
    public static Options options() {
        return new Options()
                .addOption(option("s", "size", "BYTES", "size of a message (default 2, for throughput 65536)"))
                .addOption(Option.builder("a")
                        .longOpt("all")
                        .desc("every power of two from 2 to " + LARGEST_OF_ALL + " bytes")
                        .get())
                .addOption(option("n", "iters", "COUNT", "repetitions (default 1000)"))
                .addOption(
                        option("t", "tx-depth", "COUNT", "operations under way for throughput (default and most 128)"))
                .addOption(option("p", "port", "PORT", "port of the server (default " + PORT + ")"))
                .addOption(option("b", "bind", "ADDRESS", "own address"))
                .addOption(option("d", "ib-dev", "NAME", "a device of the kernel to use; otherwise the preferred one"))
                .addOption(Arguments.timeout("patience with each step (default 30; with a server's client: for ever)"));
    }

    private static Option option(String letter, String word, String argument, String description) {
        return Option.builder(letter)
                .longOpt(word)
                .hasArg()
                .argName(argument)
                .desc(description)
                .get();
    }

    /**
     * Reads a command line: an operation and an address for a client, nothing for a server.
     *
     * @throws ParseException with a sentence if a value makes no sense
     */
    public static PerfSettings parse(CommandLine line) throws ParseException {
        List<String> words = line.getArgList();
        boolean client = !words.isEmpty();
        int port = Arguments.number(line, "p", PORT, client ? 1 : 0, MAX_PORT);
        if (client && words.size() == 1) {
            throw new ParseException("'" + words.getFirst() + "' needs the address of a server behind it; a server is"
                    + " started without an operation");
        }
        Duration patience = Arguments.patience(line, 30);
        String bind = line.getOptionValue("b");
        InetSocketAddress local = bind == null ? null : address("-b", bind, client ? 0 : port);
        InetSocketAddress listening = local == null ? new InetSocketAddress(port) : local;
        return new PerfSettings(
                client ? plans(line, words.getFirst()) : List.of(),
                client ? address("ADDRESS", words.get(1), port) : listening,
                client ? local : null,
                line.getOptionValue("d"),
                Arguments.isPatienceGiven(line) ? patience : FOR_EVER,
                patience);
    }

    private static List<PerfPlan> plans(CommandLine line, String word) throws ParseException {
        PerfOperation operation = PerfOperation.of(word)
                .orElseThrow(
                        () -> new ParseException("'" + word + "' is no operation; there are " + PerfOperation.words()));
        int repetitions = Arguments.number(line, "n", 1000, 1, 100_000_000);
        int outstanding = operation.isThroughput() ? Arguments.number(line, "t", PerfPlan.DEPTH, 1, PerfPlan.DEPTH) : 1;
        if (operation.isAtomic()) {
            return List.of(new PerfPlan(operation, Long.BYTES, repetitions, outstanding, true));
        }
        if (!line.hasOption("a")) {
            int usual = operation.isThroughput() ? 1 << 16 : 2;
            int size = Arguments.number(line, "s", usual, 1, PerfPlan.MAX_SIZE);
            return List.of(new PerfPlan(operation, size, repetitions, outstanding, true));
        }
        List<PerfPlan> plans = new ArrayList<>();
        for (int size = 2; size <= LARGEST_OF_ALL; size *= 2) {
            plans.add(new PerfPlan(operation, size, repetitions, outstanding, size == LARGEST_OF_ALL));
        }
        return List.copyOf(plans);
    }

    private static InetSocketAddress address(String option, String host, int port) throws ParseException {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new ParseException(option + ": the host '" + host + "' is unknown");
        }
    }
}
