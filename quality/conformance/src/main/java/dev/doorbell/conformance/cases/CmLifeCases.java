package dev.doorbell.conformance.cases;

import dev.doorbell.cm.CmEvent;
import dev.doorbell.cm.CmException;
import dev.doorbell.cm.CmId;
import dev.doorbell.cm.ConnectionParameters;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.cases.CmLine.Ends;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** Identifiers of the connection manager: addresses and ports, the order of calls, and closing in every state. */
final class CmLifeCases {
    private CmLifeCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                cm("cm.bind.free-port", "rdma_bind_addr(3)", CmLifeCases::freePort),
                cm("cm.bind.port-in-use", "rdma_bind_addr(3): EADDRINUSE", CmLifeCases::portInUse),
                cm("cm.bind.unknown-address", "rdma_bind_addr(3): EADDRNOTAVAIL", CmLifeCases::unknownAddress),
                cm("cm.bind.shared-port", "rdma_set_option(3)", CmLifeCases::sharedPort),
                cm("cm.bind.port-spaces", "rdma_create_id(3)", CmLifeCases::portSpaces),
                cm("cm.resolve.unreachable-network", "rdma_resolve_addr(3)", CmLifeCases::unreachable),
                cm("cm.order.refused", "rdma_connect(3) and others: EINVAL", CmLifeCases::wrongOrder),
                cm(
                        "cm.close.idle",
                        "rdma_destroy_id(3)",
                        (bench, line) -> close(bench, line, line.a().create(PortSpace.TCP))),
                cm(
                        "cm.close.bound",
                        "rdma_destroy_id(3)",
                        (bench, line) -> close(bench, line, line.bound(PortSpace.TCP))),
                cm("cm.close.listening", "rdma_destroy_id(3)", CmLifeCases::closeListening),
                cm(
                        "cm.close.resolved",
                        "rdma_destroy_id(3)",
                        (bench, line) -> close(bench, line, line.resolved(PortSpace.TCP, somewhere(bench)))),
                cm(
                        "cm.close.routed",
                        "rdma_destroy_id(3)",
                        (bench, line) -> close(bench, line, line.routed(PortSpace.TCP, somewhere(bench)))),
                cm("cm.close.unread-event", "rdma_destroy_id(3)", CmLifeCases::closeUnread),
                cm("cm.close.connecting", "rdma_destroy_id(3)", CmLifeCases::closeConnecting),
                cm("cm.close.accepting", "rdma_destroy_id(3)", CmLifeCases::closeAccepting),
                cm("cm.close.disconnected", "rdma_destroy_id(3)", CmLifeCases::closeDisconnected),
                cm("cm.close.channel", "rdma_destroy_event_channel(3)", CmLifeCases::closeChannel));
    }

    private static ConformanceCase cm(String name, String origin, CmLine.Talk talk) {
        return CmLine.talk(name, origin, talk);
    }

    private static InetSocketAddress somewhere(Bench bench) {
        return CmLine.address(bench.b(), 1);
    }

    private static void freePort(Bench bench, CmLine line) {
        CmId first = line.bound(PortSpace.TCP);
        CmId second = line.bound(PortSpace.TCP);
        int one = first.localAddress().orElseThrow().getPort();
        int other = second.localAddress().orElseThrow().getPort();
        bench.check().that("there are ports", one > 0 && other > 0);
        bench.check().that("they differ", one != other);
        bench.check().that("the device is known", first.port() == 1);
    }

    private static void portInUse(Bench bench, CmLine line) {
        InetSocketAddress taken = line.bound(PortSpace.TCP).localAddress().orElseThrow();
        CmId late = line.a().create(PortSpace.TCP);
        bench.check().refused("the same port", "EADDRINUSE", () -> late.bind(taken));
        late.bind(CmLine.address(bench.a(), 0));
    }

    private static void unknownAddress(Bench bench, CmLine line) {
        CmId id = line.a().create(PortSpace.TCP);
        bench.check()
                .refused(
                        "an address of nobody here",
                        "EADDRNOTAVAIL",
                        () -> id.bind(new InetSocketAddress("192.0.2.1", 0)));
        id.bind(CmLine.address(bench.a(), 0));
        bench.check().refused("a second time", "EINVAL", () -> id.bind(CmLine.address(bench.a(), 0)));
    }

    private static void sharedPort(Bench bench, CmLine line) {
        CmId first = line.a().create(PortSpace.TCP);
        CmId second = line.a().create(PortSpace.TCP);
        first.reuseAddress(true);
        second.reuseAddress(true);
        first.bind(CmLine.address(bench.a(), 0));
        InetSocketAddress shared = first.localAddress().orElseThrow();
        second.bind(shared);
        bench.check().refused("listening at a shared port", "EADDRINUSE", () -> first.listen(1));
        second.close();
        first.listen(1);
    }

    /** Each port space has ports of its own. */
    private static void portSpaces(Bench bench, CmLine line) {
        InetSocketAddress taken = line.bound(PortSpace.TCP).localAddress().orElseThrow();
        CmId other = line.a().create(PortSpace.UDP);
        other.bind(taken);
        bench.check().equal("address", taken, other.localAddress().orElseThrow());
    }

    private static void unreachable(Bench bench, CmLine line) {
        CmId id = line.a().create(PortSpace.TCP);
        InetSocketAddress nowhere = new InetSocketAddress("198.51.100.1", 1);
        bench.check()
                .refused(
                        "a network without a route", "ENETUNREACH", () -> id.resolveAddress(nowhere, bench.patience()));
        line.quiet(line.a(), Duration.ZERO);
    }

    private static void wrongOrder(Bench bench, CmLine line) {
        CmId id = line.a().create(PortSpace.TCP);
        bench.check().refused("a route without an address", "EINVAL", () -> id.resolveRoute(bench.patience()));
        bench.check().refused("rejecting nobody", "EINVAL", () -> id.reject());
        bench.check().refused("ending nothing", "EINVAL", id::disconnect);
        id.bind(CmLine.address(bench.a(), 0));
        bench.check().refused("a route without a peer", "EINVAL", () -> id.resolveRoute(bench.patience()));
        bench.check().refused("connecting without a peer", "EINVAL", () -> id.connect(ConnectionParameters.defaults()));
        bench.check().refused("accepting nobody", "EINVAL", () -> id.accept(ConnectionParameters.defaults()));
        id.resolveAddress(somewhere(bench), bench.patience());
        line.expect(line.a(), CmEventType.ADDR_RESOLVED);
        bench.check()
                .refused("connecting without a route", "EINVAL", () -> id.connect(ConnectionParameters.defaults()));
        bench.check().refused("listening with a peer", "EINVAL", () -> id.listen(1));
    }

    /** It is gone, and its port is free again. */
    private static void close(Bench bench, CmLine line, CmId id) {
        InetSocketAddress address = id.localAddress().orElse(CmLine.address(bench.a(), 0));
        id.close();
        id.close();
        bench.check().that("it is closed", !id.isOpen());
        bench.check().equal("identifiers", 0, line.a().size());
        CmId next = line.a().create(PortSpace.TCP);
        next.bind(address);
        line.quiet(line.a(), Duration.ZERO);
    }

    private static void closeListening(Bench bench, CmLine line) {
        CmId listener = line.listener(PortSpace.TCP, 1);
        InetSocketAddress address = listener.localAddress().orElseThrow();
        listener.close();
        CmId next = line.b().create(PortSpace.TCP);
        next.bind(address);
        next.listen(1);
        bench.check().equal("identifiers", 1, line.b().size());
    }

    private static void closeUnread(Bench bench, CmLine line) {
        CmId id = line.bound(PortSpace.TCP);
        id.resolveAddress(somewhere(bench), bench.patience());
        close(bench, line, id);
    }

    /** Who asks gives up before there is an answer. */
    private static void closeConnecting(Bench bench, CmLine line) {
        CmId active = line.asking(line.listener(PortSpace.TCP, 1), ConnectionParameters.defaults());
        CmEvent request = line.request();
        close(bench, line, active);
        CmId passive = request.id();
        // The peer's farewell may be on its way yet; then it comes to who has accepted.
        try {
            line.queuePair(passive, bench.b());
            passive.accept(ConnectionParameters.defaults());
            line.expect(line.b(), CmEventType.REJECTED);
        } catch (CmException e) {
            bench.check().equal("accepting who has gone", "EINVAL", e.errnoName());
        }
        passive.close();
        bench.check().equal("identifiers", 1, line.b().size());
    }

    /** Who accepts gives up before the peer has confirmed. */
    private static void closeAccepting(Bench bench, CmLine line) {
        CmId listener = line.listener(PortSpace.TCP, 1);
        CmId active = line.routed(PortSpace.TCP, listener.localAddress().orElseThrow());
        active.connect(ConnectionParameters.defaults().withQueuePair(0x1234, 0));
        CmId passive = line.accept(line.request(), ConnectionParameters.defaults());
        line.expect(line.a(), CmEventType.CONNECT_RESPONSE);
        passive.close();
        line.expect(line.a(), CmEventType.REJECTED);
        close(bench, line, active);
    }

    private static void closeDisconnected(Bench bench, CmLine line) {
        Ends ends = line.connected();
        ends.passive().disconnect();
        line.expect(line.a(), CmEventType.DISCONNECTED);
        close(bench, line, ends.active());
        line.expect(line.b(), CmEventType.DISCONNECTED);
        ends.passive().close();
    }

    /** Closing a channel ends what is in it. */
    private static void closeChannel(Bench bench, CmLine line) {
        Ends ends = line.connected();
        line.a().close();
        line.expect(line.b(), CmEventType.DISCONNECTED);
        bench.check().that("it is closed", !ends.active().isOpen());
    }
}
