package dev.doorbell.linux;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Which processes have a file open, as /proc tells: those of this user, or all of them for root. A device is kept by
 * whoever has its node open, also before a context is begun.
 *
 * @param proc where /proc is
 */
record OpenFiles(Path proc) {
    static final OpenFiles LOCAL = new OpenFiles(Path.of("/proc"));

    /** The numbers of the processes, ascending. */
    List<Integer> holders(Path file) {
        List<Integer> processes = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path entry : entries) {
                if (holds(entry.resolve("fd"), file)) {
                    processes.add(Integer.parseInt(String.valueOf(entry.getFileName())));
                }
            }
        } catch (IOException | DirectoryIteratorException | NumberFormatException e) {
            return List.of();
        }
        processes.sort(null);
        return processes;
    }

    private static boolean holds(Path descriptors, Path file) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(descriptors)) {
            for (Path entry : entries) {
                if (isLinkTo(entry, file)) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // Another user's process, or one that has ended meanwhile.
            return false;
        }
        return false;
    }

    private static boolean isLinkTo(Path link, Path file) {
        try {
            return Files.readSymbolicLink(link).equals(file);
        } catch (IOException e) {
            return false;
        }
    }
}
