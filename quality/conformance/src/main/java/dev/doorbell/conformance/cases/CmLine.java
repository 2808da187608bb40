package dev.doorbell.conformance.cases;

import dev.doorbell.cm.CmEvent;
import dev.doorbell.cm.CmId;
import dev.doorbell.cm.ConnectionParameters;
import dev.doorbell.cm.EventChannel;
import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Side;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.PortSpace;
import dev.doorbell.verbs.QueuePair;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/** Two programs that connect by address: side B listens, side A connects, each with an event channel of its own. */
final class CmLine implements AutoCloseable {
    /** What a case does with a bench and both programs. */
    @FunctionalInterface
    interface Talk {
        void run(Bench bench, CmLine line);
    }

    private static final int DEPTH = 4;

    private final Bench bench;
    private final EventChannel a;
    private final EventChannel b;

    CmLine(Bench bench) {
        this.bench = bench;
        this.a = channel(bench.a());
        this.b = channel(bench.b());
    }

    /** A case of both programs. */
    static ConformanceCase talk(String name, String origin, Talk talk, Capability... needs) {
        return ConformanceCase.named(name)
                .from(origin)
                .needs(Capability.CONNECTION_MANAGER)
                .needs(needs)
                .runs(bench -> {
                    try (CmLine line = new CmLine(bench)) {
                        talk.run(bench, line);
                    }
                });
    }

    /** Another channel of a side. */
    EventChannel channel(Side side) {
        return bench.onTheirKernel(() -> EventChannel.open(side.context()));
    }

    /** The channel of the side that connects. */
    EventChannel a() {
        return a;
    }

    /** The channel of the side that listens. */
    EventChannel b() {
        return b;
    }

    /** A side's address, an IPv4 address if it has one. */
    static InetSocketAddress address(Side side, int port) {
        InetAddress found = side.context().gids(1).stream()
                .map(GidEntry::gid)
                .filter(gid -> gid.isIpv4Mapped())
                .findFirst()
                .orElseGet(() -> side.context().chooseGid(1).entry().gid())
                .toInetAddress();
        return new InetSocketAddress(found, port);
    }

    /** Side B listens, at a free port. */
    CmId listener(PortSpace space, int backlog) {
        CmId id = b.create(space);
        id.bind(address(bench.b(), 0));
        id.listen(backlog);
        return id;
    }

    /** Side A has an identifier that is bound to its address. */
    CmId bound(PortSpace space) {
        CmId id = a.create(space);
        id.bind(address(bench.a(), 0));
        return id;
    }

    /** Side A has resolved an address. */
    CmId resolved(PortSpace space, InetSocketAddress to) {
        CmId id = bound(space);
        id.resolveAddress(to, bench.patience());
        expect(a, CmEventType.ADDR_RESOLVED);
        return id;
    }

    /** Side A knows the way to an address. */
    CmId routed(PortSpace space, InetSocketAddress to) {
        CmId id = resolved(space, to);
        id.resolveRoute(bench.patience());
        expect(a, CmEventType.ROUTE_RESOLVED);
        return id;
    }

    /** Side A, with a queue pair, asks who listens. */
    CmId asking(CmId listener, ConnectionParameters parameters) {
        CmId id = routed(listener.portSpace(), listener.localAddress().orElseThrow());
        queuePair(id, bench.a());
        id.connect(parameters);
        return id;
    }

    /** The next request at side B. */
    CmEvent request() {
        return expect(b, CmEventType.CONNECT_REQUEST);
    }

    /** Side B, with a queue pair, accepts. */
    CmId accept(CmEvent request, ConnectionParameters parameters) {
        CmId id = request.id();
        queuePair(id, bench.b());
        id.accept(parameters);
        return id;
    }

    /** A queue pair of an identifier's own. */
    QueuePair queuePair(CmId id, Side side) {
        return id.createQueuePair(
                side.domain().queuePair(side.completionQueue(2 * DEPTH)).depth(DEPTH, DEPTH));
    }

    /** Both ends of a connection. */
    record Ends(CmId active, CmId passive) {}

    /** Side A connects to side B. */
    Ends connected() {
        CmId listener = listener(PortSpace.TCP, 1);
        CmId active = asking(listener, ConnectionParameters.defaults());
        CmId passive = accept(request(), ConnectionParameters.defaults());
        expect(a, CmEventType.ESTABLISHED);
        expect(b, CmEventType.ESTABLISHED);
        return new Ends(active, passive);
    }

    /** The next event of a channel is of this type; ends of earlier connections are passed over. */
    CmEvent expect(EventChannel channel, CmEventType type) {
        Optional<CmEvent> event = next(channel, bench.patience());
        bench.check().equal("event", Optional.of(type), event.map(CmEvent::type));
        return event.orElseThrow();
    }

    /** Nothing comes for a while. */
    void quiet(EventChannel channel, Duration time) {
        bench.check().equal("event", Optional.empty(), next(channel, time).map(CmEvent::toString));
    }

    private static Optional<CmEvent> next(EventChannel channel, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (true) {
            Optional<CmEvent> event = channel.await(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            if (event.isEmpty() || event.get().type() != CmEventType.TIMEWAIT_EXIT) {
                return event;
            }
        }
    }

    /** Data of so many bytes, the first of which are the given ones, and the rest zeros. */
    void padded(String what, int size, byte[] start, byte[] actual) {
        bench.check().equal(what + ": bytes", size, actual.length);
        for (int i = 0; i < size; i++) {
            bench.check().equal(what + ": byte " + i, i < start.length ? start[i] : 0, actual[i]);
        }
    }

    @Override
    public void close() {
        try (a) {
            b.close();
        }
    }
}
