package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.CaseBody;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.Endpoint;
import dev.doorbell.verbs.Grh;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.SendBatch;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Datagrams that do not arrive: dropped without a word to the sender, or refused before they are posted. */
final class UdErrors {
    private UdErrors() {}

    static List<ConformanceCase> cases() {
        return List.of(
                ud("ud.send.wrong-qkey", "rule 3.13", UdErrors::wrongQkey),
                ud("ud.send.without-receive", "rule 3.13", UdErrors::withoutReceive),
                ud("ud.send.unknown-queue-pair", "rule 3.13", UdErrors::unknownQueuePair),
                ud("ud.send.lkey-unknown", "ibv_post_send(3)", UdErrors::localKey),
                ud("ud.send.flush", "ibv_modify_qp(3): the error state flushes", UdErrors::flush),
                ud(
                        "ud.send.longer-than-mtu-refused",
                        "rule 3.13; the API refuses what would vanish",
                        UdErrors::tooLong),
                ud("ud.send.without-address-refused", "ibv_post_send(3)", UdErrors::withoutAddress),
                ud(
                        "ud.write.refused",
                        "ibv_post_send(3): EINVAL",
                        bench -> refused(
                                bench, (pair, batch) -> batch.write(1, pair.b().remote(), 0))),
                ud(
                        "ud.read.refused",
                        "ibv_post_send(3): EINVAL",
                        bench -> refused(
                                bench, (pair, batch) -> batch.read(1, pair.b().remote(), 0))),
                ud(
                        "ud.atomic.fetch-add.refused",
                        "ibv_post_send(3): EINVAL",
                        bench -> refused(
                                bench,
                                (pair, batch) -> batch.fetchAndAdd(1, pair.b().remote(), 0, 1))),
                ud("ud.connect-refused", "ibv_modify_qp(3)", UdErrors::connect));
    }

    private static ConformanceCase ud(String name, String origin, CaseBody body) {
        return ConformanceCase.named(name).from(origin).needs(Capability.UD).runs(body);
    }

    /** A datagram that arrives: what was sent before has been dealt with by then, and the receive was not used. */
    private static void arrives(Bench bench, Pair pair, AddressHandle handle) {
        Endpoint peer = pair.b().queuePair().endpoint();
        Bytes.setLong(pair.a().memory(), 8, 5);
        pair.a()
                .post(batch -> batch.send(9)
                        .to(handle, peer)
                        .sge(pair.a().region(), 8, 8)
                        .signaled());
        pair.a().sent(9);
        pair.b().received(20);
        bench.check().equal("payload", 5, Bytes.longAt(pair.b().memory(), Grh.BYTES));
        pair.b().nothingReceived();
        bench.check()
                .equal(
                        "the sender's state",
                        QueuePairState.RTS,
                        pair.a().queuePair().query().state());
        bench.check()
                .equal(
                        "the receiver's state",
                        QueuePairState.RTS,
                        pair.b().queuePair().query().state());
    }

    private static void wrongQkey(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD).build();
        AddressHandle handle = UdMessages.handle(pair.a(), pair.b());
        Endpoint peer = pair.b().queuePair().endpoint();
        pair.b().receive(20, 0, 200);
        Bytes.setLong(pair.a().memory(), 0, -1);
        pair.a()
                .post(batch -> batch.send(1)
                        .to(handle, peer.queuePairNumber(), peer.qkey() ^ 1)
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        pair.a().sent(1);
        arrives(bench, pair, handle);
    }

