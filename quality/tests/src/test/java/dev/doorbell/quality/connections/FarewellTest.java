package dev.doorbell.quality.connections;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.cm.CmConnection;
import dev.doorbell.cm.ConnectionSettings;
import dev.doorbell.cm.Connector;
import dev.doorbell.cm.Listener;
import dev.doorbell.quality.connections.Hosts.Medium;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program that connects, closes everything and leaves its device: its kernel still says goodbye, and hears it. */
@Timeout(60)
final class FarewellTest {
    private static final int PORT = 7178;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Late messages are waited for during half a second; a farewell that nobody answers is repeated for more than a minute. */
    private static final long SOON_NS = 15_000_000_000L;

    @Test
    void theLastToLeaveIsAnswered() throws Exception {
        try (Hosts hosts = new Hosts(Medium.UDP);
                Connector server = hosts.catalog().call(() -> Connector.open());
                Listener listener = hosts.catalog().call(() -> server.listen(hosts.server(PORT)))) {
            FutureTask<CmConnection> accepting = new FutureTask<>(() -> listener.accept(PATIENCE));
            Thread.startVirtualThread(accepting);
            hosts.catalog().call(() -> {
                try (Connector client = Connector.open()) {
                    client.connect(
                            hosts.server(PORT),
                            ConnectionSettings.defaults().withLocalAddress(hosts.client()),
                            PATIENCE);
                    return accepting.get();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            try (CmConnection accepted = accepting.get()) {
                assertThat(accepted.awaitDisconnect(PATIENCE)).isTrue();
            }
            long end = System.nanoTime() + SOON_NS;
            while (hosts.network().connections().endpoints() > 0 && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            assertThat(hosts.network().connections().endpoints())
                    .as("%s", hosts.network().connections())
                    .isZero();
            assertThat(hosts.network().device("soft0").properties().toString())
                    .as("left at last")
                    .contains("bound when the device is opened");
        }
    }
}
