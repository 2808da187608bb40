package dev.doorbell.tools;

import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;

/** What a report says about a run besides its results. Asks the devices before the first case, which may harm one. */
final class ConformanceFacts {
    private final Instant start = Instant.now();
    private final List<String> devices = new ArrayList<>();

    ConformanceFacts(Device a, Device b) {
        Stream.of(a, b).distinct().map(ConformanceFacts::describe).forEach(devices::add);
    }

    private static String describe(Device device) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (Context context = device.open();
                PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8)) {
            new DeviceReport(context, out).print(0, true);
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    /** All that is known of each device, as {@code devinfo -v} prints it. */
    List<String> devices() {
        return devices;
    }

    Map<String, String> of(CommandLine line, Duration took) {
        Map<String, String> facts = new LinkedHashMap<>();
        StringBuilder command = new StringBuilder("`doorbell conformance");
        for (Option option : line.getOptions()) {
            command.append(" --").append(option.getLongOpt());
            if (option.hasArg()) {
                command.append(' ').append(option.getValue());
            }
        }
        facts.put("command", command.append('`').toString());
        facts.put("time", start.truncatedTo(ChronoUnit.SECONDS) + ", took " + took.toSeconds() + " s");
        facts.put("Doorbell", DoorbellCommand.VERSION);
        facts.put(
                "system",
                property("os.name") + " " + property("os.version") + ", " + property("os.arch") + ", "
                        + Runtime.getRuntime().availableProcessors() + " processors");
        facts.put("JVM", property("java.vm.name") + " " + property("java.vm.version"));
        return facts;
    }

    private static String property(String name) {
        return System.getProperty(name, "unknown");
    }
}
