package dev.doorbell.tools;

import dev.doorbell.conformance.CaseResult;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.Fabric;
import dev.doorbell.conformance.Outcome;
import dev.doorbell.conformance.Suite;
import dev.doorbell.conformance.cases.AllCases;
import dev.doorbell.conformance.fabric.DeviceFabric;
import dev.doorbell.conformance.report.Chapters;
import dev.doorbell.conformance.report.Column;
import dev.doorbell.conformance.report.RunReport;
import dev.doorbell.conformance.report.SuiteLog;
import dev.doorbell.verbs.Device;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.jspecify.annotations.Nullable;

/** {@code doorbell conformance}: puts a device to the conformance suite, and writes down what came of it. */
final class ConformanceCommand implements Subcommand {
    private static final String PEER = "peer";
    private static final String DRIVER = "driver";
    private static final String ONLY = "only";
    private static final String REPORT = "report";
    private static final String PATIENCE = "patience";
    private static final String VERBOSE = "verbose";

    private static final int MOST_PATIENCE = 100;
    private static final long SEED = 20_260_101;

    @Override
    public String name() {
        return "conformance";
    }

    @Override
    public String summary() {
        return "check that a device does what a verbs device has to do";
    }

    @Override
    public String description() {
        return """
               Runs the conformance suite, some hundred short cases written against the public API, on a
               device: both sides on that one, or side B on a second device of this machine that it
               reaches. Prints the cases that failed and the counts of each chapter. --report writes a
               file in Markdown with all results and all that is known of the device: to send in, where
               nobody here has such a device. Exit code 1 if a case failed.""";
    }

    @Override
    public Options options() {
        return new Options()
                .addOption(DeviceOption.option("this device; otherwise the preferred one"))
                .addOption(option("p", PEER, "NAME", "side B is on this device"))
                .addOption(option(null, DRIVER, "NAME", "by this of the drivers that can drive it"))
                .addOption(option("o", ONLY, "REGEX", "only cases in whose names this is found"))
                .addOption(option("r", REPORT, "FILE", "write a report into this file"))
                .addOption(option(null, PATIENCE, "N", "a case may take N times longer: for slow machines"))
                .addOption(option("v", VERBOSE, null, "print every case"));
    }

    private static Option option(@Nullable String letter, String word, @Nullable String argument, String description) {
        return Option.builder(letter)
                .longOpt(word)
                .hasArg(argument != null)
                .argName(argument)
                .desc(description)
                .get();
    }

    @Override
    public int run(CommandLine line, PrintStream out) throws ParseException {
        List<ConformanceCase> cases = cases(line.getOptionValue(ONLY, ""));
        int patience = patience(line.getOptionValue(PATIENCE, "1"));
        Device a = driven(DeviceOption.choose(line), line);
        Device b = line.hasOption(PEER) ? driven(Device.named(line.getOptionValue(PEER)), line) : a;
        Fabric fabric = DeviceFabric.of(a, b, patience);
        ConformanceFacts facts = new ConformanceFacts(a, b);
        Path report = line.hasOption(REPORT) ? startReport(line.getOptionValue(REPORT)) : null;

        out.println(fabric.title() + ": " + cases.size() + " cases");
        a.driverRemark().ifPresent(remark -> out.println("driver " + a.driver().orElse("") + ": " + remark));
        a.drivers().stream()
                .skip(1)
                .forEach(other -> out.println("  --" + DRIVER + " " + other + " runs it by another driver"));
        out.flush();
        SuiteLog log = new SuiteLog(out, line.hasOption(VERBOSE));
        long start = System.nanoTime();
        List<CaseResult> results = new Suite(fabric, SEED).run(cases, log::print);
        Duration took = Duration.ofNanos(System.nanoTime() - start);

        Column column = Column.of(fabric.name(), fabric.title(), results);
        print(new Chapters(results), out);
        if (report != null) {
            write(report, new RunReport(fabric, results, facts.of(line, took), facts.devices()).text());
            out.println("report: " + report);
        }
        log.print(column);
        return column.count(Outcome.FAIL) == 0 ? DoorbellCommand.OK : DoorbellCommand.FAILED;
    }

    private static Device driven(Device device, CommandLine line) {
        return line.hasOption(DRIVER) ? device.withDriver(line.getOptionValue(DRIVER)) : device;
    }

    private static List<ConformanceCase> cases(String only) throws ParseException {
        try {
            Pattern pattern = Pattern.compile(only);
            List<ConformanceCase> cases = AllCases.list().stream()
                    .filter(test -> pattern.matcher(test.name()).find())
                    .toList();
            if (cases.isEmpty()) {
                throw new ParseException("'" + only + "' is found in the name of no case");
            }
            return cases;
        } catch (PatternSyntaxException e) {
            throw new ParseException("'" + only + "' is no regular expression: " + e.getDescription());
        }
    }

    private static int patience(String text) throws ParseException {
        try {
            int patience = Integer.parseInt(text);
            if (patience >= 1 && patience <= MOST_PATIENCE) {
                return patience;
            }
        } catch (NumberFormatException e) {
            // the same answer as for a number that is out of range
        }
        throw new ParseException("--" + PATIENCE + " is 1 to " + MOST_PATIENCE + ", not '" + text + "'");
    }

    /** Minutes of cases would be for nothing if the file could not be written at their end. */
    private static Path startReport(String name) {
        Path file = Path.of(name);
        write(file, "The suite is still running, or was interrupted.\n");
        return file;
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new CommandException("the report cannot be written: " + e, e);
        }
    }

    private static void print(Chapters chapters, PrintStream out) {
        Columns table = new Columns()
                .text("chapter")
                .number("pass")
                .number("difference")
                .number("skip")
                .number("fail");
        for (String chapter : chapters.names()) {
            table.row(
                    chapter,
                    chapters.count(chapter, Outcome.PASS),
                    chapters.count(chapter, Outcome.DIFFERENCE),
                    chapters.count(chapter, Outcome.SKIP),
                    chapters.count(chapter, Outcome.FAIL));
        }
        table.print(out);
    }
}
