package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class SingleThreadedTest {
    private final Fixture fixture = new Fixture();
    private final CompletionQueue queue =
            fixture.context.completionQueue(32).vector(1).singleThreaded().build();
    private final QueuePair queuePair = Fixture.connect(
            fixture.domain.queuePair(queue).depth(8, 8).singleThreaded().build());

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void oneThreadAfterTheOtherMayUseIt() {
        fixture.fake().sends.executes = true;
        queuePair.postSend(1, fixture.region.slice(0, 8));
        OtherThread.run(() -> {
            queuePair.postSend(2, fixture.region.slice(0, 8));
            assertThat(queue.poll(9, WorkCompletion::requireSuccess)).isEqualTo(2);
        });
        assertThat(queuePair.sendSlots()).isEqualTo(8);
        assertThat(queue.vector()).isEqualTo(1);
        queuePair.close();
        assertThatThrownBy(queuePair::batch).isInstanceOf(ClosedException.class);
    }

    @Test
    void overlapsThatAreSeenAreRefused() {
        try (SendBatch batch = queuePair.batch()) {
            batch.send(1);
            OtherThread.run(() -> {
                assertThat(Refused.with(Errno.EBUSY, queuePair::batch)).hasMessageContaining("single-threaded");
                Refused.with(Errno.EBUSY, queuePair::close);
            });
        }
        try (CompletionCursor cursor = queue.poll()) {
            OtherThread.run(() -> Refused.with(Errno.EBUSY, queue::poll));
            assertThat(cursor.next()).isFalse();
        }
        queuePair.close();
    }
}
