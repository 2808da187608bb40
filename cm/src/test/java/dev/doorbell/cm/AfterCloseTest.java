package dev.doorbell.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.PortSpace;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.verbs.ClosedException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is closed says so, whatever is asked of it; what it knew by then can still be read. */
@Timeout(60)
final class AfterCloseTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final InetSocketAddress GROUP = new InetSocketAddress(InetAddress.ofLiteral("239.1.2.3"), 0);

    private final ScriptedKernel kernel = new ScriptedKernel();
    private final Connector connector = kernel.connector();
    private final ScriptedChannel script = kernel.channels.getFirst();
    private final Map<String, ThrowingCallable> calls = new LinkedHashMap<>();

    @AfterEach
    void close() {
        connector.close();
        kernel.close();
    }

    private void refuseAll() {
        calls.forEach((name, call) -> assertThatThrownBy(call).as(name).isInstanceOf(ClosedException.class));
    }

    @Test
    void anIdentifier() {
        script.connectsBy(100);
        CmConnection connection = connector.connect(ScriptedChannel.THERE, SOON);
        CmId id = connection.id();
        id.close();
        calls.put("bind", () -> id.bind(ScriptedChannel.HERE));
        calls.put("listen", () -> id.listen(1));
        calls.put("resolveAddress", () -> id.resolveAddress(ScriptedChannel.THERE, SOON));
        calls.put("resolveRoute", () -> id.resolveRoute(SOON));
        calls.put("routes", id::routes);
        calls.put("connect", () -> id.connect(ConnectionParameters.defaults()));
        calls.put("accept", () -> id.accept(ConnectionParameters.defaults()));
        calls.put("reject", () -> id.reject());
        calls.put("rejectVendorOptions", () -> id.rejectVendorOptions());
        calls.put("releaseQueuePair", id::releaseQueuePair);
        calls.put("establish", id::establish);
        calls.put("notify", () -> id.notify(AsyncEventType.COMM_EST));
        calls.put("disconnect", id::disconnect);
        calls.put("queuePairAttributes", () -> id.queuePairAttributes(QueuePairState.RTR));
        calls.put("joinMulticast", () -> id.joinMulticast(GROUP, false));
        calls.put("typeOfService", () -> id.typeOfService(1));
        calls.put("ackTimeout", () -> id.ackTimeout(1));
        calls.put("reuseAddress", () -> id.reuseAddress(true));
        calls.put("ipv6Only", () -> id.ipv6Only(true));
        calls.put("migrate", () -> id.migrate(connector.channel()));
        calls.put(
                "createQueuePair",
                () -> id.createQueuePair(connection.protectionDomain().queuePair(connection.completions())));
        refuseAll();
        assertThat(id.isOpen()).isFalse();
        assertThat(id.isConnected()).isFalse();
        assertThat(id.peerAddress()).contains(ScriptedChannel.THERE);
        assertThat(id.toString()).startsWith("CM id 100");
        assertThat(id.attach("last words")).isNull();
        assertThat(id.attachment()).isEqualTo("last words");
    }

    @Test
    void aConnection() {
        script.connectsBy(100);
        CmConnection connection = connector.connect(ScriptedChannel.THERE, SOON);
        connection.close();
        connection.close();
        calls.put("disconnect", () -> connection.disconnect(SOON));
        calls.put("post", () -> connection.queuePair().batch());
        refuseAll();
        assertThat(connection.isConnected()).isFalse();
        assertThat(connection.awaitDisconnect(SOON)).isTrue();
        assertThat(connection.peerAddress()).isEqualTo(ScriptedChannel.THERE);
        assertThat(connection.privateData()).isNotNull();
    }

    @Test
    void aListenerAndARequest() {
        Listener listener = connector.listen(ScriptedChannel.HERE);
        script.raise(CmEventType.CONNECT_REQUEST, listener.id().cookie(), 55, 0, (record, at) -> {});
        ConnectionRequest request = listener.await(SOON).orElseThrow();
        request.close();
        request.close();
        listener.close();
        listener.close();
        calls.put("listener accept", () -> listener.accept(SOON));
        calls.put("listener await", () -> listener.await(SOON));
        calls.put("request accept", () -> request.accept(ConnectionParameters.defaults(), SOON));
        calls.put("request reject", () -> request.reject());
        refuseAll();
        assertThat(listener.localAddress()).isEqualTo(ScriptedChannel.HERE);
    }

    @Test
    void aChannelAndAConnector() {
        EventChannel channel = connector.channel();
        CmId id = channel.create(PortSpace.UDP);
        MulticastMembership membership = id.joinMulticast(GROUP, false);
        connector.close();
        connector.close();
        calls.put("connect", () -> connector.connect(ScriptedChannel.THERE, SOON));
        calls.put("listen", () -> connector.listen(ScriptedChannel.HERE));
        calls.put("create", () -> channel.create(PortSpace.TCP));
        calls.put("poll", channel::poll);
        calls.put("await", () -> channel.await(SOON));
        calls.put("onReadable", () -> channel.onReadable(() -> {}));
        calls.put("bind", () -> id.bind(ScriptedChannel.HERE));
        refuseAll();
        membership.close();
        channel.close();
        id.close();
        assertThat(channel.size()).isZero();
        assertThat(channel.isOpen()).isFalse();
    }
}
