package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AccessFlag;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ReceiveBatchTest {
    private final Fixture fixture = new Fixture();
    private final QueuePair queuePair = fixture.connected();
    private final MemorySlice slice = fixture.region.slice(0, 64);

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void receivesAreHandedOverTogether() {
        try (ReceiveBatch batch = queuePair.receives()) {
            batch.receive(1).sge(slice);
            batch.receive(2).sge(slice).sge(fixture.region, 64, 8);
            assertThat(batch.size()).isEqualTo(2);
            assertThat(batch.room()).isEqualTo(6);
            assertThat(queuePair.receiveCredit()).isZero();
            assertThat(batch.submit()).isEqualTo(2);
            assertThat(batch.submit()).isZero();
        }
        assertThat(queuePair.receiveCredit()).isEqualTo(2);
        try (ReceiveBatch batch = queuePair.receives()) {
            batch.receive(3);
        }
        assertThat(queuePair.receiveCredit()).as("not submitted, not posted").isEqualTo(2);
        fixture.fake().receives.deliver(10, 0x01020304);
        assertThat(queuePair.receiveCredit()).isEqualTo(1);
    }

    @Test
    void aFullQueueDiffersFromTooManyElements() {
        for (int i = 0; i < 8; i++) {
            queuePair.postReceive(i, slice);
        }
        QueueFullException full = catchThrowableOfType(QueueFullException.class, () -> queuePair.postReceive(8, slice));
        assertThat(full.outstanding()).isEqualTo(8);
        assertThat(full.capacity()).isEqualTo(8);
        fixture.fake().receives.deliver(1, 0);
        try (ReceiveBatch batch = queuePair.receives()) {
            batch.receive(9).sge(slice).sge(slice);
            Refused.with(Errno.EINVAL, 3, 2, () -> batch.sge(slice));
            Refused.with(Errno.EINVAL, () -> batch.receive(10));
            Refused.with(Errno.EINVAL, batch::submit);
        }
        assertThat(queuePair.receiveCredit()).isEqualTo(7);
    }

    @Test
    void receivesNeedAStateThatReceives() {
        QueuePair fresh = fixture.builder().build();
        assertThat(Refused.with(Errno.EINVAL, fresh::receives).asked()).isEqualTo("RESET");
        fresh.initialize();
        fresh.postReceive(1, slice);
        assertThat(fresh.receiveCredit()).isEqualTo(1);
    }

    @Test
    void elementsAreChecked() {
        try (ProtectionDomain other = fixture.context.allocateProtectionDomain();
                MemoryRegion foreign = other.register(Arena.ofAuto().allocate(8), AccessFlag.LOCAL_WRITE)) {
            Refused.with(Errno.EINVAL, () -> queuePair.postReceive(1, foreign.slice()));
        }
        MemoryRegion gone = fixture.domain.register(Arena.ofAuto().allocate(8), AccessFlag.LOCAL_WRITE);
        MemorySlice closed = gone.slice();
        gone.close();
        assertThatThrownBy(() -> queuePair.postReceive(1, closed)).isInstanceOf(ClosedException.class);
        try (ReceiveBatch batch = queuePair.receives()) {
            Refused.with(Errno.EINVAL, () -> batch.sge(slice));
            batch.receive(1);
            assertThatThrownBy(() -> batch.sge(fixture.region, 4096, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        }
        try (ReceiveBatch batch = queuePair.receives()) {
            batch.receive(1);
            Refused.with(Errno.EINVAL, () -> batch.sge(0, 1L << 32, 1));
        }
        assertThat(queuePair.receiveCredit()).isZero();
    }

    @Test
    void aBatchEndsWithItsClose() {
        ReceiveBatch batch = queuePair.receives();
        Refused.with(Errno.EBUSY, queuePair::receives);
        batch.close();
        batch.close();

        Refused.with(Errno.EINVAL, () -> batch.receive(1));
        Refused.with(Errno.EINVAL, batch::submit);
        Refused.with(Errno.EINVAL, batch::room);
        Refused.with(Errno.EINVAL, batch::size);
    }
}
