package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program's own objects at queue pairs and completion queues, and the ways that lead to them. */
@Timeout(20)
final class AttachmentTest {
    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void nothingIsAttachedUnlessTheProgramDoesIt() {
        QueuePair queuePair = fixture.builder().build();
        assertThat(queuePair.attachment()).isNull();
        assertThat(fixture.completions.attachment()).isNull();

        assertThat(queuePair.attach("session")).isNull();
        assertThat(queuePair.attach(null)).isEqualTo("session");
        assertThat(queuePair.attachment()).isNull();
        assertThat(fixture.completions.attach("worker")).isNull();
        assertThat(fixture.completions.attachment()).isEqualTo("worker");
    }

    @Test
    void aBuilderAttachesFromTheBeginning() {
        QueuePair.Builder builder = fixture.builder().attachment("session");
        assertThat(builder.build().attachment()).isEqualTo("session");
        assertThat(builder.attachment(null).build().attachment()).isNull();
        CompletionQueue queue =
                fixture.context.completionQueue(16).attachment("worker").build();
        assertThat(queue.attachment()).isEqualTo("worker");
    }

    @Test
    void aCompletionLeadsToTheQueuePairAsLongAsItIsThere() {
        QueuePair queuePair = fixture.builder().attachment("session").build();
        complete(queuePair.number(), WorkCompletionStatus.SUCCESS);
        complete(queuePair.number(), WorkCompletionStatus.WR_FLUSH_ERR);
        complete(queuePair.number() + 1, WorkCompletionStatus.SUCCESS);
        try (CompletionCursor poll = fixture.completions.poll()) {
            assertThat(poll.next()).isTrue();
            assertThat(poll.queuePair()).isSameAs(queuePair);
            assertThat(poll.next()).isTrue();
            assertThat(poll.isSuccess()).isFalse();
            assertThat(poll.queuePair()).isSameAs(queuePair);
            assertThat(poll.next()).isTrue();
            assertThat(poll.queuePair()).isNull();
        }
        assertThat(fixture.context.queuePair(queuePair.number())).contains(queuePair);

        complete(queuePair.number(), WorkCompletionStatus.SUCCESS);
        queuePair.close();
        AtomicReference<@Nullable Object> found = new AtomicReference<>("unasked");
        fixture.completions.poll(1, completion -> found.set(completion.queuePair()));
        assertThat(found.get()).isNull();
        assertThat(fixture.context.queuePair(queuePair.number())).isEmpty();
        assertThat(queuePair.attachment()).as("after close").isEqualTo("session");
    }

    private void complete(int number, WorkCompletionStatus status) {
        fixture.fakeCompletions().complete(1, status.code(), number, WorkCompletionOpcode.SEND.code(), 8);
    }

    @Test
    void anEventLeadsToTheObject() {
        QueuePair queuePair = fixture.builder().attachment("session").build();
        fixture.device.channel.events.add(
                new long[] {fixture.fake().request().cookie(), AsyncEventType.QP_FATAL.code()});
        assertThat(fixture.context.events().poll().orElseThrow())
                .isInstanceOfSatisfying(
                        AsyncEvent.OfQueuePair.class,
                        event -> assertThat(event.queuePair().attachment()).isEqualTo("session"));
        assertThat(queuePair.isOpen()).isTrue();
    }
}
