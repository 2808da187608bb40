package dev.doorbell.quality.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.AsyncEvent;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the accounting of completion queues promises, and what happens to a program that it cannot hold back. */
@ParameterizedClass
@EnumSource(Path.class)
@Timeout(60)
final class CompletionOverflowTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Pair pair;
    private final End left;
    private final End right;

    CompletionOverflowTest(Path path) {
        pair = Pair.on(path);
        left = pair.left();
        right = pair.right();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private static void write(QueuePair queuePair, End from, End to, long id) {
        try (var batch = queuePair.batch()) {
            batch.write(id, to.region().remote(), 0).sge(from.region(), 0, 8).signaled();
            batch.submit();
        }
    }

    /** Slots come back when the device has retired their work requests, polled or not. */
    @Test
    void aProgramThatNeverPollsOverflowsItsQueueAndIsTold() {
        CompletionQueue small = left.context().createCompletionQueue(7);
        QueuePair sender = left.domain().queuePair(small).depth(7, 0).build();
        QueuePair taker =
                right.domain().queuePair(right.completions()).depth(1, 1).build();
        pair.connect(sender, taker);
        int posted = 0;
        while (sender.query().state() == QueuePairState.RTS) {
            if (sender.sendSlots() > 0) {
                write(sender, left, right, posted++);
            }
        }

        Optional<AsyncEvent> first = left.context().events().await(PATIENCE);
        Optional<AsyncEvent> second = left.context().events().await(PATIENCE);
        assertThat(List.of(first.orElseThrow(), second.orElseThrow()))
                .containsExactly(
                        new AsyncEvent.OfCompletionQueue(AsyncEventType.CQ_ERR, small),
                        new AsyncEvent.OfQueuePair(AsyncEventType.QP_FATAL, sender));
        assertThat(left.context().events().poll()).isEmpty();
        List<Completion> kept = new ArrayList<>();
        small.poll(100, completion -> kept.add(completion.copy()));
        assertThat(kept).extracting(Completion::id).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(kept).extracting(Completion::status).containsOnly(WorkCompletionStatus.SUCCESS);
        write(sender, left, right, posted);
        assertThat(small.poll(1, completion -> {})).as("it stays in error").isZero();
        sender.close();
        small.close();
        left.queuePair().postSend(1, left.region().slice(0, 8));
        right.queuePair().postReceive(2, right.region().slice(0, 8));
        assertThat(left.completions().await(1, PATIENCE, completion -> {}))
                .as("others are not touched")
                .isEqualTo(1);
    }

    @Test
    void sendsAndReceivesCompleteWhereTheyWereTold() {
        CompletionQueue sends = left.context().createCompletionQueue(8);
        CompletionQueue receives = left.context().createCompletionQueue(16);
        QueuePair queuePair = left.domain()
                .queuePair(sends)
                .receiveCompletions(receives)
                .depth(8, 16)
                .build();
        assertThat(sends.committed()).isEqualTo(8);
        assertThat(receives.committed()).isEqualTo(16);
        pair.connect(queuePair, pair.anotherEnd(right).queuePair());
        for (int id = 0; id < 16; id++) {
            queuePair.postReceive(id, left.region().slice(0, 8));
        }
        for (int id = 100; id < 104; id++) {
            queuePair.postSend(id, left.region().slice(0, 8));
        }
        queuePair.close();
        List<Long> ids = new ArrayList<>();
        sends.await(4, PATIENCE, completion -> ids.add(completion.id()));
        assertThat(ids).containsExactly(100L, 101L, 102L, 103L);
        ids.clear();
        receives.await(16, PATIENCE, completion -> ids.add(completion.id()));
        assertThat(ids).hasSize(16).isSorted();
        assertThat(sends.poll(1, completion -> {}) + receives.poll(1, completion -> {}))
                .isZero();
    }

    @Test
    void aResizeIsRefusedBelowWhatIsCommitted() {
        CompletionQueue queue = left.context().createCompletionQueue(20);
        QueuePair queuePair = left.domain().queuePair(queue).depth(10, 6).build();
        assertThatThrownBy(() -> queue.resize(15))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOSPC))
                .hasMessageContaining("16 completions are committed");
        assertThatThrownBy(() -> queue.resize(0)).hasMessageContaining("EINVAL");
        assertThatThrownBy(() -> queue.resize(1 << 20)).hasMessageContaining("EINVAL");
        assertThat(queue.capacity()).isEqualTo(31);
        queue.resize(100);
        assertThat(queue.capacity()).isEqualTo(127);
        assertThatThrownBy(() -> left.domain().queuePair(queue).depth(100, 12).build())
                .hasMessageContaining("ENOSPC");
        left.domain().queuePair(queue).depth(100, 11).build().close();
        queuePair.close();
        queue.resize(1);
        assertThat(queue.capacity()).isEqualTo(1);
    }

    @Test
    void aQueueInUseByThisThreadIsNotResized() {
        try (var round = left.completions().poll()) {
            assertThat(round.next()).isFalse();
            assertThatThrownBy(() -> left.completions().resize(100)).hasMessageContaining("EBUSY");
        }
        left.completions().resize(100);
    }
}
