package dev.doorbell.quality.leaks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What this process holds that a device can leave behind: threads and descriptors.
 *
 * @param threads platform threads by name, those of the JVM and of its pools left out
 * @param descriptors descriptors by what they are; empty where the system does not show them
 */
public record Footprint(Map<String, Integer> threads, Map<String, Integer> descriptors) {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    /** As of now. */
    public static Footprint now() {
        Map<String, Integer> threads = new TreeMap<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            String name = thread.getName();
            if (name.startsWith("doorbell") || name.equals("waiter") || name.equals("selecting")) {
                threads.merge(name, 1, Integer::sum);
            }
        }
        return new Footprint(threads, openDescriptors());
    }

    private static Map<String, Integer> openDescriptors() {
        Map<String, Integer> descriptors = new TreeMap<>();
        if (!Files.isDirectory(DESCRIPTORS)) {
            return descriptors;
        }
        try (Stream<Path> all = Files.list(DESCRIPTORS)) {
            all.forEach(descriptor -> descriptors.merge(kind(descriptor), 1, Integer::sum));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return descriptors;
    }

    /** Pipes and sockets have a number of their own behind the colon; files are named. */
    private static String kind(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            int colon = target.indexOf(':');
            return colon > 0 ? target.substring(0, colon) : "file";
        } catch (IOException e) {
            // The one that the listing itself had open.
            return "file";
        }
    }
}
