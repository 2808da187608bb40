package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Allowance;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.RemoteMemory;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Keys, bounds and rights on a reliable connection: who is refused, with which status, and that nothing was touched. */
final class RcErrors {
    private static final String ONE_ANSWER = "rxe has one answer for everything that is wrong with a receive";
    private static final String BEFORE_6_4 = "rxe before 6.4 has one answer for everything that is wrong with a send";
    private static final String FROM_6_4 =
            "rxe from 6.4 on flushes the request that failed before it reports the failure";

    private RcErrors() {}

    static List<ConformanceCase> cases() {
        List<ConformanceCase> cases = new ArrayList<>();
        for (Reach reach : Reach.values()) {
            String name = "rc." + reach.label();
            cases.add(ConformanceCase.named(name + ".rkey-unknown")
                    .from(reach.isAtomic() ? "test_atomic.atomic_invalid_rkey; rule 3.5" : "rule 3.5")
                    .runs(bench -> unknownKey(bench, reach)));
            cases.add(ConformanceCase.named(name + ".rkey-of-closed-region")
                    .from("ibv_dereg_mr(3); rule 3.5")
                    .runs(bench -> closedRegion(bench, reach)));
            cases.add(ConformanceCase.named(name + ".rkey-of-another-domain")
                    .from("ibv_alloc_pd(3); rule 3.5")
                    .runs(bench -> anotherDomain(bench, reach)));
            cases.add(ConformanceCase.named(name + ".beyond-the-region")
                    .from("ibv_reg_mr(3); rule 3.5")
                    .runs(bench -> beyond(bench, reach)));
            cases.add(ConformanceCase.named(name + ".before-the-region")
                    .from("ibv_reg_mr(3); rule 3.5")
                    .runs(bench -> before(bench, reach)));
            cases.add(ConformanceCase.named(name + ".region-lacks-access")
                    .from(reach.isAtomic() ? "test_atomic.atomic_invalid_mr_access" : "ibv_reg_mr(3); rule 3.5")
                    .runs(bench -> regionLacks(bench, reach)));
            cases.add(ConformanceCase.named(name + ".queue-pair-lacks-access")
                    .from(reach.isAtomic() ? "test_atomic.atomic_invalid_qp_access" : "ibv_modify_qp(3); rule 3.5")
                    .runs(bench -> queuePairLacks(bench, reach)));
            cases.add(ConformanceCase.named(name + ".lkey-unknown")
                    .from(reach.isAtomic() ? "test_atomic.atomic_invalid_lkey" : "ibv_post_send(3)")
                    .runs(bench -> unknownLocalKey(bench, reach)));
        }
        for (Reach reach : List.of(Reach.READ, Reach.COMPARE_SWAP, Reach.FETCH_ADD)) {
            cases.add(ConformanceCase.named("rc." + reach.label() + ".local-region-lacks-access")
                    .from("ibv_reg_mr(3): LOCAL_WRITE")
                    .runs(bench -> localLacks(bench, reach)));
        }
        for (Reach reach : List.of(Reach.WRITE, Reach.READ)) {
            cases.add(ConformanceCase.named("rc." + reach.label() + ".no-bytes-any-key")
                    .from("rule 3.5: the key of an empty READ or WRITE is not looked at")
                    .runs(bench -> noBytes(bench, reach)));
        }
        cases.add(ConformanceCase.named("rc.send.receive-region-lacks-access")
                .from("ibv_reg_mr(3): LOCAL_WRITE")
                .runs(RcErrors::receiveLacks));
        cases.add(ConformanceCase.named("rc.send.message-longer-than-receive")
                .from("ibv_post_recv(3); rule 3.5")
                .runs(RcErrors::tooLong));
        cases.add(ConformanceCase.named("rc.send.receive-lkey-unknown")
                .from("ibv_post_recv(3)")
                .runs(RcErrors::receiveKeyUnknown));
        return cases;
    }

    /** What else a work request answers that fails before anything is sent. */
    static Allowance flushed() {
        return Allowance.rxe(WorkCompletionStatus.WR_FLUSH_ERR, FROM_6_4);
    }

    /** What else a send answers whose own memory cannot be read. */
    static Allowance[] ofLocalKeys() {
        return new Allowance[] {
            Allowance.rxe(WorkCompletionStatus.LOC_QP_OP_ERR, BEFORE_6_4),
            Allowance.rxe(WorkCompletionStatus.WR_FLUSH_ERR, FROM_6_4)
        };
    }

    private static RemoteMemory remote(MemoryRegion region, long offset, int rkey) {
        return new RemoteMemory(region.address() + offset, region.length(), rkey, -1);
    }

