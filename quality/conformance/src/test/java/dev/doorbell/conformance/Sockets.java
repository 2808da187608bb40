package dev.doorbell.conformance;

import dev.doorbell.verbs.Context;
import java.util.Optional;

/** Whether packets between the devices of a fabric can go through sockets on this machine. */
public final class Sockets {
    private static final String LINK = "link";

    private Sockets() {}

    /** Why they cannot, as config/declared-skips has it; empty if they do. */
    public static Optional<String> obstacle(Fabric fabric) {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            return Optional.of("needs the loopback addresses 127.0.0.0/8 of Linux");
        }
        try (Fabric.Session session = fabric.join();
                Context context = session.a().open()) {
            String link = context.device().properties().getOrDefault(LINK, "no property " + LINK);
            if (link.startsWith("UDP ")) {
                return Optional.empty();
            }
            return Optional.of((link.contains("held") ? "rdma_rxe holds UDP port 4791: " : "no socket: ") + link);
        }
    }
}