    private static void withoutReceive(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD).build();
        AddressHandle handle = UdMessages.handle(pair.a(), pair.b());
        Endpoint peer = pair.b().queuePair().endpoint();
        Pair other = bench.pair(QueuePairType.UD).build();
        Endpoint beside = other.b().queuePair().endpoint();
        pair.a()
                .post(batch -> batch.send(1)
                        .to(handle, peer)
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        pair.a().sent(1);
        // One to another queue pair of the same device, behind it on the same way.
        other.b().receive(30, 0, 200);
        pair.a()
                .post(batch -> batch.send(2)
                        .to(handle, beside)
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        pair.a().sent(2);
        other.b().received(30);
        pair.b().receive(20, 0, 200);
        arrives(bench, pair, handle);
    }

    private static void unknownQueuePair(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD).build();
        AddressHandle handle = UdMessages.handle(pair.a(), pair.b());
        Pair gone = bench.pair(QueuePairType.UD).build();
        Endpoint nobody = gone.b().queuePair().endpoint();
        gone.b().queuePair().close();
        pair.b().receive(20, 0, 200);
        pair.a()
                .post(batch -> batch.send(1)
                        .to(handle, nobody)
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        pair.a().sent(1);
        arrives(bench, pair, handle);
    }

    private static void localKey(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD).build();
        AddressHandle handle = UdMessages.handle(pair.a(), pair.b());
        Endpoint peer = pair.b().queuePair().endpoint();
        pair.b().receive(20, 0, 200);
        pair.a()
                .post(batch -> batch.send(1)
                        .to(handle, peer)
                        .sge(pair.a().region().address(), 8, pair.a().region().lkey() ^ 0x40)
                        .signaled());
        pair.a().sent(1, WorkCompletionStatus.LOC_PROT_ERR, RcErrors.ofLocalKeys());
        UcErrors.sendQueueStops(bench, pair);
        bench.check()
                .equal(
                        "the receiver's state",
                        QueuePairState.RTS,
                        pair.b().queuePair().query().state());
        pair.b().nothingReceived();
    }

    private static void flush(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD).build();
        pair.b().receive(20, 0, 200);
        pair.b().receive(21, 0, 200);
        pair.b()
                .queuePair()
                .modify(QueuePairAttributes.builder()
                        .state(QueuePairState.ERROR)
                        .build());
        pair.b().received(20, WorkCompletionStatus.WR_FLUSH_ERR);
        pair.b().received(21, WorkCompletionStatus.WR_FLUSH_ERR);
        AddressHandle handle = UdMessages.handle(pair.b(), pair.a());
        Endpoint peer = pair.a().queuePair().endpoint();
        pair.b().post(batch -> batch.send(3).to(handle, peer).sge(pair.b().region(), 0, 8));
        pair.b().sent(3, WorkCompletionStatus.WR_FLUSH_ERR);
    }

    private static void tooLong(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD).build();
        AddressHandle handle = UdMessages.handle(pair.a(), pair.b());
        Endpoint peer = pair.b().queuePair().endpoint();
        refusedAtPost(
                bench,
                pair,
                batch -> batch.send(1).to(handle, peer).sge(pair.a().region(), 0, handle.maxBytes() + 1L));
    }

    private static void withoutAddress(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD).build();
        refusedAtPost(bench, pair, batch -> batch.send(1).sge(pair.a().region(), 0, 8));
    }

    private static void refused(Bench bench, BiConsumer<Pair, SendBatch> open) {
        Pair pair = bench.pair(QueuePairType.UD).build();
        refusedAtPost(bench, pair, batch -> open.accept(pair, batch));
    }

    private static void refusedAtPost(Bench bench, Pair pair, Consumer<SendBatch> open) {
        bench.check().refused("the work request", "EINVAL", () -> pair.a().post(open));
        bench.check().equal("slots", 16, pair.a().queuePair().sendSlots());
    }

    private static void connect(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD).unconnected().build();
        bench.check()
                .refused(
                        "a connection",
                        "EINVAL",
                        () -> pair.a().queuePair().connect(pair.b().queuePair().endpoint()));
        pair.a().queuePair().activate();
        bench.check()
                .refused(
                        "activating twice", "EINVAL", () -> pair.a().queuePair().activate());
    }
}
