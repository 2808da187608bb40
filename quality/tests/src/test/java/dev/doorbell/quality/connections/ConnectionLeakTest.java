package dev.doorbell.quality.connections;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.cm.CmConnection;
import dev.doorbell.cm.ConnectionSettings;
import dev.doorbell.cm.Connector;
import dev.doorbell.cm.Listener;
import dev.doorbell.quality.connections.Hosts.Medium;
import dev.doorbell.quality.leaks.Footprint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections come and go, thousands of them, and leave no object, thread, descriptor or memory behind. */
@Timeout(300)
final class ConnectionLeakTest {
    private static final int PORT = 7177;
    private static final int AT_A_TIME = 100;

    /** Rounds after which a route has sent more than a thousand messages: busy ones get sockets of their own, which stay. */
    private static final int WARM_UP = 12;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Far less than 10,000 of the smallest objects that a connection has: an identifier and its name take 300 bytes. */
    private static final long NOISE = 1 << 20;

    @ParameterizedTest
    @CsvSource({"MEMORY, 10000", "UDP, 2000"})
    void throughTheCommands(Medium medium, int connections) {
        try (Hosts hosts = new Hosts(medium);
                Traffic traffic = new Traffic(hosts)) {
            for (int round = 0; round < WARM_UP; round++) {
                traffic.round(AT_A_TIME);
            }
            awaitOnlyListener(hosts);
            Footprint before = Footprint.now();
            long heap = heap();
            for (int made = 0; made < connections; made += AT_A_TIME) {
                traffic.round(AT_A_TIME);
            }
            awaitOnlyListener(hosts);
            assertThat(Footprint.now()).isEqualTo(before);
            assertThat(heap() - heap).as("bytes more").isLessThan(NOISE);
        }
    }

    /** Who waits for late messages is gone after a while: two files and the listener are left. */
    private static void awaitOnlyListener(Hosts hosts) {
        assertThat(Hosts.eventually(() -> hosts.network().connections().endpoints() == 0))
                .as(() -> hosts.network().connections().toString())
                .isTrue();
        assertThat(hosts.network().connections().identifiers()).isOne();
        assertThat(hosts.network().connections().ports()).isOne();
        assertThat(hosts.network().connections().files()).isEqualTo(2);
    }

    /** Bytes in use, after what is not in use any more was collected. */
    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Test
    void withQueuePairs() throws Exception {
        try (Hosts hosts = new Hosts(Medium.MEMORY)) {
            Footprint before = Footprint.now();
            List<Throwable> failures = hosts.catalog().call(() -> connectAndAccept(hosts, 500));
            assertThat(failures).isEmpty();
            assertThat(Hosts.eventually(hosts::areEmpty))
                    .as("%s, %s", hosts.network().connections(), hosts.network().census())
                    .isTrue();
            assertThat(Hosts.eventually(() -> Footprint.now().descriptors().equals(before.descriptors())))
                    .as(() -> Footprint.now() + " after " + before)
                    .isTrue();
        }
    }

    private static List<Throwable> connectAndAccept(Hosts hosts, int count) {
        List<Throwable> failures = new ArrayList<>();
        try (Connector client = Connector.open();
                Connector server = Connector.open();
                Listener listener = server.listen(hosts.server(PORT))) {
            ConnectionSettings from = ConnectionSettings.defaults().withLocalAddress(hosts.client());
            FutureTask<Integer> accepting = new FutureTask<>(() -> {
                for (int i = 0; i < count; i++) {
                    listener.accept(PATIENCE).close();
                }
                return count;
            });
            Thread.ofVirtual().start(accepting);
            for (int i = 0; i < count; i++) {
                try (CmConnection connection = client.connect(hosts.server(PORT), from, PATIENCE)) {
                    assertThat(connection.awaitDisconnect(PATIENCE)).isTrue();
                }
            }
            assertThat(accepting.get(60, TimeUnit.SECONDS)).isEqualTo(count);
            assertThat(client.channel().size()).isZero();
            assertThat(server.channel().size()).isOne();
        } catch (Exception e) {
            failures.add(e);
        }
        return failures;
    }
}
