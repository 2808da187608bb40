package dev.doorbell.quality.misuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operations in each state of a queue pair get what C's verbs answer there. */
@ParameterizedClass
@EnumSource(Path.class)
@Timeout(60)
final class QueuePairStatesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Path path;

    QueuePairStatesTest(Path path) {
        this.path = path;
    }

    private static void to(QueuePair queuePair, QueuePairState state) {
        queuePair.modify(QueuePairAttributes.builder().state(state).build());
    }

    /** Brings a fresh queue pair into a state, connected with the other where that means something. */
    private static End inState(Pair pair, QueuePairState state) {
        End end = pair.anotherEnd(pair.left());
        QueuePair queuePair = end.queuePair();
        switch (state) {
            case RESET -> {}
            case INIT -> queuePair.initialize();
            case RTR -> {
                queuePair.connect(pair.right().queuePair().endpoint());
                QueuePairAttributes connected = queuePair.query();
                to(queuePair, QueuePairState.RESET);
                queuePair.initialize();
                queuePair.modify(QueuePairAttributes.builder()
                        .state(QueuePairState.RTR)
                        .address(connected.address())
                        .pathMtu(connected.pathMtu())
                        .destinationQueuePair(connected.destinationQueuePair())
                        .receivePsn(connected.receivePsn())
                        .maxDestReadAtomic(connected.maxDestReadAtomic())
                        .minRnrTimer(connected.minRnrTimer())
                        .build());
            }
            case RTS -> queuePair.connect(pair.right().queuePair().endpoint());
            case SQD, ERROR -> {
                queuePair.connect(pair.right().queuePair().endpoint());
                to(queuePair, state);
            }
            case SQE -> throw new IllegalArgumentException("a reliable connection is never there");
        }
        assertThat(queuePair.query().state()).isEqualTo(state);
        return end;
    }

    @ParameterizedTest
    @EnumSource(value = QueuePairState.class, names = "SQE", mode = EnumSource.Mode.EXCLUDE)
    void postingSends(QueuePairState state) {
        try (Pair pair = Pair.on(path)) {
            End end = inState(pair, state);
            switch (state) {
                case RESET, INIT, RTR ->
                    assertThatThrownBy(() ->
                                    end.queuePair().postSend(1, end.region().slice(0, 8)))
                            .isInstanceOf(VerbsException.class)
                            .hasMessageContaining("EINVAL")
                            .hasMessageContaining("state " + state);
                case RTS, SQD, SQE, ERROR ->
                    end.queuePair().postSend(1, end.region().slice(0, 8));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = QueuePairState.class, names = "SQE", mode = EnumSource.Mode.EXCLUDE)
    void postingReceives(QueuePairState state) {
        try (Pair pair = Pair.on(path)) {
            End end = inState(pair, state);
            if (state == QueuePairState.RESET) {
                assertThatThrownBy(() ->
                                end.queuePair().postReceive(1, end.region().slice(0, 8)))
                        .isInstanceOf(VerbsException.class)
                        .hasMessageContaining("EINVAL")
                        .hasMessageContaining("RESET");
            } else {
                end.queuePair().postReceive(1, end.region().slice(0, 8));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = QueuePairState.class, names = "SQE", mode = EnumSource.Mode.EXCLUDE)
    void connecting(QueuePairState state) {
        try (Pair pair = Pair.on(path)) {
            End end = inState(pair, state);
            QueuePair queuePair = end.queuePair();
            switch (state) {
                case RESET, INIT -> queuePair.connect(pair.right().queuePair().endpoint());
                case RTR, RTS, SQD, SQE, ERROR -> {
                    assertThatThrownBy(() ->
                                    queuePair.connect(pair.right().queuePair().endpoint()))
                            .isInstanceOf(VerbsException.class)
                            .hasMessageContaining("EINVAL")
                            .hasMessageContaining(state.name());
                    assertThat(queuePair.query().state()).isEqualTo(state);
                }
            }
        }
    }

    /** Every state may go to RESET, and every other one to ERROR; what may not is refused and changes nothing. */
    @ParameterizedTest
    @EnumSource(value = QueuePairState.class, names = "SQE", mode = EnumSource.Mode.EXCLUDE)
    void modifying(QueuePairState from) {
        try (Pair pair = Pair.on(path)) {
            for (QueuePairState to : QueuePairState.values()) {
                End end = inState(pair, from);
                if (to == QueuePairState.RESET || (to == QueuePairState.ERROR && from != QueuePairState.RESET)) {
                    to(end.queuePair(), to);
                    assertThat(end.queuePair().query().state()).isEqualTo(to);
                } else if (!mayGoWithoutAttributes(from, to)) {
                    assertThatThrownBy(() -> to(end.queuePair(), to))
                            .as("%s to %s", from, to)
                            .isInstanceOf(VerbsException.class)
                            .hasMessageContaining("EINVAL");
                    assertThat(end.queuePair().query().state()).isEqualTo(from);
                }
            }
        }
    }

    private static boolean mayGoWithoutAttributes(QueuePairState from, QueuePairState to) {
        return switch (from) {
            case INIT -> to == QueuePairState.INIT;
            case RTS -> to == QueuePairState.RTS || to == QueuePairState.SQD;
            case SQD -> to == QueuePairState.RTS || to == QueuePairState.SQD;
            case RESET, RTR, SQE, ERROR -> false;
        };
    }

    @Test
    void whatIsPostedInErrorIsFlushed() {
        try (Pair pair = Pair.on(path)) {
            End end = inState(pair, QueuePairState.ERROR);
            end.queuePair().postSend(1, end.region().slice(0, 8));
            end.queuePair().postReceive(2, end.region().slice(0, 8));
            end.queuePair().postSend(3, end.region().slice(0, 8));
            List<Completion> completions = new ArrayList<>();
            end.completions().await(3, PATIENCE, completion -> completions.add(completion.copy()));
            assertThat(completions)
                    .extracting(Completion::status)
                    .hasSize(3)
                    .containsOnly(WorkCompletionStatus.WR_FLUSH_ERR);
            assertThat(completions).extracting(Completion::id).containsExactlyInAnyOrder(1L, 2L, 3L);
            assertThat(end.completions().poll(1, completion -> {})).isZero();
        }
    }

    @Test
    void aDrainedSendQueueWaits() {
        try (Pair pair = Pair.on(path)) {
            End left = pair.left();
            to(left.queuePair(), QueuePairState.SQD);
            try (SendBatch batch = left.queuePair().batch()) {
                batch.write(1, pair.right().region().remote(), 0)
                        .sge(left.region(), 0, 8)
                        .signaled();
                batch.submit();
            }
            assertThat(left.completions().await(1, Duration.ofMillis(20), completion -> {}))
                    .isZero();

            to(left.queuePair(), QueuePairState.RTS);

            left.completions().awaitSuccess(1, PATIENCE);
        }
    }

    @Test
    void resetForgets() {
        try (Pair pair = Pair.on(path)) {
            End left = pair.left();
            left.queuePair().postSend(1, left.region().slice(0, 8));
            left.queuePair().postReceive(2, left.region().slice(0, 8));

            to(left.queuePair(), QueuePairState.RESET);

            assertThat(left.completions().await(1, Duration.ofMillis(20), completion -> {}))
                    .isZero();
            assertThat(left.queuePair().receiveCredit()).isZero();
            assertThat(left.queuePair().sendSlots()).isEqualTo(16);
        }
    }
}
