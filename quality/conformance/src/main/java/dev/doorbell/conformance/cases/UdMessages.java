package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.CaseBody;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Allowance;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.End;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionFlag;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.CompletionCursor;
import dev.doorbell.verbs.Endpoint;
import dev.doorbell.verbs.Grh;
import dev.doorbell.verbs.QueuePairAttributes;
import java.util.ArrayList;
import java.util.List;

/** Datagrams that arrive: their bytes, the header before them, who sent them, and the way back. */
final class UdMessages {
    private static final int[] SIZES = {0, 1, 255, 256, 257, 1023, 1024, 1025, 2048, 4096};

    private static final Allowance UNSUMMED =
            Allowance.rxe(false, "rxe leaves the checksum out of the header of what stays on the machine");

    private UdMessages() {}

    static List<ConformanceCase> cases() {
        List<ConformanceCase> cases = new ArrayList<>();
        for (int size : SIZES) {
            cases.add(ud("ud.send.size-" + size, "test_qpex.ud_send; rule 3.13", bench -> size(bench, size, false)));
            cases.add(ud(
                    "ud.send.imm.size-" + size, "test_qpex.ud_send_imm; rule 3.13", bench -> size(bench, size, true)));
        }
        cases.add(ud("ud.send.hundred", "test_cqex.ud_traffic_cq_ex", UdMessages::hundred));
        cases.add(ud("ud.send.inline", "ibv_post_send(3): IBV_SEND_INLINE", UdMessages::inline));
        cases.add(
                ud("ud.send.scattered-header", "ibv_post_recv(3): elements inside the header", UdMessages::scattered));
        cases.add(ud("ud.send.to-itself", "rule 3.13", UdMessages::toItself));
        cases.add(ud("ud.send.unsignaled-batch", "ibv_post_send(3)", UdMessages::unsignaled));
        cases.add(ud("ud.reply", "ibv_init_ah_from_wc(3), ibv_create_ah_from_wc(3)", UdMessages::reply));
        cases.add(ud(
                "ud.attributes",
                "test_qp.create_ud_qp_no_attr, query_ud_qp, modify_ud_qp; ibv_modify_qp(3)",
                UdMessages::attributes));
        return cases;
    }

    private static ConformanceCase ud(String name, String origin, CaseBody body) {
        return ConformanceCase.named(name).from(origin).needs(Capability.UD).runs(body);
    }

    static AddressHandle handle(End from, End to) {
        return from.side().domain().createAddressHandle(to.queuePair().endpoint());
    }

    /** Sends bytes from the start of the one region to a receive at the start of the other, and returns its completion. */
    static Completion deliver(End from, End to, AddressHandle handle, long id, int bytes) {
        Endpoint peer = to.queuePair().endpoint();
        to.receive(id + 1000, 0, bytes + (long) Grh.BYTES);
        from.post(batch ->
                batch.send(id).to(handle, peer).sge(from.region(), 0, bytes).signaled());
        from.sent(id);
        return to.received(id + 1000);
    }

    private static void size(Bench bench, int size, boolean immediate) {
        Pair pair = bench.pair(QueuePairType.UD).build();
        AddressHandle handle = handle(pair.a(), pair.b());
        int bytes = Math.min(size, handle.maxBytes());
        pair.a().memory().copyFrom(bench.drawnBytes(1 << 16));
        Endpoint peer = pair.b().queuePair().endpoint();
        pair.b().receive(20, 0, bytes + (long) Grh.BYTES);
        pair.a()
                .post(batch -> (immediate ? batch.sendWithImmediate(1, 0x0102_0304) : batch.send(1))
                        .to(handle, peer)
                        .sge(pair.a().region(), 3, bytes)
                        .signaled());
        Completion sent = pair.a().sent(1);
        Completion received = pair.b().received(20);
        bench.check().equal("send opcode", WorkCompletionOpcode.SEND, sent.opcode());
        bench.check().equal("receive opcode", WorkCompletionOpcode.RECV, received.opcode());
        bench.check().equal("bytes with the header", bytes + Grh.BYTES, received.byteLength());
        bench.check().equal("immediate data", immediate ? 0x0102_0304 : 0, received.immediate());
        bench.check().that("flagged as having a header", WorkCompletionFlag.GRH.isIn(received.flags()));
        bench.check()
                .bytes(
                        "payload",
                        pair.a().memory().asSlice(3, bytes),
                        pair.b().memory().asSlice(Grh.BYTES, bytes));
        bench.check().equal("the byte behind it", 0, Bytes.at(pair.b().memory(), Grh.BYTES + (long) bytes));
        header(bench, pair);
    }

