package dev.doorbell.tools;

import dev.doorbell.kernel.KernelException;
import dev.doorbell.tools.pingpong.Service;
import dev.doorbell.verbs.VerbsException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/**
 * The doorbell command: {@code doorbell SUBCOMMAND [OPTION...]}.
 *
 * <p>Exit codes: {@value #OK} success; {@value #FAILED} something did not work, or what was asked for is not there;
 * {@value #USAGE} the command line makes no sense. A user's mistake gets a sentence, never a stack trace.
 */
public final class DoorbellCommand {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int USAGE = 64;

    static final String VERSION = "doorbell 0.1.0-SNAPSHOT";

    private final PrintStream out;
    private final PrintStream err;
    private final List<Subcommand> subcommands = List.of(
            new TourCommand(),
            new DevicesCommand(),
            new DevinfoCommand(),
            new DoctorCommand(),
            new AsyncwatchCommand(),
            new LinkCommand(),
            new ConformanceCommand(),
            new PerfCommand(),
            new RpingCommand(),
            new StressCommand(),
            new DatagramCommand(false),
            new DatagramCommand(true),
            new PingpongCommand(Service.RC, "a reliable connection"),
            new PingpongCommand(Service.UC, "an unreliable connection"),
            new PingpongCommand(Service.UD, "unreliable datagrams"),
            new PingpongCommand(Service.SRQ, "reliable connections that share a receive queue"));

    DoorbellCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs the command and exits with its code. */
    public static void main(String[] arguments) {
        int status = new DoorbellCommand(System.out, System.err).run(arguments);
        System.out.flush();
        System.exit(status);
    }

    /** Runs the command; returns the exit code. */
    int run(String... arguments) {
        if (arguments.length == 0) {
            printOverview(err);
            return USAGE;
        }
        return switch (arguments[0]) {
            case "-h", "--help", "help" -> {
                printOverview(out);
                yield OK;
            }
            case "--version" -> {
                out.println(VERSION);
                yield OK;
            }
            default -> runSubcommand(arguments[0], Arrays.copyOfRange(arguments, 1, arguments.length));
        };
    }

    private int runSubcommand(String name, String[] arguments) {
        Optional<Subcommand> subcommand = subcommands.stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst();
        return subcommand.isPresent()
                ? run(subcommand.get(), arguments)
                : mistake("there is no subcommand '" + name + "'", "doorbell --help");
    }

    private int run(Subcommand subcommand, String[] words) {
        Options options = subcommand.options().addOption(help());
        String usage = "doorbell " + subcommand.name() + " --help";
        try {
            // No abbreviations: what a script relies on today must not become ambiguous tomorrow.
            CommandLine line =
                    DefaultParser.builder().setAllowPartialMatching(false).get().parse(options, words);
            if (line.hasOption("help")) {
                new UsageText(out).print(subcommand, options);
                return OK;
            }
            List<String> arguments = line.getArgList();
            int expected = subcommand.arguments().size();
            if (arguments.size() > expected) {
                return mistake("unexpected argument '" + arguments.get(expected) + "'", usage);
            }
            return subcommand.run(line, out);
        } catch (ParseException e) {
            return mistake(String.valueOf(e.getMessage()), usage);
        } catch (VerbsException | KernelException | CommandException e) {
            out.flush();
            err.println("doorbell: " + e.getMessage());
            return FAILED;
        }
    }

    private static Option help() {
        return Option.builder("h")
                .longOpt("help")
                .desc("explain this command and exit")
                .get();
    }

    private int mistake(String what, String usage) {
        err.println("doorbell: " + what);
        err.println("Try '" + usage + "'.");
        return USAGE;
    }

    private void printOverview(PrintStream to) {
        to.println("usage: doorbell SUBCOMMAND [OPTION...]");
        to.println();
        for (Subcommand subcommand : subcommands) {
            to.printf("  %-12s %s%n", subcommand.name(), subcommand.summary());
        }
        to.println();
        to.println("  --version  print the version");
        to.println("  --help     print this; 'doorbell SUBCOMMAND --help' explains a subcommand");
        to.println();
        to.println(
                "Environment: docs/settings.md has every variable. DOORBELL_JAVA_OPTIONS passes options to the JVM;");
        to.println("DOORBELL_SOFT=soft0@127.0.0.1,soft1@127.0.0.2 names the embedded devices and their addresses;");
        to.println(
                "DOORBELL_FAULTS=loss=0.01,delay=2ms,seed=42 lets their packets suffer; DOORBELL_CARRIER=ioctl|write");
        to.println("and DOORBELL_DISCOVERY=netlink|sysfs force how the Linux kernel's devices are driven and found.");
    }
}
