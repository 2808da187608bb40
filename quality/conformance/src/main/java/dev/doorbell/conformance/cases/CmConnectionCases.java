package dev.doorbell.conformance.cases;

import dev.doorbell.cm.CmEvent;
import dev.doorbell.cm.CmId;
import dev.doorbell.cm.ConnectionParameters;
import dev.doorbell.cm.EventChannel;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.cases.CmLine.Ends;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.PortSpace;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.RejectReason;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.QueuePair;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Connections by address: how they are made, refused and ended. */
final class CmConnectionCases {
    private static final Duration A_WHILE = Duration.ofMillis(500);

    private CmConnectionCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                cm("cm.connect.messages", "rdma_connect(3), rdma_accept(3)", CmConnectionCases::messages),
                cm("cm.connect.private-data", "rdma_connect(3), rdma_accept(3)", CmConnectionCases::privateData),
                cm("cm.connect.private-data-limits", "rdma_connect(3): 56 bytes", CmConnectionCases::limits),
                cm("cm.connect.parameters", "rdma_connect(3)", CmConnectionCases::parameters),
                cm("cm.connect.own-queue-pair", "rdma_establish(3)", CmConnectionCases::ownQueuePair),
                cm("cm.reject.by-program", "rdma_reject(3)", CmConnectionCases::rejected),
                cm("cm.reject.by-closing", "rdma_destroy_id(3)", CmConnectionCases::closedRequest),
                cm("cm.reject.nobody-listens", "rdma_connect(3)", CmConnectionCases::nobodyListens),
                cm("cm.reject.listener-closes", "rdma_destroy_id(3)", CmConnectionCases::listenerCloses),
                cm("cm.reject.after-the-answer", "rdma_destroy_id(3)", CmConnectionCases::givesUpAfterTheAnswer),
                cm("cm.listen.full-backlog", "rdma_listen(3)", CmConnectionCases::fullBacklog),
                cm("cm.disconnect.by-connector", "rdma_disconnect(3)", (bench, line) -> disconnect(bench, line, true)),
                cm("cm.disconnect.by-listener", "rdma_disconnect(3)", (bench, line) -> disconnect(bench, line, false)),
                cm("cm.disconnect.both-at-once", "rdma_disconnect(3)", CmConnectionCases::bothAtOnce),
                cm("cm.disconnect.by-closing", "rdma_destroy_id(3)", CmConnectionCases::closed),
                cm("cm.migrate.connection", "rdma_migrate_id(3)", CmConnectionCases::migrateConnection),
                cm("cm.migrate.listener", "rdma_migrate_id(3)", CmConnectionCases::migrateListener),
                cm("cm.migrate.unread-event", "rdma_migrate_id(3)", CmConnectionCases::migrateUnread));
    }

    private static ConformanceCase cm(String name, String origin, CmLine.Talk talk) {
        return CmLine.talk(name, origin, talk);
    }

    private static void messages(Bench bench, CmLine line) {
        Ends ends = line.connected();
        bench.check()
                .equal(
                        "listener's address",
                        ends.active().peerAddress(),
                        ends.passive().localAddress());
        bench.check()
                .equal(
                        "connector's address",
                        ends.active().localAddress(),
                        ends.passive().peerAddress());
        talk(
                bench,
                ends.active().queuePair().orElseThrow(),
                ends.passive().queuePair().orElseThrow());
    }

    /** A message each way. */
    private static void talk(Bench bench, QueuePair active, QueuePair passive) {
        MemoryRegion left = bench.a().register(64);
        MemoryRegion right = bench.b().register(64);
        Bytes.setLong(left.segment(), 0, 7);
        send(bench, active, left, passive, right);
        bench.check().equal("message to the listener", 7, Bytes.longAt(right.segment(), 32));
        Bytes.setLong(right.segment(), 0, 8);
        send(bench, passive, right, active, left);
        bench.check().equal("message to the connector", 8, Bytes.longAt(left.segment(), 32));
    }

    private static void send(Bench bench, QueuePair from, MemoryRegion source, QueuePair to, MemoryRegion sink) {
        to.postReceive(1, sink.slice(32, 32));
        from.postSend(2, source.slice(0, 8));
        int received = to.receiveCompletions()
                .await(
                        1,
                        bench.patience(),
                        done -> bench.check()
                                .equal("bytes", 8, done.requireSuccess().byteLength()));
        bench.check().equal("receive completions", 1, received);
        int sent = from.sendCompletions().await(1, bench.patience(), done -> done.requireSuccess());
        bench.check().equal("send completions", 1, sent);
    }

    private static void privateData(Bench bench, CmLine line) {
        CmId listener = line.listener(PortSpace.TCP, 1);
        line.asking(listener, ConnectionParameters.defaults().withPrivateData((byte) 1, (byte) 2));
        CmEvent request = line.request();
        line.padded("of the request", ConnectionParameters.CONNECT_DATA, new byte[] {1, 2}, request.privateData());
        line.accept(request, ConnectionParameters.defaults().withPrivateData((byte) 3));
        CmEvent established = line.expect(line.a(), CmEventType.ESTABLISHED);
        line.padded("of the answer", ConnectionParameters.ACCEPT_DATA, new byte[] {3}, established.privateData());
        line.expect(line.b(), CmEventType.ESTABLISHED);
    }

    private static void limits(Bench bench, CmLine line) {
        CmId listener = line.listener(PortSpace.TCP, 1);
        CmId active = line.routed(PortSpace.TCP, listener.localAddress().orElseThrow());
        line.queuePair(active, bench.a());
        bench.check().refused("57 bytes", "EINVAL", () -> active.connect(with(57)));
        active.connect(with(56));
        CmEvent request = line.request();
        line.padded("of the request", 56, with(56).privateData(), request.privateData());
        line.queuePair(request.id(), bench.b());
        bench.check().refused("197 bytes", "EINVAL", () -> request.id().accept(with(197)));
        bench.check().refused("149 bytes", "EINVAL", () -> request.id().reject(new byte[149]));
        request.id().accept(with(196));
        CmEvent established = line.expect(line.a(), CmEventType.ESTABLISHED);
        line.padded("of the answer", 196, with(196).privateData(), established.privateData());
    }

    private static ConnectionParameters with(int bytes) {
        byte[] data = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            data[i] = (byte) (i + 1);
        }
        return ConnectionParameters.defaults().withPrivateData(data);
    }

    /** What one side serves is what the other may have outstanding. */
    private static void parameters(Bench bench, CmLine line) {
        CmId listener = line.listener(PortSpace.TCP, 1);
        CmId active = line.asking(
                listener, ConnectionParameters.defaults().withDepths(3, 2).withRetries(5, 4));
        CmEvent request = line.request();
        ConnectionParameters asked = request.parameters().orElseThrow();
        bench.check().equal("to serve", 2, asked.responderResources());
        bench.check().equal("to have outstanding", 3, asked.initiatorDepth());
        bench.check().equal("retries", 5, asked.retryCount());
        bench.check().equal("RNR retries", 4, asked.rnrRetryCount());
        CmId passive = line.accept(
                request, ConnectionParameters.defaults().withDepths(2, 1).withRetries(5, 3));
        ConnectionParameters granted =
                line.expect(line.a(), CmEventType.ESTABLISHED).parameters().orElseThrow();
        bench.check().equal("granted to serve", 1, granted.responderResources());
        bench.check().equal("granted to have outstanding", 2, granted.initiatorDepth());
        line.expect(line.b(), CmEventType.ESTABLISHED);
        var left = active.queuePair().orElseThrow().query();
        var right = passive.queuePair().orElseThrow().query();
        bench.check().equal("state of the connector", QueuePairState.RTS, left.state());
        bench.check().equal("state of the listener", QueuePairState.RTS, right.state());
        bench.check().equal("retries of the connector", 5, left.retryCount());
        bench.check().equal("RNR retries of the connector", 3, left.rnrRetry());
        bench.check().equal("RNR retries of the listener", 4, right.rnrRetry());
        bench.check().equal("PSN to the listener", left.sendPsn(), right.receivePsn());
        bench.check().equal("PSN to the connector", right.sendPsn(), left.receivePsn());
    }

    private static void ownQueuePair(Bench bench, CmLine line) {
        CmId listener = line.listener(PortSpace.TCP, 1);
        CmId active = line.routed(PortSpace.TCP, listener.localAddress().orElseThrow());
        QueuePair own = bench.a()
                .domain()
                .queuePair(bench.a().completionQueue(8))
                .depth(4, 4)
                .build();
        active.connect(ConnectionParameters.defaults().withQueuePair(own.number(), 0));
        CmId passive = line.accept(line.request(), ConnectionParameters.defaults());
        line.expect(line.a(), CmEventType.CONNECT_RESPONSE);
        own.modify(active.queuePairAttributes(QueuePairState.INIT));
        own.modify(active.queuePairAttributes(QueuePairState.RTR));
        own.modify(active.queuePairAttributes(QueuePairState.RTS));
        active.establish();
        line.expect(line.b(), CmEventType.ESTABLISHED);
        talk(bench, own, passive.queuePair().orElseThrow());
    }

    private static void refusedBy(Bench bench, CmLine line, RejectReason reason, byte... data) {
        CmEvent event = line.expect(line.a(), CmEventType.REJECTED);
        bench.check().equal("reason", Optional.of(reason), event.rejectReason());
        line.padded("of the refusal", ConnectionParameters.REJECT_DATA, data, event.privateData());
        bench.check()
                .equal("error", "ECONNREFUSED", event.failure().orElseThrow().errnoName());
    }

    private static void rejected(Bench bench, CmLine line) {
        line.asking(line.listener(PortSpace.TCP, 1), ConnectionParameters.defaults());
        byte[] data = with(148).privateData();
        line.request().id().reject(data);
        refusedBy(bench, line, RejectReason.CONSUMER_DEFINED, data);
    }

    private static void closedRequest(Bench bench, CmLine line) {
        line.asking(line.listener(PortSpace.TCP, 1), ConnectionParameters.defaults());
        line.request().id().close();
        refusedBy(bench, line, RejectReason.CONSUMER_DEFINED);
    }

    private static void nobodyListens(Bench bench, CmLine line) {
        CmId silent = line.b().create(PortSpace.TCP);
        silent.bind(CmLine.address(bench.b(), 0));
        line.asking(silent, ConnectionParameters.defaults());
        refusedBy(bench, line, RejectReason.INVALID_SERVICE_ID);
    }

    private static void listenerCloses(Bench bench, CmLine line) {
        CmId listener = line.listener(PortSpace.TCP, 1);
        line.asking(listener, ConnectionParameters.defaults());
        line.quiet(line.a(), A_WHILE);
        listener.close();
        refusedBy(bench, line, RejectReason.CONSUMER_DEFINED);
        line.quiet(line.b(), Duration.ZERO);
    }

    /** Who connects has the answer and closes instead of confirming. */
    private static void givesUpAfterTheAnswer(Bench bench, CmLine line) {
        CmId listener = line.listener(PortSpace.TCP, 1);
        CmId active = line.routed(PortSpace.TCP, listener.localAddress().orElseThrow());
        active.connect(ConnectionParameters.defaults().withQueuePair(0x1234, 0));
        line.accept(line.request(), ConnectionParameters.defaults());
        line.expect(line.a(), CmEventType.CONNECT_RESPONSE);
        active.close();
        CmEvent event = line.expect(line.b(), CmEventType.REJECTED);
        bench.check().equal("reason", Optional.of(RejectReason.CONSUMER_DEFINED), event.rejectReason());
    }

    /** Requests that find the backlog full are left unanswered. */
    private static void fullBacklog(Bench bench, CmLine line) {
        CmId listener = line.listener(PortSpace.TCP, 1);
        CmId first = line.asking(listener, ConnectionParameters.defaults());
        line.asking(listener, ConnectionParameters.defaults());
        line.quiet(line.a(), A_WHILE);
        CmEvent request = line.request();
        bench.check().equal("who got in", first.localAddress(), request.id().peerAddress());
        line.quiet(line.b(), A_WHILE.dividedBy(5));
    }

    private static void disconnect(Bench bench, CmLine line, boolean byActive) {
        Ends ends = line.connected();
        CmId one = byActive ? ends.active() : ends.passive();
        CmId other = byActive ? ends.passive() : ends.active();
        one.disconnect();
        bench.check()
                .equal(
                        "status",
                        0,
                        line.expect(other.channel(), CmEventType.DISCONNECTED).status());
        other.disconnect();
        bench.check()
                .equal(
                        "status",
                        0,
                        line.expect(one.channel(), CmEventType.DISCONNECTED).status());
        for (CmId end : List.of(one, other)) {
            bench.check()
                    .equal(
                            "state of the queue pair",
                            QueuePairState.ERROR,
                            end.queuePair().orElseThrow().query().state());
            bench.check().that("it is not connected", !end.isConnected());
        }
    }

    private static void bothAtOnce(Bench bench, CmLine line) {
        Ends ends = line.connected();
        ends.active().disconnect();
        ends.passive().disconnect();
        bench.check()
                .equal(
                        "status",
                        0,
                        line.expect(line.a(), CmEventType.DISCONNECTED).status());
        bench.check()
                .equal(
                        "status",
                        0,
                        line.expect(line.b(), CmEventType.DISCONNECTED).status());
    }

    private static void closed(Bench bench, CmLine line) {
        Ends ends = line.connected();
        ends.active().close();
        CmEvent event = line.expect(line.b(), CmEventType.DISCONNECTED);
        bench.check().equal("who", ends.passive(), event.id());
        ends.passive().disconnect();
        line.quiet(line.a(), Duration.ZERO);
    }

    private static void migrateConnection(Bench bench, CmLine line) {
        Ends ends = line.connected();
        try (EventChannel other = line.channel(bench.a())) {
            ends.active().migrate(other);
            bench.check().equal("its channel", other, ends.active().channel());
            ends.passive().disconnect();
            CmEvent event = line.expect(other, CmEventType.DISCONNECTED);
            bench.check().equal("who", ends.active(), event.id());
            line.quiet(line.a(), Duration.ZERO);
            ends.active().disconnect();
            line.expect(line.b(), CmEventType.DISCONNECTED);
        }
    }

    private static void migrateListener(Bench bench, CmLine line) {
        CmId listener = line.listener(PortSpace.TCP, 1);
        try (EventChannel other = line.channel(bench.b())) {
            listener.migrate(other);
            line.asking(listener, ConnectionParameters.defaults());
            CmEvent request = line.expect(other, CmEventType.CONNECT_REQUEST);
            bench.check().equal("its channel", other, request.id().channel());
            line.accept(request, ConnectionParameters.defaults());
            line.expect(line.a(), CmEventType.ESTABLISHED);
            line.expect(other, CmEventType.ESTABLISHED);
            line.quiet(line.b(), Duration.ZERO);
        }
    }

    private static void migrateUnread(Bench bench, CmLine line) {
        CmId id = line.bound(PortSpace.TCP);
        id.resolveAddress(CmLine.address(bench.b(), 1), bench.patience());
        try (EventChannel other = line.channel(bench.a())) {
            id.migrate(other);
            bench.check()
                    .equal(
                            "who",
                            id,
                            line.expect(other, CmEventType.ADDR_RESOLVED).id());
            line.quiet(line.a(), Duration.ZERO);
        }
    }
}
