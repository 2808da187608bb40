package dev.doorbell.quality.connections;

import dev.doorbell.kernel.Kernel;
import dev.doorbell.tools.cm.Rping;
import dev.doorbell.tools.cm.RpingSettings;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Plays rping with the devices of one kernel. */
final class Rpings {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final DeviceCatalog catalog;

    Rpings(Kernel kernel) {
        catalog = DeviceCatalog.of(List.of(kernel), DeviceCatalog.installed().providers());
    }

    static RpingSettings server(String address, int port) {
        return settings(true, address, port, null, 0);
    }

    static RpingSettings client(String address, int port, @Nullable String source, long count) {
        return settings(false, address, port, source, count);
    }

    private static RpingSettings settings(
            boolean server, String address, int port, @Nullable String source, long count) {
        return new RpingSettings(
                server,
                new InetSocketAddress(address, port),
                source == null ? null : new InetSocketAddress(source, 0),
                1000,
                count,
                false,
                true,
                false,
                false,
                null,
                PATIENCE,
                PATIENCE);
    }

    /** Starts one side in a thread; its result is what it printed. */
    FutureTask<String> start(RpingSettings settings) {
        FutureTask<String> task = new FutureTask<>(() -> play(settings));
        Thread.ofPlatform()
                .daemon()
                .name(settings.server() ? "server" : "client")
                .start(task);
        return task;
    }

    /** Plays one side here. */
    String play(RpingSettings settings) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        catalog.call(() -> {
            Rping.play(settings, out);
            return 0;
        });
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
