package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.CaseBody;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.FlushPlacement;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.MemoryRegion;
import java.util.List;

/** ATOMIC WRITE and FLUSH, as pyverbs' test_qpex posts them. */
final class PlacementCases {
    private PlacementCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                atomicWrite("rc.atomic-write", "test_qpex.rc_atomic_write; rule 3.15", PlacementCases::stores),
                atomicWrite("rc.atomic-write.unaligned-refused", "rule 3.15", PlacementCases::unaligned),
                atomicWrite("rc.atomic-write.without-right", "rule 3.5", PlacementCases::withoutRight),
                flush("rc.flush.range", "test_qpex.rc_flush; rule 3.15", bench -> flushed(bench, false)),
                flush("rc.flush.region", "test_qpex.rc_flush; rule 3.15", bench -> flushed(bench, true)),
                flush(
                        "rc.flush.persistence-not-granted",
                        "test_qpex.rc_flush_type_violate",
                        PlacementCases::persistence),
                flush("rc.flush.range-outside", "rule 3.15", PlacementCases::outside));
    }

    private static ConformanceCase atomicWrite(String name, String source, CaseBody body) {
        return ConformanceCase.named(name)
                .from(source)
                .needs(Capability.ATOMIC_WRITE)
                .runs(body);
    }

    private static ConformanceCase flush(String name, String source, CaseBody body) {
        return ConformanceCase.named(name).from(source).needs(Capability.FLUSH).runs(body);
    }

    private static void stores(Bench bench) {
        Pair pair = bench.pair();
        for (int i = 0; i < 10; i++) {
            long value = bench.draw().anyLong();
            int id = i;
            pair.a()
                    .post(batch ->
                            batch.atomicWrite(id, pair.b().remote(), 64, value).signaled());
            bench.check()
                    .equal(
                            "opcode",
                            WorkCompletionOpcode.ATOMIC_WRITE,
                            pair.a().sent(id).opcode());
            bench.check().equal("the value", value, Bytes.longAt(pair.b().memory(), 64));
        }
        bench.check().equal("bytes before", 0, Bytes.longAt(pair.b().memory(), 56));
        bench.check().equal("bytes behind", 0, Bytes.longAt(pair.b().memory(), 72));
    }

    private static void unaligned(Bench bench) {
        Pair pair = bench.pair();
        bench.check()
                .refused(
                        "at offset 4",
                        "EINVAL",
                        () -> pair.a()
                                .post(batch -> batch.atomicWrite(1, pair.b().remote(), 4, 1)));
    }

    private static void withoutRight(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = bench.b().register(64, AccessFlag.REMOTE_READ);
        pair.a()
                .post(batch ->
                        batch.atomicWrite(1, region.address(), region.rkey(), 1).signaled());
        pair.a().sent(1, WorkCompletionStatus.REM_ACCESS_ERR);
    }

    private static Pair flushable(Bench bench) {
        return bench.pair(QueuePairType.RC)
                .access(
                        AccessFlag.REMOTE_WRITE,
                        AccessFlag.REMOTE_READ,
                        AccessFlag.FLUSH_GLOBAL,
                        AccessFlag.FLUSH_PERSISTENT)
                .build();
    }

    private static MemoryRegion region(Bench bench) {
        return bench.b().register(64, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.FLUSH_GLOBAL);
    }

    private static void flushed(Bench bench, boolean all) {
        Pair pair = flushable(bench);
        MemoryRegion region = region(bench);
        pair.a().memory().fill((byte) 7);
        pair.a().post(batch -> {
            batch.write(1, region.remote(), 0).sge(pair.a().region(), 0, 64);
            if (all) {
                batch.flushAll(2, region.rkey(), FlushPlacement.GLOBAL_VISIBILITY)
                        .signaled();
            } else {
                batch.flush(2, region.remote(), FlushPlacement.GLOBAL_VISIBILITY)
                        .signaled();
            }
        });
        bench.check()
                .equal("opcode", WorkCompletionOpcode.FLUSH, pair.a().sent(2).opcode());
        bench.check().equal("the last byte", 7, Bytes.at(region.segment(), 63));
    }

    private static void persistence(Bench bench) {
        Pair pair = flushable(bench);
        MemoryRegion region = region(bench);
        bench.check()
                .refused(
                        "refused before it is posted",
                        "EACCES",
                        () -> pair.a().post(batch -> batch.flush(1, region.remote(), FlushPlacement.PERSISTENCE)));
        pair.a()
                .post(batch -> batch.flush(1, region.address(), 64, region.rkey(), FlushPlacement.PERSISTENCE)
                        .signaled());
        pair.a().sent(1, WorkCompletionStatus.REM_ACCESS_ERR);
    }

    private static void outside(Bench bench) {
        Pair pair = flushable(bench);
        MemoryRegion region = region(bench);
        pair.a()
                .post(batch -> batch.flush(1, region.address(), 65, region.rkey(), FlushPlacement.GLOBAL_VISIBILITY)
                        .signaled());
        pair.a().sent(1, WorkCompletionStatus.REM_ACCESS_ERR);
    }
}
