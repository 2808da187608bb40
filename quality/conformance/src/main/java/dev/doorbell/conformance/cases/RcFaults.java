package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.CaseBody;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.LinkFaults.Packets;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.Completion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Packets that get lost or come twice: nobody notices, and nothing is done twice. */
final class RcFaults {
    private static final int BYTES = 10_000;

    private RcFaults() {}

    static List<ConformanceCase> cases() {
        List<ConformanceCase> cases = new ArrayList<>();
        for (MessageKind kind : MessageKind.values()) {
            for (Packets packets : packetsOf(kind)) {
                String what = packets.name().toLowerCase(Locale.ROOT).replace('_', '-');
                cases.add(
                        faulty("rc." + kind.label() + ".lost-" + what, bench -> messages(bench, kind, packets, true)));
                cases.add(faulty(
                        "rc." + kind.label() + ".twice-" + what, bench -> messages(bench, kind, packets, false)));
            }
        }
        for (Packets packets : List.of(Packets.ATOMIC_REQUEST, Packets.ATOMIC_ACKNOWLEDGE)) {
            String what = packets.name().toLowerCase(Locale.ROOT).replace('_', '-');
            cases.add(faulty("rc.atomic.lost-" + what, bench -> atomics(bench, packets, true)));
            cases.add(faulty("rc.atomic.twice-" + what, bench -> atomics(bench, packets, false)));
        }
        cases.add(faulty("rc.retry.count-is-kept", RcFaults::countIsKept));
        cases.add(faulty("rc.read.not-completed-by-later-acknowledge", RcFaults::laterAcknowledge));
        return cases;
    }

    private static ConformanceCase faulty(String name, CaseBody body) {
        return ConformanceCase.named(name)
                .from("rules 3.3, 3.4, 3.6")
                .needs(Capability.FAULTS)
                .runs(body);
    }

    private static List<Packets> packetsOf(MessageKind kind) {
        return kind == MessageKind.READ
                ? List.of(Packets.READ_REQUEST, Packets.READ_RESPONSE)
                : List.of(Packets.REQUEST, Packets.ACKNOWLEDGE);
    }

    private static Pair.Builder pair(Bench bench) {
        return bench.pair(QueuePairType.RC)
                .mtu(Mtu.MTU_1024)
                .bytes(BYTES + 256)
                // Long enough for a peer that has to wait for a processor.
                .options(options -> options.ackTimeout(Duration.ofMillis(67)));
    }

    /** The fault hits the first, a middle and the last packet of a message in turn. */
    private static void messages(Bench bench, MessageKind kind, Packets packets, boolean lost) {
        Pair pair = pair(bench).build();
        Courier courier = new Courier(bench, pair);
        boolean many = packets == Packets.REQUEST || packets == Packets.READ_RESPONSE;
        for (int pass : many ? new int[] {0, 1, 5, 9} : new int[] {0, 0}) {
            if (lost) {
                bench.faults().drop(packets, pass, 1);
            } else {
                bench.faults().duplicate(packets, pass, 1);
            }
            courier.deliver(kind, BYTES, 64, 67);
            courier.deliver(kind, 100, 64, 67);
        }
        pair.a().nothingSent();
        pair.b().nothingReceived();
        bench.check().equal("credit", 0, pair.b().queuePair().receiveCredit());
    }

    private static void atomics(Bench bench, Packets packets, boolean lost) {
        Pair pair = pair(bench).build();
        long sum = 0;
        for (int i = 1; i <= 5; i++) {
            if (lost) {
                bench.faults().drop(packets, 0, 1);
            } else {
                bench.faults().duplicate(packets, 0, 1);
            }
            int id = i;
            pair.a()
                    .post(batch -> batch.fetchAndAdd(id, pair.b().remote(), 0, id)
                            .sge(pair.a().region(), 0, 8)
                            .signaled());
            Completion completion = pair.a().sent(id);
            bench.check().equal("bytes fetched", 8, completion.byteLength());
            bench.check().equal("what was there", sum, Bytes.longAt(pair.a().memory(), 0));
            sum += id;
            // A message behind it: what came twice has been dealt with when this is answered.
            pair.a()
                    .post(batch -> batch.write(1000, pair.b().remote(), 64)
                            .sge(pair.a().region(), 64, 8)
                            .signaled());
            pair.a().sent(1000);
            bench.check().equal("the sum", sum, Bytes.longAt(pair.b().memory(), 0));
        }
    }

    /** As many losses in a row as there are retries are survived, again and again. */
    private static void countIsKept(Bench bench) {
        Pair pair = pair(bench)
                .options(options -> options.retryCount(3).ackTimeout(Duration.ofMillis(134)))
                .build();
        for (int i = 0; i < 2; i++) {
            int id = i;
            bench.faults().drop(Packets.REQUEST, 0, 3);
            pair.a()
                    .post(batch -> batch.write(id, pair.b().remote(), 0)
                            .sge(pair.a().region(), 0, 8)
                            .signaled());
            pair.a().sent(id);
        }
        // More losses than retries, each told by the peer at once, since later packets of the message arrive.
        for (int id = 10; id < 18; id++) {
            int next = id;
            bench.faults().drop(Packets.REQUEST, 0, 1);
            pair.a()
                    .post(batch -> batch.write(next, pair.b().remote(), 0)
                            .sge(pair.a().region(), 0, BYTES)
                            .signaled());
            pair.a().sent(next);
        }
    }

    /** The answer to a READ is lost, and a WRITE behind it is acknowledged. */
    private static void laterAcknowledge(Bench bench) {
        Pair pair = pair(bench).build();
        for (int i = 1; i <= 5; i++) {
            pair.b().memory().fill((byte) i);
            bench.faults().drop(Packets.READ_RESPONSE, 0, 1);
            pair.a().post(batch -> {
                batch.read(1, pair.b().remote(), 0)
                        .sge(pair.a().region(), 0, 500)
                        .signaled();
                batch.write(2, pair.b().remote(), 600)
                        .sge(pair.a().region(), 600, 8)
                        .signaled();
            });
            pair.a().sent(1);
            bench.check()
                    .bytes(
                            "what was read",
                            pair.b().memory().asSlice(0, 500),
                            pair.a().memory().asSlice(0, 500));
            pair.a().sent(2);
        }
    }
}
