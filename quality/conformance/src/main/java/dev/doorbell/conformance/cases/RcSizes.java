package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Every kind of message, at every path MTU, in the sizes around which mistakes gather; byte for byte. */
final class RcSizes {
    private static final int[][] BANDS = {
        {0, 1}, {255, 256, 257}, {1023, 1024, 1025}, {4096, 65_536}, {1 << 20, (1 << 20) + 1}
    };
    private static final int GUARD = 64;

    private RcSizes() {}

    static List<ConformanceCase> cases() {
        List<ConformanceCase> cases = new ArrayList<>();
        for (MessageKind kind : MessageKind.values()) {
            cases.addAll(sizes(QueuePairType.RC, kind));
            cases.addAll(elements(kind));
        }
        return cases;
    }

    /** A kind in all sizes, at all MTUs. */
    static List<ConformanceCase> sizes(QueuePairType type, MessageKind kind) {
        List<ConformanceCase> cases = new ArrayList<>();
        String head = type.name().toLowerCase(Locale.ROOT) + "." + kind.label() + ".size-";
        for (int[] band : BANDS) {
            String range = band[0] + ".." + band[band.length - 1];
            for (Mtu mtu : Mtu.values()) {
                cases.add(ConformanceCase.named(head + range + "@" + mtu)
                        .from(band[0] == 0 ? zeroSized(kind) : "rule 1.5")
                        .needs(type == QueuePairType.UC ? new Capability[] {Capability.UC} : new Capability[0])
                        .deadline(Duration.ofSeconds(60))
                        .runs(bench -> sizes(bench, type, kind, mtu, band)));
            }
        }
        return cases;
    }

    private static String zeroSized(MessageKind kind) {
        return switch (kind) {
            case WRITE -> "test_qpex.rc_rdma_write_zero_size; rule 3.5";
            case READ -> "test_qpex.rc_rdma_read_zero_size; rule 3.5";
            case SEND, SEND_IMM, WRITE_IMM -> "rule 1.5";
        };
    }

    private static void sizes(Bench bench, QueuePairType type, MessageKind kind, Mtu mtu, int[] sizes) {
        Pair pair = bench.pair(type)
                .mtu(mtu)
                .bytes(sizes[sizes.length - 1] + 2 * GUARD + 16)
                .build();
        Courier courier = new Courier(bench, pair);
        for (int size : sizes) {
            courier.deliver(kind, size, GUARD, GUARD);
            courier.deliver(kind, size, GUARD + 1, GUARD + 7);
        }
    }

    private static List<ConformanceCase> elements(MessageKind kind) {
        List<ConformanceCase> cases = new ArrayList<>();
        for (int count : new int[] {2, 3, 8, 30}) {
            for (Mtu mtu : new Mtu[] {Mtu.MTU_256, Mtu.MTU_4096}) {
                cases.add(ConformanceCase.named("rc." + kind.label() + ".elements-" + count + "@" + mtu)
                        .from("ibv_post_send(3), ibv_post_recv(3): gather and scatter")
                        .runs(bench -> elements(bench, kind, mtu, count)));
            }
        }
        return cases;
    }

    private static void elements(Bench bench, MessageKind kind, Mtu mtu, int count) {
        Pair pair = bench.pair(QueuePairType.RC)
                .mtu(mtu)
                .queuePairs(builder -> builder.sge(count, count))
                .build();
        Courier courier = new Courier(bench, pair);
        Courier.Split many = Courier.Split.into(count);
        for (int size : new int[] {1, 255, 256, 257, 1024, 5000, 40_000}) {
            courier.deliver(kind, size, GUARD, GUARD, many, Courier.Split.WHOLE);
            courier.deliver(kind, size, GUARD, GUARD, Courier.Split.WHOLE, many);
            courier.deliver(kind, size, GUARD + 3, GUARD + 1, many, Courier.Split.into(count - 1));
        }
    }
}
