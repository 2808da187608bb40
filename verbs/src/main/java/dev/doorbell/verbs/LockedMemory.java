package dev.doorbell.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The limit on locked memory (RLIMIT_MEMLOCK), which registrations and queues of real devices count against. */
final class LockedMemory {
    private static final String ROW = "Max locked memory";

    private LockedMemory() {}

    /** A remedy for ENOMEM that names the limit as it is now. */
    static String remedy() {
        try {
            return remedy(Files.readAllLines(Path.of("/proc/self/limits")));
        } catch (IOException e) {
            return "Ask for less, or raise the limit on locked memory (ulimit -l)";
        }
    }

    static String remedy(List<String> limits) {
        for (String line : limits) {
            if (line.startsWith(ROW)) {
                String soft = line.substring(ROW.length()).strip().split("\\s+", 2)[0];
                return soft.equals("unlimited")
                        ? "Ask for less: the limit on locked memory is not it, this process has none"
                        : "Ask for less, or raise the limit on locked memory, which is " + soft
                                + " bytes for this process (ulimit -l, LimitMEMLOCK= in a systemd unit, memlock in"
                                + " /etc/security/limits.conf)";
            }
        }
        return "Ask for less, or raise the limit on locked memory (ulimit -l)";
    }
}
