package dev.doorbell.quality.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.quality.stack.Workers;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.verbs.AsyncEvent;
import dev.doorbell.verbs.AsyncEvents;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.SharedReceiveQueue;
import dev.doorbell.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Each asynchronous event comes once, and says which object it concerns. */
@ParameterizedClass
@EnumSource(Path.class)
@Timeout(60)
final class AsyncEventsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final Pair pair;
    private final End left;
    private final End right;
    private final AsyncEvents events;

    AsyncEventsTest(Path path) {
        pair = Pair.on(path);
        left = pair.left();
        right = pair.right();
        events = right.context().events();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private void expect(AsyncEvent event) {
        assertThat(events.await(PATIENCE)).contains(event);
    }

    private void sendIntoReceive() {
        right.queuePair().postReceive(1, right.region().slice(0, 64));
        left.queuePair().postSend(2, left.region().slice(0, 64));
        left.completions().awaitSuccess(1, PATIENCE);
    }

    @Test
    void nothingHappensByItself() {
        sendIntoReceive();
        assertThat(events.poll()).isEmpty();
        assertThat(events.await(SHORT)).isEmpty();
    }

    @Test
    void communicationEstablished() {
        ReadyToReceive.restart(right.queuePair());
        sendIntoReceive();
        expect(new AsyncEvent.OfQueuePair(AsyncEventType.COMM_EST, right.queuePair()));
        assertThat(events.await(SHORT)).isEmpty();
    }

    @Test
    void accessError() {
        RemoteMemory there = right.region().remote();
        RemoteMemory wrong = new RemoteMemory(there.address(), there.length(), there.rkey() ^ 0x40, -1);
        try (SendBatch batch = left.queuePair().batch()) {
            batch.write(1, wrong, 0).sge(left.region(), 0, 8).signaled();
            batch.submit();
        }
        AsyncEvent event = events.await(PATIENCE).orElseThrow();
        assertThat(event).isEqualTo(new AsyncEvent.OfQueuePair(AsyncEventType.QP_ACCESS_ERR, right.queuePair()));
        assertThat(event.code()).isEqualTo(3);
        assertThat(right.queuePair().query().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void requestError() {
        right.queuePair().postReceive(1, right.region().slice(0, 8));
        left.queuePair().postSend(2, left.region().slice(0, 64));
        expect(new AsyncEvent.OfQueuePair(AsyncEventType.QP_REQ_ERR, right.queuePair()));
    }

    @Test
    void sendQueueDrained() {
        right.queuePair()
                .modify(QueuePairAttributes.builder()
                        .state(QueuePairState.SQD)
                        .sqdAsyncNotify(true)
                        .build());
        expect(new AsyncEvent.OfQueuePair(AsyncEventType.SQ_DRAINED, right.queuePair()));
    }

    @Test
    void sharedReceiveQueueBelowItsLimit() {
        SharedReceiveQueue shared = right.domain().sharedReceiveQueue(4).build();
        QueuePair receiver = right.domain()
                .queuePair(right.context().createCompletionQueue(32))
                .sharedReceiveQueue(shared)
                .depth(4, 4)
                .build();
        QueuePair sender = left.domain()
                .queuePair(left.context().createCompletionQueue(32))
                .depth(4, 4)
                .build();
        pair.connect(sender, receiver);
        for (int i = 0; i < 4; i++) {
            shared.postReceive(i, right.region().slice(0, 64));
        }
        shared.armLimit(3);
        for (int i = 0; i < 2; i++) {
            sender.postSend(i, left.region().slice(0, 64));
            sender.sendCompletions().awaitSuccess(1, PATIENCE);
        }
        expect(new AsyncEvent.OfSharedReceiveQueue(AsyncEventType.SRQ_LIMIT_REACHED, shared));
        receiver.modify(
                QueuePairAttributes.builder().state(QueuePairState.ERROR).build());
        expect(new AsyncEvent.OfQueuePair(AsyncEventType.QP_LAST_WQE_REACHED, receiver));
    }

    @Test
    void completionQueueOverrun() {
        CompletionQueue small = right.context().createCompletionQueue(1);
        QueuePair receiver = right.domain()
                .queuePair(right.completions())
                .receiveCompletions(small)
                .depth(8, 8)
                .allowCompletionQueueOvercommit()
                .build();
        QueuePair sender = left.domain()
                .queuePair(left.context().createCompletionQueue(32))
                .depth(8, 8)
                .build();
        pair.connect(sender, receiver);
        for (int i = 0; i <= small.capacity(); i++) {
            receiver.postReceive(i, right.region().slice(0, 64));
            sender.postSend(i, left.region().slice(0, 64));
        }
        List<AsyncEvent> seen = new ArrayList<>();
        for (Optional<AsyncEvent> next = events.await(PATIENCE);
                next.isPresent() && seen.stream().noneMatch(event -> event.type() == AsyncEventType.CQ_ERR);
                next = events.await(SHORT)) {
            seen.add(next.get());
        }
        assertThat(seen).contains(new AsyncEvent.OfCompletionQueue(AsyncEventType.CQ_ERR, small));
    }

    @Test
    void eventsOfAClosedObjectAreDropped() {
        QueuePair gone = right.queuePair();
        right.queuePair().postReceive(1, right.region().slice(0, 8));
        left.queuePair().postSend(2, left.region().slice(0, 64));
        left.completions().await(1, PATIENCE, WorkCompletion::copy);
        gone.close();
        right.completions().poll(9, WorkCompletion::copy);
        assertThat(events.await(SHORT)).isEmpty();
    }

    @Test
    void closingTheContextWakesWhoWaits() {
        Workers.run(
                PATIENCE,
                () -> assertThatThrownBy(() -> events.await(PATIENCE)).isInstanceOf(ClosedException.class),
                () -> {
                    Threads.awaitWaiting(1, "AsyncEvents");
                    right.context().close();
                });
        assertThatThrownBy(events::poll).isInstanceOf(ClosedException.class);
    }

    @Test
    void anInterruptedThreadStopsWaiting() {
        Workers.run(PATIENCE, () -> {
            Thread.currentThread().interrupt();
            assertThat(events.await(PATIENCE)).isEmpty();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        });
        ReadyToReceive.restart(right.queuePair());
        sendIntoReceive();
        expect(new AsyncEvent.OfQueuePair(AsyncEventType.COMM_EST, right.queuePair()));
    }
}
