package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Allowance;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.End;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.Endpoint;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.VerbsException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The states of a reliable connection: which way leads where, with which attributes, and that a refusal changes nothing. */
final class TransitionCases {
    private static final Set<QueuePairState> STATES = EnumSet.of(
            QueuePairState.RESET,
            QueuePairState.INIT,
            QueuePairState.RTR,
            QueuePairState.RTS,
            QueuePairState.SQD,
            QueuePairState.ERROR);

    private TransitionCases() {}

    static List<ConformanceCase> cases() {
        List<ConformanceCase> cases = new ArrayList<>();
        for (QueuePairState from : STATES) {
            for (QueuePairState to : STATES) {
                String name = "qp.transition.%s-to-%s".formatted(from, to).toLowerCase(Locale.ROOT);
                cases.add(ConformanceCase.named(name)
                        .from("ibv_modify_qp(3)")
                        .runs(bench -> transition(bench, from, to)));
            }
        }
        cases.add(missing(
                "rtr-without-address",
                QueuePairState.INIT,
                builder -> builder.state(QueuePairState.RTR)
                        .pathMtu(Mtu.MTU_1024)
                        .destinationQueuePair(2)
                        .receivePsn(1)
                        .maxDestReadAtomic(1)
                        .minRnrTimer(1)));
        cases.add(missing(
                "rts-without-timeout",
                QueuePairState.RTR,
                builder -> builder.state(QueuePairState.RTS)
                        .retryCount(1)
                        .rnrRetry(1)
                        .sendPsn(1)
                        .maxReadAtomic(1)));
        cases.add(missing(
                "init-without-port",
                QueuePairState.RESET,
                builder -> builder.state(QueuePairState.INIT).pkeyIndex(0).access(0)));
        cases.add(missing(
                "init-with-an-attribute-too-many",
                QueuePairState.RESET,
                builder -> builder.state(QueuePairState.INIT)
                        .port(1)
                        .pkeyIndex(0)
                        .access(0)
                        .sendPsn(1)));
        cases.add(missing(
                "init-on-port-2",
                QueuePairState.RESET,
                builder ->
                        builder.state(QueuePairState.INIT).port(77).pkeyIndex(0).access(0)));
        cases.add(ConformanceCase.named("qp.modify-refused.wrong-current-state")
                .from("ibv_modify_qp(3): EINVAL")
                .runs(TransitionCases::wrongCurrentState));
        return cases;
    }

    private static ConformanceCase missing(
            String name, QueuePairState from, UnaryOperator<QueuePairAttributes.Builder> attributes) {
        return ConformanceCase.named("qp.modify-refused." + name)
                .from("ibv_modify_qp(3): EINVAL")
                .runs(bench -> {
                    Pair pair = bench.pair(QueuePairType.RC).unconnected().build();
                    bring(pair.a(), pair.b().queuePair().endpoint(), from);
                    bench.check()
                            .refused(
                                    name,
                                    "EINVAL",
                                    () -> pair.a()
                                            .queuePair()
                                            .modify(attributes
                                                    .apply(QueuePairAttributes.builder())
                                                    .build()));
                    bench.check()
                            .equal("state", from, pair.a().queuePair().query().state());
                });
    }

    private static void wrongCurrentState(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC).unconnected().build();
        bring(pair.a(), pair.b().queuePair().endpoint(), QueuePairState.RTS);
        String answer = "taken";
        try {
            pair.a()
                    .queuePair()
                    .modify(QueuePairAttributes.builder()
                            .state(QueuePairState.RTS)
                            .currentState(QueuePairState.SQD)
                            .build());
        } catch (VerbsException e) {
            answer = e.errnoName();
        }
        bench.check()
                .answer(
                        "wrong-current-state",
                        "EINVAL",
                        answer,
                        Allowance.rxe("taken", "rxe believes the current state that it is told"));
        bench.check()
                .equal("state", QueuePairState.RTS, pair.a().queuePair().query().state());
    }

    private static void transition(Bench bench, QueuePairState from, QueuePairState to) {
        Pair pair = bench.pair(QueuePairType.RC).unconnected().build();
        Endpoint peer = pair.b().queuePair().endpoint();
        bring(pair.a(), peer, from);
        bench.check().equal("state before", from, pair.a().queuePair().query().state());
        QueuePairAttributes attributes = attributes(pair.a(), peer, from, to);
        if (isAllowed(from, to)) {
            pair.a().queuePair().modify(attributes);
            bench.check().equal("state", to, pair.a().queuePair().query().state());
        } else {
            bench.check()
                    .refused(
                            from + " to " + to,
                            "EINVAL",
                            () -> pair.a().queuePair().modify(attributes));
            bench.check().equal("state", from, pair.a().queuePair().query().state());
        }
    }

    private static boolean isAllowed(QueuePairState from, QueuePairState to) {
        return switch (to) {
            case RESET -> true;
            case ERROR -> from != QueuePairState.RESET;
            case INIT -> from == QueuePairState.RESET || from == QueuePairState.INIT;
            case RTR -> from == QueuePairState.INIT;
            case RTS -> from == QueuePairState.RTR || from == QueuePairState.RTS || from == QueuePairState.SQD;
            case SQD -> from == QueuePairState.RTS || from == QueuePairState.SQD;
            case SQE -> false;
        };
    }

    /** Walks a fresh queue pair to a state. */
    static void bring(End end, Endpoint peer, QueuePairState to) {
        List<QueuePairState> way = switch (to) {
            case RESET -> List.of();
            case INIT -> List.of(QueuePairState.INIT);
            case RTR -> List.of(QueuePairState.INIT, QueuePairState.RTR);
            case RTS -> List.of(QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS);
            case SQD, ERROR -> List.of(QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS, to);
            case SQE -> throw new IllegalArgumentException("a reliable connection is never there");
        };
        QueuePairState at = QueuePairState.RESET;
        for (QueuePairState next : way) {
            end.queuePair().modify(attributes(end, peer, at, next));
            at = next;
        }
        if (to == QueuePairState.SQD) {
            end.drains();
        }
    }

    /** What a transition to this state needs; for one that does not exist, what the usual one there needs. */
    private static QueuePairAttributes attributes(End end, Endpoint peer, QueuePairState from, QueuePairState to) {
        QueuePairAttributes.Builder builder = QueuePairAttributes.builder().state(to);
        Endpoint own = end.queuePair().endpoint();
        int gidIndex = end.queuePair().gid().entry().index();
        switch (to) {
            case INIT -> builder.port(own.port()).pkeyIndex(0).access(0);
            case RTR ->
                builder.address(AddressVector.roce(peer.gid(), own.port(), gidIndex))
                        .pathMtu(Mtu.MTU_1024)
                        .destinationQueuePair(peer.queuePairNumber())
                        .receivePsn(peer.psn())
                        .maxDestReadAtomic(1)
                        .minRnrTimer(12);
            case RTS -> {
                if (from != QueuePairState.RTS && from != QueuePairState.SQD) {
                    builder.timeout(14)
                            .retryCount(7)
                            .rnrRetry(7)
                            .sendPsn(own.psn())
                            .maxReadAtomic(1);
                }
            }
            case RESET, SQD, SQE, ERROR -> {}
        }
        return builder.build();
    }
}
