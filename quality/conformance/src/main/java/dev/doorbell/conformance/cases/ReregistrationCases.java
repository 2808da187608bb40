package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.CaseBody;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.MemoryWindow;
import dev.doorbell.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;

/** Memory regions that change, as pyverbs' test_mr changes them; and regions whose addresses the program chooses. */
final class ReregistrationCases {
    private ReregistrationCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                ConformanceCase.named("mr.address-of-choice")
                        .from("ibv_reg_mr_iova(3)")
                        .runs(ReregistrationCases::addressOfChoice),
                ConformanceCase.named("mr.address-of-choice-page-offset")
                        .from("ibv_reg_mr_iova(3): EINVAL")
                        .runs(ReregistrationCases::pageOffset),
                memory("mr.rereg.translation", "test_mr.mr_rereg_addr", ReregistrationCases::translation),
                memory("mr.rereg.access", "test_mr.mr_rereg_access", ReregistrationCases::access),
                rereg("mr.rereg.access-bad", "test_mr.mr_rereg_access_bad_flow", ReregistrationCases::badAccess),
                rereg("mr.rereg.atomic", "test_mr.mr_rereg_atomic", ReregistrationCases::atomic),
                rereg("mr.rereg.domain", "test_mr.mr_rereg_pd", ReregistrationCases::domain),
                rereg("mr.rereg.nothing", "ibv_rereg_mr(3): EINVAL", ReregistrationCases::nothing),
                memory("mr.rereg.under-a-window", "ibv_rereg_mr(3): EBUSY", ReregistrationCases::underWindow));
    }

    private static ConformanceCase memory(String name, String source, CaseBody body) {
        return ConformanceCase.named(name)
                .from(source)
                .needs(Capability.REREGISTER, Capability.REREGISTER_MEMORY)
                .runs(body);
    }

    private static ConformanceCase rereg(String name, String source, CaseBody body) {
        return ConformanceCase.named(name)
                .from(source)
                .needs(Capability.REREGISTER)
                .runs(body);
    }

    private static void write(Pair pair, MemoryRegion region, WorkCompletionStatus status) {
        pair.a()
                .post(batch -> batch.write(1, region.address(), region.rkey())
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        pair.a().sent(1, status);
    }

    private static void addressOfChoice(Bench bench) {
        Pair pair = bench.pair();
        MemorySegment memory = bench.memory(8192);
        for (long address : new long[] {0, 0x1234_5678_9000L}) {
            MemoryRegion region = bench.b().domain().register(memory, address, Set.of(Reach.everything()));
            bench.check().equal("address", address, region.address());
            long value = bench.draw().anyLong();
            Bytes.setLong(pair.a().memory(), 0, value);
            pair.a()
                    .post(batch -> batch.write(1, region.remote(), 4096)
                            .sge(pair.a().region(), 0, 8)
                            .signaled());
            pair.a().sent(1);
            bench.check().equal("written", value, Bytes.longAt(memory, 4096));
            pair.b()
                    .post(batch -> batch.write(2, pair.a().remote(), 16)
                            .sge(region, 4096, 8)
                            .signaled());
            pair.b().sent(2);
            bench.check().equal("sent from", value, Bytes.longAt(pair.a().memory(), 16));
            region.close();
        }
    }

    private static void pageOffset(Bench bench) {
        MemorySegment memory = bench.memory(8192);
        bench.check()
                .refused(
                        "another offset in the page",
                        "EINVAL",
                        () -> bench.b().domain().register(memory, 8, Set.of(Reach.everything())));
    }

    private static void translation(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = bench.b().register(64);
        MemorySegment before = region.segment();
        MemorySegment after = bench.memory(4096);
        region.reregister().memory(after).apply();
        bench.check().equal("length", 4096, region.length());
        Bytes.setLong(pair.a().memory(), 0, 9);
        write(pair, region, WorkCompletionStatus.SUCCESS);
        bench.check().equal("the new memory", 9, Bytes.longAt(after, 0));
        bench.check().equal("the old memory", 0, Bytes.longAt(before, 0));
        pair.a()
                .post(batch -> batch.write(1, before.address(), region.rkey())
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        pair.a().sent(1, WorkCompletionStatus.REM_ACCESS_ERR);
    }

    private static void access(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = bench.b().register(64, AccessFlag.REMOTE_READ);
        region.reregister().access(Set.of(Reach.everything())).apply();
        write(pair, region, WorkCompletionStatus.SUCCESS);
        region.reregister().access(Set.of(AccessFlag.REMOTE_READ)).apply();
        bench.check().equal("access", AccessFlag.REMOTE_READ.bit(), region.access());
        write(pair, region, WorkCompletionStatus.REM_ACCESS_ERR);
    }

    private static void badAccess(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = bench.b().register(64);
        bench.check()
                .refused(
                        "REMOTE_WRITE without LOCAL_WRITE",
                        "EINVAL",
                        () -> region.reregister()
                                .access(Set.of(AccessFlag.REMOTE_WRITE))
                                .apply());
        write(pair, region, WorkCompletionStatus.SUCCESS);
    }

    private static void atomic(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = bench.b().register(64, AccessFlag.LOCAL_WRITE);
        region.reregister()
                .access(Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC))
                .apply();
        pair.a()
                .post(batch -> batch.fetchAndAdd(1, region.remote(), 0, 5)
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        pair.a().sent(1);
        bench.check().equal("the sum", 5, Bytes.longAt(region.segment(), 0));
    }

    private static void domain(Bench bench) {
        Pair pair = bench.pair();
        ProtectionDomain other = bench.b().context().allocateProtectionDomain();
        MemoryRegion region = bench.b().register(other, 64, Reach.everything());
        bench.check().refused("used by a region", "EBUSY", other::close);
        region.reregister().protectionDomain(bench.b().domain()).apply();
        bench.check().equal("domain", bench.b().domain(), region.protectionDomain());
        other.close();
        write(pair, region, WorkCompletionStatus.SUCCESS);
    }

    private static void nothing(Bench bench) {
        MemoryRegion region = bench.b().register(64);
        bench.check()
                .refused(
                        "nothing to change", "EINVAL", () -> region.reregister().apply());
    }

    private static void underWindow(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region =
                bench.b().register(64, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.MW_BIND);
        MemoryWindow window = bench.b().domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2);
        pair.b()
                .post(batch -> batch.bind(1, window, region.slice(), Set.of(AccessFlag.REMOTE_WRITE))
                        .signaled());
        pair.b().sent(1);
        bench.check()
                .refused(
                        "under a window",
                        "EBUSY",
                        () -> region.reregister().memory(bench.memory(64)).apply());
        write(pair, region, WorkCompletionStatus.SUCCESS);
    }
}
