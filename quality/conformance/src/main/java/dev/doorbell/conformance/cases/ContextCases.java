package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.QueuePairAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A context that is closed with everything in it, whatever is under way; fabrics that can look see that nothing is left. */
final class ContextCases {
    private static final Set<QueuePairState> STATES = EnumSet.of(
            QueuePairState.RESET,
            QueuePairState.INIT,
            QueuePairState.RTR,
            QueuePairState.RTS,
            QueuePairState.SQD,
            QueuePairState.ERROR);

    private ContextCases() {}

    static List<ConformanceCase> cases() {
        List<ConformanceCase> cases = new ArrayList<>();
        for (QueuePairState state : STATES) {
            cases.add(ConformanceCase.named(
                            "context.closed-with-work@" + state.name().toLowerCase(Locale.ROOT))
                    .from("ibv_close_device(3); gap: destroy with outstanding work")
                    .runs(bench -> closed(bench, state)));
        }
        cases.add(ConformanceCase.named("context.closed-while-receiver-not-ready")
                .from("ibv_close_device(3)")
                .runs(ContextCases::closedInRetry));
        cases.add(ConformanceCase.named("context.closed-while-target")
                .from("ibv_close_device(3): the peer's requests fail")
                .runs(ContextCases::closedTarget));
        cases.add(ConformanceCase.named("context.closed-beside-another")
                .from("ibv_close_device(3): contexts are independent")
                .runs(ContextCases::closedBeside));
        return cases;
    }

    /** Posts what the state takes, and closes everything without looking. */
    private static void closed(Bench bench, QueuePairState state) {
        Pair.Builder builder = bench.pair(QueuePairType.RC).unconnected();
        Pair pair = builder.build();
        if (state != QueuePairState.RESET) {
            if (state == QueuePairState.INIT) {
                pair.a().queuePair().initialize();
            } else if (state == QueuePairState.RTR) {
                TransitionCases.bring(pair.a(), pair.b().queuePair().endpoint(), state);
            } else {
                builder.connect(pair.a(), pair.b());
            }
            for (int i = 0; i < 8; i++) {
                pair.a().receive(i, 0, 64);
            }
        }
        if (state.code() >= QueuePairState.RTS.code()) {
            if (state != QueuePairState.RTS) {
                pair.a()
                        .queuePair()
                        .modify(QueuePairAttributes.builder().state(state).build());
            }
            // The first waits for a receive, and the others for the first.
            pair.a().post(batch -> {
                batch.send(1).sge(pair.a().region(), 0, 8).signaled();
                batch.read(2, pair.b().remote(), 0)
                        .sge(pair.a().region(), 0, 4096)
                        .signaled();
                batch.write(3, pair.b().remote(), 0)
                        .sge(pair.a().region(), 0, 4096)
                        .signaled();
            });
        }
        bench.check().equal("state", state, pair.a().queuePair().query().state());
        bench.a().context().close();
        bench.check()
                .thrown(
                        "query",
                        ClosedException.class,
                        () -> pair.a().queuePair().query());
        bench.check()
                .thrown(
                        "a batch",
                        ClosedException.class,
                        () -> pair.a().queuePair().batch());
        bench.check()
                .thrown("poll", ClosedException.class, () -> pair.a().sends().poll());
        bench.check().that("region is closed", !pair.a().region().isOpen());
    }

    private static void closedInRetry(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC)
                .options(options -> options.rnrTimer(Duration.ofMillis(655)))
                .build();
        Pair behind = bench.pair();
        pair.a().post(batch -> batch.send(1).sge(pair.a().region(), 0, 8).signaled());
        // What comes behind it has arrived: so the request has too, and was turned away.
        for (int i = 0; i < 3; i++) {
            int id = i;
            behind.a()
                    .post(batch -> batch.write(id, behind.b().remote(), 0)
                            .sge(behind.a().region(), 0, 8)
                            .signaled());
            behind.a().sent(id);
        }
        pair.a().nothingSent();
        bench.a().context().close();
        pair.b().receive(9, 0, 64);
        pair.b().nothingReceived();
    }

    private static void closedTarget(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC)
                .options(options -> options.retryCount(1).ackTimeout(Duration.ofMillis(16)))
                .build();
        pair.a()
                .post(batch -> batch.write(1, pair.b().remote(), 0)
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        pair.a().sent(1);
        bench.b().context().close();
        pair.a()
                .post(batch -> batch.write(2, pair.b().remote(), 0)
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        pair.a().sent(2, WorkCompletionStatus.RETRY_EXC_ERR);
        pair.a().reaches(QueuePairState.ERROR);
    }

    private static void closedBeside(Bench bench) {
        Pair pair = bench.pair();
        for (int i = 0; i < 5; i++) {
            try (var other = bench.a().open()) {
                var domain = other.allocateProtectionDomain();
                domain.register(bench.memory(100), Reach.everything());
                domain.queuePair(other.createCompletionQueue(256)).build();
            }
            int id = i;
            pair.b().receive(id, 0, 64);
            pair.a().post(batch -> batch.send(id).sge(pair.a().region(), 0, 8).signaled());
            pair.a().sent(id);
            pair.b().received(id);
        }
    }
}