    private static void unknownKey(Bench bench, Reach reach) {
        Pair pair = bench.pair();
        int wrong = pair.b().region().rkey() ^ 0x40;
        refused(bench, reach, pair, pair.b().region(), remote(pair.b().region(), 0, wrong));
    }

    private static void closedRegion(Bench bench, Reach reach) {
        Pair pair = bench.pair();
        MemoryRegion region = pair.b().side().register(64);
        region.close();
        refused(bench, reach, pair, region, remote(region, 0, region.rkey()));
    }

    private static void anotherDomain(Bench bench, Reach reach) {
        Pair pair = bench.pair();
        MemoryRegion region =
                pair.b().side().register(pair.b().side().context().allocateProtectionDomain(), 64, Reach.everything());
        refused(bench, reach, pair, region, remote(region, 0, region.rkey()));
    }

    /** Eight bytes of which the last is one too many; for atomics all eight, as they must be aligned. */
    private static void beyond(Bench bench, Reach reach) {
        Pair pair = bench.pair();
        MemoryRegion region = pair.b().side().register(64);
        refused(bench, reach, pair, region, remote(region, reach.isAtomic() ? 64 : 57, region.rkey()));
    }

    private static void before(Bench bench, Reach reach) {
        Pair pair = bench.pair();
        MemoryRegion whole = pair.b().side().register(128);
        MemoryRegion region = pair.b().side().domain().register(whole.segment().asSlice(64, 64), Reach.everything());
        refused(bench, reach, pair, whole, remote(region, reach.isAtomic() ? -8 : -1, region.rkey()));
    }

    private static void regionLacks(Bench bench, Reach reach) {
        Pair pair = bench.pair();
        Set<AccessFlag> granted = EnumSet.copyOf(Set.of(Reach.everything()));
        granted.remove(reach.needed());
        MemoryRegion region = pair.b().side().register(64, granted.toArray(AccessFlag[]::new));
        refused(bench, reach, pair, region, remote(region, 0, region.rkey()));
    }

    private static void refused(Bench bench, Reach reach, Pair pair, MemoryRegion untouched, RemoteMemory remote) {
        fail(bench, reach, pair, untouched, remote, WorkCompletionStatus.REM_ACCESS_ERR);
    }

    private static void queuePairLacks(Bench bench, Reach reach) {
        Set<AccessFlag> granted = EnumSet.copyOf(Set.of(Reach.everything()));
        granted.remove(AccessFlag.LOCAL_WRITE);
        granted.remove(reach.needed());
        Pair pair = bench.pair(QueuePairType.RC)
                .access(granted.toArray(AccessFlag[]::new))
                .build();
        MemoryRegion region = pair.b().region();
        fail(bench, reach, pair, region, region.remote(), WorkCompletionStatus.REM_INV_REQ_ERR);
    }

    private static void fail(
            Bench bench,
            Reach reach,
            Pair pair,
            MemoryRegion untouched,
            RemoteMemory remote,
            WorkCompletionStatus status) {
        pair.b().receive(20, 1024, 64);
        Bytes.setLong(pair.a().memory(), 8, -1);
        pair.a()
                .post(batch -> reach.open(batch, 1, remote)
                        .sge(pair.a().region(), 8, 8)
                        .signaled());
        pair.a().post(batch -> batch.send(2).sge(pair.a().region(), 0, 8));
        pair.a().sent(1, status);
        pair.a().sent(2, WorkCompletionStatus.WR_FLUSH_ERR);
        pair.b()
                .received(
                        20,
                        WorkCompletionStatus.WR_FLUSH_ERR,
                        Allowance.rxe(
                                WorkCompletionStatus.REM_ACCESS_ERR,
                                "rxe completes the receive that a WRITE with immediate would have taken with the write's"
                                        + " error"));
        bench.check().bytes("the peer's memory", bench.memory(untouched.length()), untouched.segment());
        bench.check().equal("the own memory", -1, Bytes.longAt(pair.a().memory(), 8));
        pair.a().reaches(QueuePairState.ERROR);
        pair.b().reaches(QueuePairState.ERROR);
    }

    private static void unknownLocalKey(Bench bench, Reach reach) {
        Pair pair = bench.pair();
        MemoryRegion local = pair.a().region();
        pair.b().receive(20, 1024, 64);
        Bytes.setLong(pair.a().memory(), 8, -1);
        pair.a()
                .post(batch -> reach.open(batch, 1, pair.b().remote())
                        .sge(local.address() + 8, 8, local.lkey() ^ 0x40)
                        .signaled());
        pair.a().sent(1, WorkCompletionStatus.LOC_PROT_ERR, ofLocalKeys());
        bench.check().equal("the own memory", -1, Bytes.longAt(pair.a().memory(), 8));
        if (!reach.isAtomic()) {
            bench.check().equal("the peer's memory", 0, Bytes.longAt(pair.b().memory(), 0));
        }
        pair.a().reaches(QueuePairState.ERROR);
    }

