package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.DeviceCapability;
import dev.doorbell.spec.FlushPlacement;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkRequestOpcode;
import org.junit.jupiter.api.Test;

/** What a queue pair can be asked for, and what is said otherwise. */
class OperationSetTest {
    private static final long EVERYTHING = -1;

    @Test
    void aServiceHasItsOperations() {
        assertThat(has(QueuePairType.RC, WorkRequestOpcode.RDMA_READ, EVERYTHING))
                .isTrue();
        assertThat(has(QueuePairType.UC, WorkRequestOpcode.RDMA_READ, EVERYTHING))
                .isFalse();
        assertThat(has(QueuePairType.UC, WorkRequestOpcode.RDMA_WRITE, EVERYTHING))
                .isTrue();
        assertThat(has(QueuePairType.UD, WorkRequestOpcode.RDMA_WRITE, EVERYTHING))
                .isFalse();
        assertThat(has(QueuePairType.UD, WorkRequestOpcode.SEND, EVERYTHING)).isTrue();
        assertThat(has(QueuePairType.RC, WorkRequestOpcode.TSO, EVERYTHING)).isFalse();
    }

    @Test
    void whatADeviceLacksAQueuePairLacks() {
        for (WorkRequestOpcode operation : WorkRequestOpcode.values()) {
            if (operation == WorkRequestOpcode.UNKNOWN) {
                continue;
            }
            boolean optional = switch (operation) {
                case BIND_MW, LOCAL_INV, SEND_WITH_INV, FLUSH, ATOMIC_WRITE, TSO, DRIVER1 -> true;
                default -> false;
            };
            assertThat(has(QueuePairType.RC, operation, 0)).as("%s", operation).isEqualTo(!optional);
        }
        assertThat(has(QueuePairType.RC, WorkRequestOpcode.ATOMIC_WRITE, DeviceCapability.ATOMIC_WRITE.bit()))
                .isTrue();
    }

    @Test
    void aBatchRefusesWhatTheDeviceLacksAndSaysWhy() {
        try (Fixture fixture = new Fixture()) {
            QueuePair queuePair = fixture.connected();
            assertThat(queuePair.supports(WorkRequestOpcode.SEND)).isTrue();
            assertThat(queuePair.supports(WorkRequestOpcode.ATOMIC_WRITE)).isFalse();
            assertThat(queuePair.supports(WorkRequestOpcode.UNKNOWN)).isFalse();
            assertThat(Refused.with(
                            dev.doorbell.kernel.Errno.EOPNOTSUPP,
                            () -> post(queuePair, batch -> batch.atomicWrite(1, 8, 9, 10))))
                    .isInstanceOf(NotSupportedException.class)
                    .hasMessageContaining("ATOMIC_WRITE")
                    .hasMessageContaining("EOPNOTSUPP");
            assertThat(Refused.with(
                            dev.doorbell.kernel.Errno.EOPNOTSUPP,
                            () -> post(queuePair, batch -> batch.flushAll(1, 9, FlushPlacement.PERSISTENCE))))
                    .isInstanceOf(NotSupportedException.class);
            assertThat(Refused.with(
                            dev.doorbell.kernel.Errno.EOPNOTSUPP,
                            () -> post(queuePair, batch -> batch.invalidate(1, 9))))
                    .isInstanceOf(NotSupportedException.class);
        }
    }

    @Test
    void theReasonNamesTheServiceOrTheCapability() {
        int flush = WorkRequestOpcode.FLUSH.code();
        assertThat(OperationSet.lacking("qp", QueuePairType.RC, flush))
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("FLUSH_GLOBAL");
        assertThat(OperationSet.lacking("qp", QueuePairType.UD, flush)).hasMessageContaining("UD");
    }

    private static boolean has(QueuePairType type, WorkRequestOpcode operation, long capabilities) {
        return (OperationSet.mask(type, capabilities) >>> operation.code() & 1) != 0;
    }

    private static void post(QueuePair queuePair, java.util.function.Consumer<SendBatch> work) {
        try (SendBatch batch = queuePair.batch()) {
            work.accept(batch);
            batch.submit();
        }
    }
}
