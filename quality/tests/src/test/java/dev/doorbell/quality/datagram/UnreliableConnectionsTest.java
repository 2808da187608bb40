package dev.doorbell.quality.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.testkit.VirtualClock;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Connection;
import dev.doorbell.verbs.SendBatch;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Unreliable connections as programs use them. */
@ParameterizedClass
@EnumSource(Path.class)
@Timeout(60)
final class UnreliableConnectionsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int BYTES = 1 << 20;

    private final Path path;

    UnreliableConnectionsTest(Path path) {
        this.path = path;
    }

    private Pair pair(Mtu mtu) {
        return Pair.builder()
                .path(path)
                .clock(new VirtualClock())
                .bytes(2 * BYTES)
                .options(ConnectOptions.defaults().maxMtu(mtu))
                .queuePair(queuePair -> queuePair.type(QueuePairType.UC))
                .build();
    }

    @Test
    void connectingSaysThatNothingIsRepeated() {
        try (Pair pair = pair(Mtu.MTU_1024)) {
            End end = pair.anotherEnd(pair.left());
            Connection connection =
                    end.queuePair().connect(pair.right().queuePair().endpoint());
            assertThat(connection.ackTimeout()).isZero();
            assertThat(connection.retryCount()).isZero();
            assertThat(connection.maxReadAtomic()).isZero();
            assertThat(connection.mtu()).isEqualTo(Mtu.MTU_4096);
            assertThat(end.queuePair().query().destinationQueuePair())
                    .isEqualTo(pair.right().queuePair().number());
        }
    }

    @ParameterizedTest
    @EnumSource(Mtu.class)
    void aMegabyteArrives(Mtu mtu) {
        try (Pair pair = pair(mtu)) {
            End left = pair.left();
            End right = pair.right();
            left.memory().fill((byte) mtu.code());
            right.queuePair().postReceive(1, right.region().slice(0, BYTES));
            right.queuePair().postReceive(2, right.region().slice(0, 0));
            try (SendBatch batch = left.queuePair().batch()) {
                batch.send(1).sge(left.region(), 0, BYTES).signaled();
                batch.writeWithImmediate(2, right.region().remote(), BYTES, 9)
                        .sge(left.region(), BYTES, BYTES)
                        .signaled();
                batch.submit();
            }
            assertThat(left.completions().await(2, PATIENCE, completion -> completion.requireSuccess()))
                    .isEqualTo(2);
            assertThat(right.completions().await(2, PATIENCE, completion -> completion.requireSuccess()))
                    .isEqualTo(2);
            assertThat(right.memory().mismatch(left.memory())).isEqualTo(-1);
        }
    }
}