    private static void tooLong(Bench bench) {
        Pair pair = bench.pair();
        pair.b().receive(20, 1024, 63);
        pair.b().receive(21, 2048, 64);
        pair.a().memory().fill((byte) 7);
        pair.a().post(batch -> batch.send(1).sge(pair.a().region(), 0, 64).signaled());
        pair.a()
                .sent(
                        1,
                        WorkCompletionStatus.REM_INV_REQ_ERR,
                        Allowance.rxe(WorkCompletionStatus.REM_OP_ERR, ONE_ANSWER));
        pair.b()
                .received(
                        20,
                        WorkCompletionStatus.LOC_LEN_ERR,
                        Allowance.rxe(WorkCompletionStatus.LOC_QP_OP_ERR, ONE_ANSWER));
        pair.b().received(21, WorkCompletionStatus.WR_FLUSH_ERR);
        bench.check().equal("the byte behind the receive", 0, Bytes.at(pair.b().memory(), 1024 + 63));
    }

    private static void receiveKeyUnknown(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion local = pair.b().region();
        try (var batch = pair.b().queuePair().receives()) {
            batch.receive(20).sge(local.address(), 64, local.lkey() ^ 0x40);
            batch.submit();
        }
        pair.a().memory().fill((byte) 7);
        pair.a().post(batch -> batch.send(1).sge(pair.a().region(), 0, 64).signaled());
        pair.a().sent(1, WorkCompletionStatus.REM_OP_ERR);
        pair.b()
                .received(
                        20,
                        WorkCompletionStatus.LOC_PROT_ERR,
                        Allowance.rxe(WorkCompletionStatus.LOC_QP_OP_ERR, ONE_ANSWER));
        bench.check().equal("the receive's memory", 0, Bytes.longAt(pair.b().memory(), 0));
    }

    private static void localLacks(Bench bench, Reach reach) {
        Pair pair = bench.pair();
        MemoryRegion local = pair.a().side().register(64, AccessFlag.REMOTE_READ);
        Bytes.setLong(local.segment(), 0, -1);
        pair.a()
                .post(batch ->
                        reach.open(batch, 1, pair.b().remote()).sge(local, 0, 8).signaled());
        pair.a()
                .sent(
                        1,
                        WorkCompletionStatus.LOC_PROT_ERR,
                        Allowance.rxe(WorkCompletionStatus.LOC_QP_OP_ERR, BEFORE_6_4),
                        Allowance.rxe(WorkCompletionStatus.WR_FLUSH_ERR, FROM_6_4));
        bench.check().equal("the own memory", -1, Bytes.longAt(local.segment(), 0));
    }

    private static void receiveLacks(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion local = pair.b().side().register(64, AccessFlag.REMOTE_READ);
        pair.b().queuePair().postReceive(20, local.slice());
        pair.a().memory().fill((byte) 7);
        pair.a().post(batch -> batch.send(1).sge(pair.a().region(), 0, 64).signaled());
        pair.a().sent(1, WorkCompletionStatus.REM_OP_ERR);
        pair.b()
                .received(
                        20,
                        WorkCompletionStatus.LOC_PROT_ERR,
                        Allowance.rxe(WorkCompletionStatus.LOC_QP_OP_ERR, ONE_ANSWER));
        bench.check().equal("the receive's memory", 0, Bytes.longAt(local.segment(), 0));
    }

    private static void noBytes(Bench bench, Reach reach) {
        Pair pair = bench.pair();
        int wrong = pair.b().region().rkey() ^ 0x40;
        RemoteMemory nowhere = new RemoteMemory(64, 0, wrong, -1);
        pair.a().post(batch -> reach.open(batch, 1, nowhere).signaled());
        pair.a().sent(1);
        pair.a()
                .post(batch -> reach.open(batch, 2, nowhere)
                        .sge(pair.a().region(), 0, 0)
                        .signaled());
        pair.a().sent(2);
        bench.check()
                .equal(
                        "state of A",
                        QueuePairState.RTS,
                        pair.a().queuePair().query().state());
        bench.check()
                .equal(
                        "state of B",
                        QueuePairState.RTS,
                        pair.b().queuePair().query().state());
    }
}