    private static void header(Bench bench, Pair pair) {
        Grh header = Grh.read(pair.b().memory(), 0);
        bench.check().equal("source", pair.a().queuePair().endpoint().gid(), header.source());
        bench.check().equal("destination", pair.b().queuePair().endpoint().gid(), header.destination());
        bench.check().equal("version", header.source().isIpv4Mapped() ? 4 : 6, header.version());
        bench.check().atLeast("hop limit", 1, header.hopLimit());
        if (header.version() == 4) {
            bench.check().answer("the header's checksum is right", true, isSumRight(pair), UNSUMMED);
        }
    }

    /** The sixteen-bit words of a right IPv4 header, its checksum included, add up to all ones, carries added in. */
    private static boolean isSumRight(Pair pair) {
        int sum = 0;
        for (int at = 20; at < Grh.BYTES; at++) {
            int value = Byte.toUnsignedInt(Bytes.at(pair.b().memory(), at));
            sum += at % 2 == 0 ? value << Byte.SIZE : value;
        }
        return (sum & 0xffff) + (sum >>> Short.SIZE) == 0xffff;
    }

    private static void hundred(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD).build();
        AddressHandle handle = handle(pair.a(), pair.b());
        for (int i = 0; i < 100; i++) {
            Bytes.setLong(pair.a().memory(), 0, i);
            deliver(pair.a(), pair.b(), handle, i, 100);
            bench.check().equal("payload", i, Bytes.longAt(pair.b().memory(), Grh.BYTES));
        }
        pair.a().nothingSent();
        pair.b().nothingReceived();
    }

    private static void inline(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD).build();
        AddressHandle handle = handle(pair.a(), pair.b());
        Endpoint peer = pair.b().queuePair().endpoint();
        pair.b().receive(20, 0, 200);
        var data = bench.drawnBytes(60);
        pair.a()
                .post(batch ->
                        batch.send(1).inline(data, 0, 60).to(handle, peer).signaled());
        pair.a().sent(1);
        bench.check().equal("bytes", 100, pair.b().received(20).byteLength());
        bench.check().bytes("payload", data, pair.b().memory().asSlice(Grh.BYTES, 60));
    }

    private static void scattered(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD).build();
        AddressHandle handle = handle(pair.a(), pair.b());
        Endpoint peer = pair.b().queuePair().endpoint();
        pair.a().memory().copyFrom(bench.drawnBytes(1 << 16));
        try (var batch = pair.b().queuePair().receives()) {
            batch.receive(20)
                    .sge(pair.b().region(), 0, 25)
                    .sge(pair.b().region(), 25, 20)
                    .sge(pair.b().region(), 45, 500);
            batch.submit();
        }
        pair.a()
                .post(batch -> batch.send(1)
                        .to(handle, peer)
                        .sge(pair.a().region(), 0, 7)
                        .sge(pair.a().region(), 7, 493)
                        .signaled());
        pair.a().sent(1);
        bench.check().equal("bytes", 540, pair.b().received(20).byteLength());
        bench.check()
                .bytes(
                        "payload",
                        pair.a().memory().asSlice(0, 500),
                        pair.b().memory().asSlice(Grh.BYTES, 500));
        header(bench, pair);
    }

    private static void toItself(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD).build();
        End end = pair.a();
        Bytes.setLong(end.memory(), 0, 7);
        end.receive(20, 1024, 200);
        Endpoint self = end.queuePair().endpoint();
        AddressHandle handle = handle(end, end);
        end.post(batch -> batch.send(1).to(handle, self).sge(end.region(), 0, 8).signaled());
        end.sent(1);
        end.received(20);
        bench.check().equal("payload", 7, Bytes.longAt(end.memory(), 1024 + Grh.BYTES));
    }

    private static void unsignaled(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD).build();
        AddressHandle handle = handle(pair.a(), pair.b());
        Endpoint peer = pair.b().queuePair().endpoint();
        for (int round = 0; round < 4; round++) {
            for (int i = 1; i <= 16; i++) {
                pair.b().receive(i, 256L * i, 200);
            }
            pair.a().post(batch -> {
                for (int i = 1; i < 16; i++) {
                    batch.send(i).to(handle, peer).sge(pair.a().region(), 0, 64);
                }
                batch.send(16).to(handle, peer).sge(pair.a().region(), 0, 64).signaled();
            });
            pair.a().sent(16);
            pair.b().allReceived(16);
        }
        pair.a().nothingSent();
        bench.check().equal("slots", 16, pair.a().queuePair().sendSlots());
    }

    private static void reply(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD).build();
        Endpoint peer = pair.b().queuePair().endpoint();
        AddressHandle handle = handle(pair.a(), pair.b());
        pair.b().receive(20, 0, 200);
        pair.a()
                .post(batch -> batch.send(1)
                        .to(handle, peer)
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        pair.a().sent(1);
        int sender = 0;
        AddressHandle back = null;
        while (back == null) {
            try (CompletionCursor cursor = pair.b().receives().poll()) {
                if (cursor.next()) {
                    sender = cursor.requireSuccess().sourceQueuePair();
                    bench.check().that("it has a header", cursor.hasGrh());
                    back = pair.b()
                            .side()
                            .domain()
                            .createAddressHandle(cursor, pair.b().region().slice(0, 200));
                }
            }
        }
        bench.check().equal("sender", pair.a().queuePair().number(), sender);
        bench.check()
                .equal(
                        "address",
                        pair.a().queuePair().endpoint().gid(),
                        back.address().destination());
        AddressHandle answer = back;
        int number = sender;
        Bytes.setLong(pair.b().memory(), 1024, 77);
        pair.a().receive(30, 1024, 200);
        int qkey = pair.a().queuePair().endpoint().qkey();
        pair.b()
                .post(batch -> batch.send(2)
                        .to(answer, number, qkey)
                        .sge(pair.b().region(), 1024, 8)
                        .signaled());
        pair.b().sent(2);
        pair.a().received(30);
        bench.check().equal("answer", 77, Bytes.longAt(pair.a().memory(), 1024 + Grh.BYTES));
    }

    private static void attributes(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD)
                .queuePairs(builder -> builder.qkey(0x1111_1111).psn(0x1234))
                .build();
        QueuePairAttributes attributes = pair.a().queuePair().query();
        bench.check().equal("state", QueuePairState.RTS, attributes.state());
        bench.check().equal("Q_Key", 0x1111_1111, attributes.qkey());
        bench.check().equal("first PSN", 0x1234, attributes.sendPsn());
        bench.check()
                .equal(
                        "Q_Key of the endpoint",
                        0x1111_1111,
                        pair.a().queuePair().endpoint().qkey());
        pair.a()
                .queuePair()
                .modify(QueuePairAttributes.builder().qkey(0x2222_2222).build());
        bench.check()
                .equal(
                        "another Q_Key",
                        0x2222_2222,
                        pair.a().queuePair().query().qkey());
    }
}
