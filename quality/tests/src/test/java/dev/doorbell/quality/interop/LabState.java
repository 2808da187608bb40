package dev.doorbell.quality.interop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What the guest's kernel says of itself: who listens, who is in which group, what rxe0 counted. */
final class LabState {
    private static final Path COUNTERS = Path.of("/sys/class/infiniband/rxe0/ports/1/hw_counters");

    private LabState() {}

    /** Whether somebody listens on a port of rdma_cm's. */
    static boolean listensAt(int port) {
        String end = ":" + port + " ";
        return connections().lines().anyMatch(line -> line.contains("state LISTEN") && (line + " ").contains(end));
    }

    /** All identifiers of rdma_cm. */
    static String connections() {
        return run("rdma", "resource", "show", "cm_id");
    }

    /** Whether somebody on lab0 is in a multicast group. */
    static boolean isMember(String group) {
        return run("ip", "maddr", "show", "dev", "lab0").contains(" " + group + "\n");
    }

    /** What rxe0 has counted since it is there. */
    static Map<String, Long> counters() {
        Map<String, Long> counters = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(COUNTERS)) {
            for (Path file : files) {
                String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
                if (text.matches("\\d+")) {
                    counters.put(String.valueOf(file.getFileName()), Long.parseLong(text));
                }
            }
        } catch (IOException e) {
            throw new AssertionError("counters of rxe0", e);
        }
        return counters;
    }

    /** What rxe0 has counted meanwhile. */
    static Map<String, Long> countedSince(Map<String, Long> before) {
        Map<String, Long> counted = new TreeMap<>();
        counters().forEach((name, value) -> {
            long more = value - before.getOrDefault(name, 0L);
            if (more != 0) {
                counted.put(name, more);
            }
        });
        return counted;
    }

    private static String run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new AssertionError(String.join(" ", command), e);
        }
    }
}
