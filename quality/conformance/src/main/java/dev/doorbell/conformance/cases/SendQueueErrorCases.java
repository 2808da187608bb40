package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.CaseBody;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Allowance;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.QueuePairAttributes;
import java.util.List;

/** What fails at the sender of an unreliable connection stops its send queue, and nothing else. */
final class SendQueueErrorCases {
    private static final String NEVER = "rxe never enters SQE: the whole queue pair goes to the error state";
    private static final String OTHER_STATUS = "rxe has other words for a wrong local key";

    private SendQueueErrorCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                sqe("send-queue-stops-alone", "IBV_QPS_SQE; rule 3.9", SendQueueErrorCases::stopsAlone),
                sqe("starts-again", "ibv_modify_qp(3): SQE to RTS; rule 3.9", SendQueueErrorCases::startsAgain),
                sqe("goes-on-to-error", "ibv_modify_qp(3): SQE to ERR; rule 3.8", SendQueueErrorCases::goesOn),
                sqe("modify-refused", "ibv_modify_qp(3): EINVAL", SendQueueErrorCases::refused));
    }

    private static ConformanceCase sqe(String name, String from, CaseBody body) {
        return ConformanceCase.named("uc.sqe." + name)
                .from(from)
                .needs(Capability.UC)
                .runs(body);
    }

    /** Lets a send of side A fail by its local key. Returns whether the send queue is in SQE, as it should. */
    private static boolean fail(Bench bench, Pair pair) {
        int wrong = pair.a().region().lkey() ^ 0x40;
        pair.a().receive(31, 0, 64);
        pair.a().post(batch -> {
            batch.send(1).sge(pair.a().region().address(), 64, wrong).signaled();
            batch.send(2).sge(pair.a().region(), 0, 8);
        });
        pair.a()
                .sent(
                        1,
                        WorkCompletionStatus.LOC_PROT_ERR,
                        Allowance.rxe(WorkCompletionStatus.LOC_QP_OP_ERR, OTHER_STATUS),
                        Allowance.rxe(WorkCompletionStatus.WR_FLUSH_ERR, OTHER_STATUS));
        pair.a().sent(2, WorkCompletionStatus.WR_FLUSH_ERR);
        QueuePairState state = pair.a().queuePair().query().state();
        bench.check().answer("state", QueuePairState.SQE, state, Allowance.rxe(QueuePairState.ERROR, NEVER));
        return state == QueuePairState.SQE;
    }

    private static void to(Pair pair, QueuePairState state) {
        pair.a().queuePair().modify(QueuePairAttributes.builder().state(state).build());
    }

    private static void stopsAlone(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UC).build();
        if (!fail(bench, pair)) {
            return;
        }
        pair.a().post(batch -> batch.send(3).sge(pair.a().region(), 0, 8));
        pair.a().sent(3, WorkCompletionStatus.WR_FLUSH_ERR);
        pair.a().nothingReceived();
        pair.b().post(batch -> batch.send(1).sge(pair.b().region(), 0, 8).signaled());
        pair.b().sent(1);
        pair.a().received(31);
    }

    private static void startsAgain(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UC).build();
        if (!fail(bench, pair)) {
            return;
        }
        pair.a()
                .queuePair()
                .modify(QueuePairAttributes.builder()
                        .state(QueuePairState.RTS)
                        .currentState(QueuePairState.SQE)
                        .build());
        pair.b().receive(21, 0, 64);
        pair.a().post(batch -> batch.send(3).sge(pair.a().region(), 0, 8).signaled());
        pair.a().sent(3);
        pair.b().received(21);
    }

    private static void goesOn(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UC).build();
        if (!fail(bench, pair)) {
            return;
        }
        to(pair, QueuePairState.ERROR);
        pair.a().received(31, WorkCompletionStatus.WR_FLUSH_ERR);
        to(pair, QueuePairState.RESET);
        bench.check()
                .equal(
                        "state",
                        QueuePairState.RESET,
                        pair.a().queuePair().query().state());
    }

    private static void refused(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UC).build();
        if (!fail(bench, pair)) {
            return;
        }
        for (QueuePairState state : List.of(QueuePairState.INIT, QueuePairState.RTR, QueuePairState.SQD)) {
            bench.check().refused("to " + state, "EINVAL", () -> to(pair, state));
        }
        bench.check()
                .equal("state", QueuePairState.SQE, pair.a().queuePair().query().state());
    }
}
