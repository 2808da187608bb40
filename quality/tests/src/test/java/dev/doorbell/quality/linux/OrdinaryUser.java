package dev.doorbell.quality.linux;

import dev.doorbell.linux.RdmaLinks;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.ProtectionDomain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A JVM of a user without any right, who may lock 1 MiB of memory, and does what a test asks: a line a request, and an answer
 * that ends with a line of its own. What goes wrong there is told by its message.
 */
final class OrdinaryUser implements AutoCloseable {
    static final int LOCKED = 1 << 20;

    private static final String END = ".";

    private final Process process;
    private final BufferedReader answers;

    OrdinaryUser() throws IOException {
        process = new ProcessBuilder(
                        "setpriv",
                        "--reuid=12345",
                        "--regid=12345",
                        "--clear-groups",
                        "prlimit",
                        "--memlock=" + LOCKED,
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:-TieredCompilation",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Ddoorbell.linux.carrier=" + System.getProperty("doorbell.linux.carrier", ""),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OrdinaryUser.class.getName())
                .redirectErrorStream(true)
                .start();
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** What it answers; words between blanks. */
    String ask(String request) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8)
                .append(request)
                .append('\n')
                .flush();
        List<String> lines = new ArrayList<>();
        String line = answers.readLine();
        while (line != null && !line.equals(END)) {
            lines.add(line);
            line = answers.readLine();
        }
        if (line == null) {
            throw new AssertionError("it ended: " + lines);
        }
        return String.join("\n", lines);
    }

    @Override
    public void close() throws IOException {
        process.outputWriter().close();
        process.destroy();
    }

    /** The other side. */
    public static void main(String[] arguments) throws IOException {
        var requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            try {
                System.out.println(answer(line.split(" ", -1)));
            } catch (RuntimeException e) {
                System.out.println(e.getMessage());
            }
            System.out.println(END);
        }
    }

    private static String answer(String[] words) {
        return switch (words[0]) {
            case "list" ->
                Device.list().stream()
                        .map(device -> device.name() + ": " + device.obstacle().orElse("usable"))
                        .collect(Collectors.joining("\n"));
            case "preferred" -> Device.preferred().name();
            case "open" -> {
                try (Context context = Device.named(words[1]).open()) {
                    yield "opened " + context.commandFile() + ", "
                            + Device.named(words[1]).properties();
                }
            }
            case "register" -> {
                try (Context context = Device.named(words[1]).open();
                        ProtectionDomain domain = context.allocateProtectionDomain();
                        Arena arena = Arena.ofShared();
                        var region = domain.register(
                                arena.allocate(Integer.parseInt(words[2]), 4096), AccessFlag.LOCAL_WRITE)) {
                    yield "registered " + region.length();
                }
            }
            case "add" -> {
                new RdmaLinks().add(words[1], "rxe", words[2]);
                yield "added";
            }
            default -> "unknown request";
        };
    }
}
