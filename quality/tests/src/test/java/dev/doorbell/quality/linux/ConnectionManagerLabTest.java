package dev.doorbell.quality.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.cm.CmConnection;
import dev.doorbell.cm.CmException;
import dev.doorbell.cm.ConnectionParameters;
import dev.doorbell.cm.ConnectionRequest;
import dev.doorbell.cm.ConnectionSettings;
import dev.doorbell.cm.Connector;
import dev.doorbell.cm.Listener;
import dev.doorbell.cm.RejectedException;
import dev.doorbell.spec.RejectReason;
import dev.doorbell.verbs.Device;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The connection manager on rxe0. What the C programs of rdmacm-utils have to do with it: {@code dev.doorbell.quality.interop}. */
@Tag("lab")
@Timeout(300)
final class ConnectionManagerLabTest {
    private static final String HERE = "10.77.0.1";
    private static final Duration SOON = Duration.ofSeconds(60);

    private static int port = 20_000;

    @Test
    void aClosedPortRejects() {
        try (Connector connector = Connector.open(Device.named("rxe0"))) {
            assertThatThrownBy(() -> connector.connect(new InetSocketAddress(HERE, 19_999), SOON))
                    .isInstanceOfSatisfying(
                            RejectedException.class,
                            e -> assertThat(e.reason()).isEqualTo(RejectReason.INVALID_SERVICE_ID));
            assertThat(connector.channel().size()).isZero();
        }
    }

    @Test
    void aSilentAddressEndsInTime() {
        try (Connector connector = Connector.open(Device.named("rxe0"))) {
            long start = System.nanoTime();
            assertThatThrownBy(() -> connector.connect(new InetSocketAddress("10.77.0.99", 1), Duration.ofSeconds(5)))
                    .isInstanceOfSatisfying(
                            CmException.class, e -> assertThat(e.errnoName()).isIn("ETIMEDOUT", "EHOSTUNREACH"));
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
        }
    }

    @Test
    void anUnreachableNetworkIsSaid() {
        try (Connector connector = Connector.open(Device.named("rxe0"))) {
            assertThatThrownBy(() -> connector.connect(new InetSocketAddress("198.51.100.1", 1), SOON))
                    .isInstanceOfSatisfying(
                            CmException.class, e -> assertThat(e.errnoName()).isIn("ENETUNREACH", "EHOSTUNREACH"));
        }
    }

    @Test
    void privateDataGoBothWaysAndARefusalSaysWhy() throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral(HERE), ++port);
        try (Connector connector = Connector.open(Device.named("rxe0"));
                Listener listener = connector.listen(address)) {
            ConnectionSettings settings = ConnectionSettings.defaults()
                    .withParameters(ConnectionParameters.defaults().withPrivateData(new byte[] {1, 2, 3}));
            FutureTask<CmConnection> client = new FutureTask<>(() -> connector.connect(address, settings, SOON));
            Thread.ofVirtual().start(client);
            ConnectionRequest request = listener.await(SOON).orElseThrow();
            assertThat(request.privateData()).hasSize(56).startsWith(1, 2, 3, 0);
            CmConnection server =
                    request.accept(ConnectionParameters.defaults().withPrivateData(new byte[] {4, 5}), SOON);
            assertThat(client.get().privateData()).hasSize(196).startsWith(4, 5, 0);
            client.get().close();
            assertThat(server.awaitDisconnect(SOON)).isTrue();
            server.close();

            FutureTask<CmConnection> refused = new FutureTask<>(() -> connector.connect(address, SOON));
            Thread.ofVirtual().start(refused);
            listener.await(SOON).orElseThrow().reject((byte) 9);
            assertThatThrownBy(refused::get).cause().isInstanceOfSatisfying(RejectedException.class, e -> {
                assertThat(e.reason()).isEqualTo(RejectReason.CONSUMER_DEFINED);
                assertThat(e.privateData()).startsWith(9);
            });
            assertThat(connector.channel().size()).isEqualTo(1);
        }
    }
}
