package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.CaseBody;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Allowance;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.End;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.MemoryWindow;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.VerbsException;
import java.util.List;
import java.util.Set;

/** Memory windows, as pyverbs' test_mr binds and withdraws them. B owns the windows, A comes through them. */
final class WindowCases {
    private static final Set<AccessFlag> WRITE = Set.of(AccessFlag.REMOTE_WRITE);
    private static final String BOUNDS = "Soft-RoCE checks the bounds of the region and not those of the window";
    private static final String SILENCE =
            "Soft-RoCE acknowledges a SEND whose key it cannot invalidate, and fails afterwards";

    private WindowCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                type1("mw.type1.write", "test_mr.mw_type1, mw_ex_type1; ibv_bind_mw(3)", WindowCases::write1),
                type1("mw.type1.unbind-withdraws", "test_mr.invalidate_mw_type1", WindowCases::unbind),
                type1("mw.type1.bind-again-withdraws", "ibv_bind_mw(3)", WindowCases::bindAgain),
                type1(
                        "mw.type1.every-queue-pair",
                        "rule 3.14",
                        bench -> otherQueuePair(bench, MemoryWindow.Type.TYPE_1)),
                type2("mw.type2.write", "test_mr.mw_type2; ibv_wr_bind_mw(3)", WindowCases::write2),
                type2("mw.type2.read-and-atomics", "ibv_wr_bind_mw(3)", WindowCases::readAndAtomics),
                type2("mw.type2.local-invalidate", "test_mr.mw_type2_invalidate_local", WindowCases::localInvalidate),
                type2(
                        "mw.type2.send-with-invalidate",
                        "test_mr.mw_type2_invalidate_remote",
                        WindowCases::remoteInvalidate),
                type2("mw.type2.deallocate", "test_mr.mw_type2_invalidate_dealloc", WindowCases::deallocate),
                type2("mw.type2.bound-twice", "rule 3.14", WindowCases::boundTwice),
                type2("mw.type2.one-queue-pair", "rule 3.14", bench -> otherQueuePair(bench, MemoryWindow.Type.TYPE_2)),
                type2("mw.type2.zero-based", "rule 3.14", WindowCases::zeroBased),
                type2("mw.type2.invalidate-unbound", "rule 3.14", WindowCases::invalidateUnbound),
                type2("mw.type2.send-with-invalidate-of-a-region", "rule 3.14", WindowCases::invalidateRegion),
                type2("mw.grants-what-it-was-bound-for", "test_qpex.rc_bind_mw", WindowCases::grants),
                type2("mw.bounds", "rule 3.14", WindowCases::bounds),
                type2("mw.region-without-bind", "rule 3.14", bench -> refusedBind(bench, AccessFlag.LOCAL_WRITE)),
                type2("mw.region-without-local-write", "rule 3.14", bench -> refusedBind(bench, AccessFlag.MW_BIND)),
                type2("mw.region-stays", "ibv_dereg_mr(3)", WindowCases::regionStays),
                type2("mw.domain-stays", "ibv_dealloc_pd(3): EBUSY", WindowCases::domainStays),
                type2("mw.batch-not-submitted", "ibv_wr_abort(3)", WindowCases::abandoned));
    }

    private static ConformanceCase type1(String name, String source, CaseBody body) {
        return ConformanceCase.named(name)
                .from(source)
                .needs(Capability.WINDOW_TYPE_1)
                .runs(body);
    }

    private static ConformanceCase type2(String name, String source, CaseBody body) {
        return ConformanceCase.named(name)
                .from(source)
                .needs(Capability.WINDOW_TYPE_2B)
                .runs(body);
    }

    private static MemoryRegion region(Bench bench) {
        return bench.b()
                .register(
                        256,
                        AccessFlag.LOCAL_WRITE,
                        AccessFlag.REMOTE_WRITE,
                        AccessFlag.REMOTE_READ,
                        AccessFlag.REMOTE_ATOMIC,
                        AccessFlag.MW_BIND);
    }

    private static MemoryWindow bound(Bench bench, End owner, MemoryWindow.Type type, MemoryRegion region) {
        MemoryWindow window = bench.b().domain().allocateMemoryWindow(type);
        owner.post(
                batch -> batch.bind(100, window, region.slice(64, 128), WRITE).signaled());
        Completion completion = owner.sent(100);
        bench.check().equal("opcode", WorkCompletionOpcode.BIND_MW, completion.opcode());
        return window;
    }

    private static void write(
            Pair pair, RemoteMemory remote, long offset, WorkCompletionStatus status, Allowance... also) {
        pair.a()
                .post(batch -> batch.write(1, remote.address() + offset, remote.rkey())
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        pair.a().sent(1, status, also);
    }

    private static void works(Bench bench, Pair pair, MemoryRegion region, RemoteMemory remote) {
        long value = bench.draw().anyLong();
        Bytes.setLong(pair.a().memory(), 0, value);
        write(pair, remote, 0, WorkCompletionStatus.SUCCESS);
        bench.check().equal("written through the window", value, Bytes.longAt(region.segment(), 64));
    }

    private static void write1(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = region(bench);
        MemoryWindow window = bench.b().domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_1);
        int before = window.rkey();
        window.bind(pair.b().queuePair(), 7, region.slice(64, 128), WRITE);
        pair.b().sent(7);
        bench.check().equal("next key", MemoryWindow.nextRkey(before), window.rkey());
        works(bench, pair, region, window.remote());
    }

    private static void unbind(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = region(bench);
        MemoryWindow window = bound(bench, pair.b(), MemoryWindow.Type.TYPE_1, region);
        RemoteMemory remote = window.remote();
        works(bench, pair, region, remote);
        pair.b().post(batch -> batch.unbind(101, window).signaled());
        pair.b().sent(101);
        bench.check().that("not bound", !window.isBound());
        write(pair, remote, 0, WorkCompletionStatus.REM_ACCESS_ERR);
    }

    private static void bindAgain(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = region(bench);
        MemoryWindow window = bound(bench, pair.b(), MemoryWindow.Type.TYPE_1, region);
        RemoteMemory stale = window.remote();
        pair.b()
                .post(batch ->
                        batch.bind(101, window, region.slice(64, 8), WRITE).signaled());
        pair.b().sent(101);
        works(bench, pair, region, window.remote());
        write(pair, stale, 0, WorkCompletionStatus.REM_ACCESS_ERR);
    }

    private static void write2(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = region(bench);
        works(
                bench,
                pair,
                region,
                bound(bench, pair.b(), MemoryWindow.Type.TYPE_2, region).remote());
    }

    private static void readAndAtomics(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = region(bench);
        MemoryWindow window = bench.b().domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2);
        Set<AccessFlag> access = Set.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
        pair.b()
                .post(batch ->
                        batch.bind(100, window, region.slice(64, 128), access).signaled());
        pair.b().sent(100);
        Bytes.setLong(region.segment(), 72, 41);
        pair.a().post(batch -> {
            batch.fetchAndAdd(1, window.remote(), 8, 1)
                    .sge(pair.a().region(), 0, 8)
                    .signaled();
            batch.read(2, window.remote(), 8).sge(pair.a().region(), 8, 8).signaled();
        });
        pair.a().sent(1);
        pair.a().sent(2);
        bench.check().equal("fetched", 41, Bytes.longAt(pair.a().memory(), 0));
        bench.check().equal("read", 42, Bytes.longAt(pair.a().memory(), 8));
    }

    private static void localInvalidate(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = region(bench);
        MemoryWindow window = bound(bench, pair.b(), MemoryWindow.Type.TYPE_2, region);
        RemoteMemory remote = window.remote();
        works(bench, pair, region, remote);
        pair.b().post(batch -> batch.invalidate(101, window).signaled());
        bench.check()
                .equal(
                        "opcode",
                        WorkCompletionOpcode.LOCAL_INV,
                        pair.b().sent(101).opcode());
        write(pair, remote, 0, WorkCompletionStatus.REM_ACCESS_ERR);
    }

    private static void remoteInvalidate(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = region(bench);
        MemoryWindow window = bound(bench, pair.b(), MemoryWindow.Type.TYPE_2, region);
        RemoteMemory remote = window.remote();
        pair.b().receive(5, 0, 64);
        pair.a()
                .post(batch -> batch.sendWithInvalidate(2, remote.rkey())
                        .sge(pair.a().region(), 0, 16)
                        .signaled());
        pair.a().sent(2);
        Completion completion = pair.b().received(5);
        bench.check().equal("invalidated key", remote.rkey(), completion.immediate());
        write(pair, remote, 0, WorkCompletionStatus.REM_ACCESS_ERR);
    }

    private static void deallocate(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = region(bench);
        MemoryWindow window = bound(bench, pair.b(), MemoryWindow.Type.TYPE_2, region);
        RemoteMemory remote = window.remote();
        window.close();
        window.close();
        write(pair, remote, 0, WorkCompletionStatus.REM_ACCESS_ERR);
    }

    private static void boundTwice(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = region(bench);
        MemoryWindow window = bound(bench, pair.b(), MemoryWindow.Type.TYPE_2, region);
        pair.b()
                .post(batch ->
                        batch.bind(101, window, region.slice(0, 8), WRITE).signaled());
        pair.b().sent(101, WorkCompletionStatus.MW_BIND_ERR, RcErrors.flushed());
    }

    private static void otherQueuePair(Bench bench, MemoryWindow.Type type) {
        Pair pair = bench.pair();
        Pair other = bench.pair();
        MemoryRegion region = region(bench);
        MemoryWindow window = bound(bench, pair.b(), type, region);
        write(
                other,
                window.remote(),
                0,
                type == MemoryWindow.Type.TYPE_1 ? WorkCompletionStatus.SUCCESS : WorkCompletionStatus.REM_ACCESS_ERR);
    }

    private static void zeroBased(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = region(bench);
        MemoryWindow window = bench.b().domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2);
        Set<AccessFlag> access = Set.of(AccessFlag.REMOTE_WRITE, AccessFlag.ZERO_BASED);
        pair.b()
                .post(batch ->
                        batch.bind(100, window, region.slice(64, 128), access).signaled());
        pair.b().sent(100);
        bench.check().equal("address", 0, window.remote().address());
        works(bench, pair, region, window.remote());
    }

    private static void invalidateUnbound(Bench bench) {
        Pair pair = bench.pair();
        MemoryWindow window = bench.b().domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2);
        pair.b().post(batch -> batch.invalidate(1, window.rkey() ^ 1).signaled());
        pair.b().sent(1, WorkCompletionStatus.LOC_QP_OP_ERR, RcErrors.flushed());
    }

    private static void invalidateRegion(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = region(bench);
        pair.b().receive(5, 0, 64);
        pair.a().post(batch -> batch.sendWithInvalidate(2, region.rkey()).signaled());
        pair.a().sent(2, WorkCompletionStatus.REM_ACCESS_ERR, Allowance.rxe(WorkCompletionStatus.SUCCESS, SILENCE));
        pair.b().received(5, WorkCompletionStatus.REM_INV_REQ_ERR);
    }

    private static void grants(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = region(bench);
        MemoryWindow window = bench.b().domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2);
        pair.b()
                .post(batch -> batch.bind(100, window, region.slice(0, 64), Set.of(AccessFlag.REMOTE_READ))
                        .signaled());
        pair.b().sent(100);
        bench.check()
                .refused(
                        "refused before it is posted",
                        "EACCES",
                        () -> pair.a().post(batch -> batch.write(1, window.remote(), 0)));
        write(pair, window.remote(), 0, WorkCompletionStatus.REM_ACCESS_ERR);
    }

    private static void bounds(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = region(bench);
        RemoteMemory remote =
                bound(bench, pair.b(), MemoryWindow.Type.TYPE_2, region).remote();
        write(pair, remote, 120, WorkCompletionStatus.SUCCESS);
        write(
                pair,
                remote,
                121,
                WorkCompletionStatus.REM_ACCESS_ERR,
                Allowance.rxe(WorkCompletionStatus.SUCCESS, BOUNDS));
    }

    private static void refusedBind(Bench bench, AccessFlag only) {
        Pair pair = bench.pair();
        MemoryRegion region = bench.b().register(64, only);
        MemoryWindow window = bench.b().domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2);
        pair.b().post(batch -> batch.bind(100, window, region.slice(), WRITE).signaled());
        pair.b().sent(100, WorkCompletionStatus.MW_BIND_ERR, RcErrors.flushed());
    }

    private static void regionStays(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = region(bench);
        MemoryWindow window = bound(bench, pair.b(), MemoryWindow.Type.TYPE_2, region);
        VerbsException refusal =
                bench.check().refused("deregistered under a window", List.of("EINVAL", "EBUSY"), region::close);
        bench.check().that("says why", String.valueOf(refusal.getMessage()).contains("window"));
        works(bench, pair, region, window.remote());
        pair.b().post(batch -> batch.invalidate(101, window).signaled());
        pair.b().sent(101);
        region.close();
        bench.check().that("closed", !region.isOpen());
    }

    private static void domainStays(Bench bench) {
        MemoryWindow window = bench.b().domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2);
        bench.check()
                .refused(
                        "deallocated under a window",
                        "EBUSY",
                        () -> bench.b().domain().close());
        window.close();
    }

    private static void abandoned(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region = region(bench);
        MemoryWindow window = bench.b().domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2);
        int key = window.rkey();
        try (var batch = pair.b().queuePair().batch()) {
            batch.bind(100, window, region.slice(64, 128), WRITE).signaled();
        }
        bench.check().equal("key", key, window.rkey());
        pair.b()
                .post(batch ->
                        batch.bind(101, window, region.slice(64, 128), WRITE).signaled());
        pair.b().sent(101);
        works(bench, pair, region, window.remote());
    }
}
