package dev.doorbell.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.RejectReason;
import dev.doorbell.verbs.ClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The form that waits, against a kernel of a test's making. */
@Timeout(60)
class ConnectorTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration NOW = Duration.ofMillis(20);

    private final ScriptedKernel kernel = new ScriptedKernel();
    private final Connector connector = kernel.connector();
    private final ScriptedChannel script = kernel.channels.getFirst();

    @AfterEach
    void close() {
        connector.close();
        kernel.close();
    }

    @Test
    void connectsInThreeLines() {
        script.connectsBy(100);
        try (CmConnection connection = connector.connect(ScriptedChannel.THERE, SOON)) {
            assertThat(connection.queuePair().state()).isEqualTo(QueuePairState.RTS);
            assertThat(connection.peerAddress()).isEqualTo(ScriptedChannel.THERE);
            assertThat(connection.isConnected()).isTrue();
        }
        assertThat(connector.channel().size()).isZero();
        connector.close();
        assertThat(kernel.network.census().values()).allMatch(census -> census.isEmpty());
    }

    @Test
    void aSilentPeerEndsAtTheDeadlineAndLeavesNothing() {
        script.connectsBy(100);
        script.reactions.remove(CmCommand.CONNECT);
        assertThatThrownBy(() -> connector.connect(ScriptedChannel.THERE, NOW))
                .isInstanceOfSatisfying(
                        CmException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT))
                .hasMessageContaining("connecting to 127.0.0.2:4000 took longer than 20 ms");
        assertThat(script.log).endsWith("DESTROY_ID");
        assertThat(connector.channel().size()).isZero();
    }

    @Test
    void aClosedPortIsARejection() {
        script.connectsBy(100);
        script.reactions.put(CmCommand.CONNECT, request -> script.raise(CmEventType.REJECTED, 100, 8));
        assertThatThrownBy(() -> connector.connect(ScriptedChannel.THERE, SOON))
                .isInstanceOfSatisfying(
                        RejectedException.class, e -> assertThat(e.reason()).isEqualTo(RejectReason.INVALID_SERVICE_ID))
                .hasMessageContaining("nobody listens at that port");
        assertThat(connector.channel().size()).isZero();
    }

    @Test
    void anUnreachableNetworkIsSaidAtOnce() {
        script.refusals.put(CmCommand.RESOLVE_ADDR, Errno.ENETUNREACH);
        assertThatThrownBy(() -> connector.connect(ScriptedChannel.THERE, SOON))
                .isInstanceOf(CmException.class)
                .hasMessageContaining("ENETUNREACH: there is no route to that address");
        assertThat(script.log).endsWith("DESTROY_ID");
    }

    @Test
    void anInterruptEndsAWait() {
        script.connectsBy(100);
        script.reactions.put(
                CmCommand.CONNECT, request -> Thread.currentThread().interrupt());
        assertThatThrownBy(() -> connector.connect(ScriptedChannel.THERE, SOON))
                .isInstanceOfSatisfying(
                        CmException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINTR));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void manyThreadsWaitEachForItsOwn() throws Exception {
        script.reactions.put(
                CmCommand.RESOLVE_ADDR,
                request -> script.raise(
                        CmEventType.ADDR_RESOLVED, dev.doorbell.kernel.abi.CmResolveAddr.id(request, 0), 0));
        script.reactions.put(
                CmCommand.RESOLVE_ROUTE,
                request -> script.raise(
                        CmEventType.ROUTE_RESOLVED, dev.doorbell.kernel.abi.CmResolveRoute.id(request, 0), 0));
        script.reactions.put(
                CmCommand.CONNECT,
                request -> script.raise(
                        CmEventType.CONNECT_RESPONSE, dev.doorbell.kernel.abi.CmConnect.id(request, 0), 0));
        List<Future<CmConnection>> made = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                made.add(threads.submit(() -> connector.connect(ScriptedChannel.THERE, SOON)));
            }
            for (Future<CmConnection> connection : made) {
                assertThat(connection.get().queuePair().state()).isEqualTo(QueuePairState.RTS);
            }
        }
    }

    @Test
    void aListenerAcceptsAndPassesOverWhoGaveUp() throws Exception {
        try (Listener listener = connector.listen(ScriptedChannel.HERE);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            script.reactions.put(CmCommand.ACCEPT, request -> {
                int id = dev.doorbell.kernel.abi.CmAccept.id(request, 0);
                script.raise(
                        id == 55 ? CmEventType.UNREACHABLE : CmEventType.ESTABLISHED,
                        dev.doorbell.kernel.abi.CmAccept.uid(request, 0),
                        id,
                        id == 55 ? -Errno.ETIMEDOUT : 0,
                        (record, at) -> {});
            });
            Future<CmConnection> accepted = threads.submit(() -> listener.accept(SOON));
            requests(listener, 55, 56);
            assertThat(accepted.get().id().number()).isEqualTo(56);
        }
    }

    private void requests(Listener listener, int... ids) {
        for (int id : ids) {
            script.raise(CmEventType.CONNECT_REQUEST, listener.id().cookie(), id, 0, (record, at) -> {});
        }
    }

    @Test
    void requestsThatNobodyTookAreClosedWithTheListener() {
        Listener listener = connector.listen(ScriptedChannel.HERE);
        requests(listener, 55);
        try (ConnectionRequest request = listener.await(SOON).orElseThrow()) {
            requests(listener, 56);
            assertThat(connector.pump().timer(NOW).isUp()).isFalse();
            connector.pump().drain();
            script.log.clear();
            listener.close();
            assertThat(script.log).containsExactly("DESTROY_ID", "DESTROY_ID");
            request.reject((byte) 5);
            assertThat(script.log).endsWith("REJECT", "DESTROY_ID");
        }
        assertThatThrownBy(() -> listener.accept(SOON)).isInstanceOf(ClosedException.class);
    }

    @Test
    void aDisconnectIsSeenByAllWhoWaitForIt() throws Exception {
        script.connectsBy(100);
        try (CmConnection connection = connector.connect(ScriptedChannel.THERE, SOON);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> waiting = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                waiting.add(threads.submit(() -> connection.awaitDisconnect(Duration.ofDays(1))));
            }
            script.awaitWaiting();
            script.raise(CmEventType.DISCONNECTED, 100, 0);
            for (Future<Boolean> each : waiting) {
                assertThat(each.get()).isTrue();
            }
        }
    }

    @Test
    void whoAskedForTheEndIsToldWhenThePeerAgrees() {
        script.connectsBy(100);
        try (CmConnection connection = connector.connect(ScriptedChannel.THERE, SOON)) {
            assertThat(connection.disconnect(NOW)).isFalse();
            assertThat(connection.disconnect(NOW)).isFalse();
            assertThat(connection.awaitDisconnect(NOW)).isFalse();
            script.raise(CmEventType.DISCONNECTED, 100, 0);
            assertThat(connection.awaitDisconnect(SOON)).isTrue();
            assertThat(connection.disconnect(SOON)).isTrue();
            assertThat(connection.isConnected()).isFalse();
        }
    }

    @Test
    void aDisconnectByThePeerIsSeen() {
        script.connectsBy(100);
        try (CmConnection connection = connector.connect(ScriptedChannel.THERE, SOON)) {
            assertThat(connection.awaitDisconnect(NOW)).isFalse();
            script.raise(CmEventType.DISCONNECTED, 100, 0);
            assertThat(connection.awaitDisconnect(SOON)).isTrue();
            assertThat(connection.isConnected()).isFalse();
            assertThat(connection.queuePair().state()).isEqualTo(QueuePairState.ERROR);
        }
    }
}
