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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The connection manager on rxe0, beside the C programs of rdmacm-utils, either of them as the server. */
@Tag("lab")
@Timeout(300)
final class ConnectionManagerLabTest {
    private static final String HERE = "10.77.0.1";
    private static final Duration SOON = Duration.ofSeconds(60);

    private static int port = 20_000;

    @ParameterizedTest
    @CsvSource({
        "rping, -s -a 10.77.0.1 -v, -c -a 10.77.0.1 -C 10 -v",
        "rping, -s -a 10.77.0.1 -S 65535 -V, -c -a 10.77.0.1 -C 3 -S 65000 -V",
        "rping, -s -a fd77::1, -c -a fd77::1 -C 5 -V",
        "ucmatose, -b 10.77.0.1 -c 10 -C 5, -s 10.77.0.1 -c 10 -C 5",
    })
    void theCProgramIsTheServer(String program, String server, String client) throws Exception {
        String at = " -p " + ++port;
        CmEnd theirs = CmEnd.theirs(program, server + at).awaitListening(port);
        CmEnd ours = CmEnd.ours(program, client + at + " --ib-dev rxe0 --timeout 60");
        assertThat(ours.await()).containsAnyOf("client did", "test complete", "data transfers complete");
        theirs.await();
    }

    @ParameterizedTest
    @CsvSource({
        "rping, -s -a 10.77.0.1 -v, -c -a 10.77.0.1 -C 10 -v",
        "rping, -s -a 10.77.0.1, -c -a 10.77.0.1 -C 3 -S 65000 -V",
        "rping, -s -a fd77::1, -c -a fd77::1 -C 5 -V",
        "ucmatose, -b 10.77.0.1 -c 10 -C 5, -s 10.77.0.1 -c 10 -C 5",
    })
    void theCProgramIsTheClient(String program, String server, String client) throws Exception {
        String at = " -p " + ++port;
        CmEnd ours =
                CmEnd.ours(program, server + at + " --ib-dev rxe0 --timeout 60").awaitListening();
        CmEnd theirs = CmEnd.theirs(program, client + at);
        assertThat(ours.await()).containsAnyOf("DISCONNECT EVENT", "disconnected", "data transfers complete");
        theirs.await();
    }

    @ParameterizedTest
    @CsvSource({
        "rping, -s -a 10.77.0.1 -v, -c -a 10.77.0.1 -C 10 -v",
    })
    void bothEndsAreOurs(String program, String server, String client) throws Exception {
        String at = " -p " + ++port + " --ib-dev rxe0 --timeout 60";
        CmEnd passive = CmEnd.ours(program, server + at).awaitListening();
        CmEnd.ours(program, client + at).await();
        passive.await();
    }

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
