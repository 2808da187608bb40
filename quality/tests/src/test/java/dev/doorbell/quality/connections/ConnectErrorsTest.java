package dev.doorbell.quality.connections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.doorbell.cm.CmConnection;
import dev.doorbell.cm.CmException;
import dev.doorbell.cm.ConnectionSettings;
import dev.doorbell.cm.Connector;
import dev.doorbell.cm.Listener;
import dev.doorbell.cm.RejectedException;
import dev.doorbell.quality.connections.Hosts.Medium;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.RejectReason;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A connect that cannot succeed ends in the error that says why, within its deadline, and leaves nothing behind. */
@Timeout(180)
final class ConnectErrorsTest {
    private static final int PORT = 7175;
    private static final Duration DEADLINE = Duration.ofSeconds(1);
    private static final Duration PLENTY = Duration.ofSeconds(60);

    /** Much less than {@link #PLENTY}: for who does not wait at all. */
    private static final long AT_ONCE_NS = TimeUnit.SECONDS.toNanos(20);

    private static <E extends CmException> E refused(
            Hosts hosts, Connector connector, InetSocketAddress to, Duration deadline, Class<E> type) {
        ConnectionSettings from = ConnectionSettings.defaults().withLocalAddress(hosts.client());
        long start = System.nanoTime();
        E thrown = catchThrowableOfType(type, () -> connect(connector, to, from, deadline));
        assertThat(thrown).as("connecting to %s", to).isNotNull();
        long limit = deadline.equals(PLENTY) ? 0 : deadline.toNanos();
        assertThat(System.nanoTime() - start).isLessThan(limit + AT_ONCE_NS);
        return thrown;
    }

    private static void connect(
            Connector connector, InetSocketAddress to, ConnectionSettings settings, Duration deadline) {
        try (CmConnection connection = connector.connect(to, settings, deadline)) {
            throw new AssertionError("connected: " + connection);
        }
    }

    private static void play(Medium medium, Scene scene) throws Exception {
        try (Hosts hosts = new Hosts(medium)) {
            hosts.catalog().call(() -> {
                try (Connector connector = Connector.open()) {
                    scene.play(hosts, connector);
                }
                return 0;
            });
            assertThat(Hosts.eventually(hosts::areEmpty))
                    .as("%s, %s", hosts.network().connections(), hosts.network().census())
                    .isTrue();
        }
    }

    @FunctionalInterface
    private interface Scene {
        void play(Hosts hosts, Connector connector);
    }

    @ParameterizedTest
    @EnumSource
    void aClosedPort(Medium medium) throws Exception {
        play(medium, (hosts, connector) -> {
            RejectedException thrown = refused(hosts, connector, hosts.server(PORT), PLENTY, RejectedException.class);
            assertThat(thrown.reason()).isEqualTo(RejectReason.INVALID_SERVICE_ID);
            assertThat(thrown.errnoName()).isEqualTo("ECONNREFUSED");
            assertThat(thrown.event()).isEqualTo(CmEventType.REJECTED);
        });
    }

    @ParameterizedTest
    @EnumSource
    void anUnreachableNetwork(Medium medium) throws Exception {
        play(medium, (hosts, connector) -> {
            InetSocketAddress elsewhere = new InetSocketAddress("192.0.2.1", PORT);
            CmException thrown = refused(hosts, connector, elsewhere, PLENTY, CmException.class);
            assertThat(thrown.errnoName()).isEqualTo("ENETUNREACH");
            assertThat(thrown.event()).as("refused without an event").isNull();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aSilentAddress(Medium medium) throws Exception {
        play(medium, (hosts, connector) -> {
            if (medium == Medium.MEMORY) {
                hosts.network().plug("soft1", false);
            }
            InetSocketAddress silent = medium == Medium.MEMORY ? hosts.server(PORT) : hosts.nobody(PORT);
            CmException thrown = refused(hosts, connector, silent, DEADLINE, CmException.class);
            assertThat(thrown.errnoName()).isEqualTo("ETIMEDOUT");
            assertThat(thrown).hasMessageContaining("connecting to").hasMessageContaining("took longer than 1 s");
        });
    }

    /** As on Linux, nobody says that the backlog is full: a request that finds it so is left unanswered, and comes again. */
    @ParameterizedTest
    @EnumSource
    void aFullBacklog(Medium medium) throws Exception {
        play(medium, (hosts, connector) -> {
            ConnectionSettings one = ConnectionSettings.defaults().withBacklog(1);
            try (Connector server = Connector.open();
                    Listener listener = server.listen(hosts.server(PORT), one)) {
                for (int i = 0; i < 3; i++) {
                    CmException thrown = refused(hosts, connector, hosts.server(PORT), DEADLINE, CmException.class);
                    assertThat(thrown.errnoName()).isEqualTo("ETIMEDOUT");
                    assertThat(thrown).hasMessageContaining("took longer than 1 s");
                }
                assertThat(hosts.network().connections().identifiers())
                        .as("the listener, and the one request for which there was room")
                        .isEqualTo(2);
                // Its peer has given up; who comes now is the first.
                listener.await(PLENTY).orElseThrow().close();
                assertThat(listener.await(Duration.ZERO)).isEmpty();
            }
        });
    }
}
