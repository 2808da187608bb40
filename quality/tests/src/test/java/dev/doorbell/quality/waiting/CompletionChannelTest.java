package dev.doorbell.quality.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.quality.stack.Workers;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.CompletionChannel;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.VerbsException;
import dev.doorbell.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Completion channels: which queue has completions, one event for each arming, and none left over. */
@ParameterizedClass
@EnumSource(Path.class)
@Timeout(60)
final class CompletionChannelTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final Pair pair;
    private final End left;
    private final End right;
    private final CompletionChannel channel;

    CompletionChannelTest(Path path) {
        pair = Pair.on(path);
        left = pair.left();
        right = pair.right();
        channel = right.context().createCompletionChannel();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    /** A receiver on the channel, connected to a sender of its own. */
    private record Line(QueuePair sender, QueuePair receiver, CompletionQueue received) {}

    private Line line() {
        CompletionQueue received =
                right.context().completionQueue(32).channel(channel).build();
        QueuePair receiver = right.domain()
                .queuePair(right.context().createCompletionQueue(32))
                .receiveCompletions(received)
                .depth(8, 8)
                .build();
        QueuePair sender = left.domain()
                .queuePair(left.context().createCompletionQueue(32))
                .depth(8, 8)
                .build();
        pair.connect(sender, receiver);
        return new Line(sender, receiver, received);
    }

    private void receive(Line line, int count) {
        for (int i = 0; i < count; i++) {
            line.receiver.postReceive(i, right.region().slice(0, 64));
        }
    }

    private void send(Line line, boolean solicited) {
        try (SendBatch batch = line.sender.batch()) {
            var send = batch.send(7).sge(left.region(), 0, 64).signaled();
            if (solicited) {
                send.solicited();
            }
            batch.submit();
        }
        line.sender.sendCompletions().awaitSuccess(1, PATIENCE);
    }

    @Test
    void manyQueuesShareAChannel() {
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Line line = line();
            receive(line, 2);
            line.received.arm();
            lines.add(line);
        }
        send(lines.get(3), false);
        assertThat(channel.await(PATIENCE)).containsSame(lines.get(3).received);
        assertThat(channel.poll()).isEmpty();

        lines.get(3).received.drain(WorkCompletion::requireSuccess);
        lines.forEach(line -> send(line, false));
        Set<CompletionQueue> ready = new HashSet<>();
        while (ready.size() < lines.size()) {
            ready.add(channel.await(PATIENCE).orElseThrow());
        }
        assertThat(ready)
                .containsExactlyInAnyOrderElementsOf(
                        lines.stream().map(Line::received).toList());
        assertThat(channel.await(SHORT)).isEmpty();
        assertThat(lines.get(3).received.acknowledgedEvents()).isEqualTo(2);
        assertThat(lines.get(0).received.acknowledgedEvents()).isEqualTo(1);
    }

    @Test
    void anUnarmedQueueSaysNothing() {
        Line line = line();
        receive(line, 2);
        send(line, false);
        assertThat(channel.await(SHORT)).isEmpty();
        line.received.arm();
        assertThat(channel.await(SHORT))
                .as("what is there already makes no event")
                .isEmpty();
        send(line, false);
        assertThat(channel.await(PATIENCE)).containsSame(line.received);
        assertThat(line.received.poll(9, WorkCompletion::requireSuccess)).isEqualTo(2);
    }

    @Test
    void drainingLeavesNothingAndArms() {
        Line line = line();
        receive(line, 3);
        send(line, false);
        send(line, false);
        assertThat(line.received.drain(WorkCompletion::requireSuccess)).isEqualTo(2);
        send(line, false);
        assertThat(channel.await(PATIENCE)).containsSame(line.received);
        assertThat(line.received.drain(WorkCompletion::requireSuccess)).isEqualTo(1);
    }

    @Test
    void solicitedOnly() {
        Line line = line();
        receive(line, 3);
        line.received.armSolicited();
        send(line, false);
        assertThat(channel.await(SHORT)).isEmpty();
        send(line, true);
        assertThat(channel.await(PATIENCE)).containsSame(line.received);

        line.received.armSolicited();
        line.received.arm();
        send(line, false);
        assertThat(channel.await(PATIENCE)).as("any outweighs solicited").containsSame(line.received);
    }

    /** Rule 3.11. */
    @Test
    void failedCompletionsCountAsSolicited() {
        Line line = line();
        receive(line, 1);
        line.received.armSolicited();
        // Its receive is flushed.
        line.receiver.close();
        assertThat(channel.await(PATIENCE)).containsSame(line.received);
        List<Completion> flushed = new ArrayList<>();
        line.received.poll(9, completion -> flushed.add(completion.copy()));
        assertThat(flushed).singleElement().matches(completion -> !completion.isSuccess());
    }

    @Test
    void channelsInUseStayOpen() {
        Line line = line();
        assertThatThrownBy(channel::close)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EBUSY")
                .hasMessageContaining(line.received.toString());
        line.receiver.close();
        line.received.close();
        channel.close();
        channel.close();
        assertThatThrownBy(channel::poll).isInstanceOf(ClosedException.class);
    }

    @Test
    void eventsOfAClosedQueueAreDropped() {
        Line gone = line();
        Line stays = line();
        for (Line line : List.of(gone, stays)) {
            receive(line, 1);
            line.received.arm();
            send(line, false);
        }
        gone.receiver.close();
        gone.received.close();
        assertThat(channel.await(PATIENCE)).containsSame(stays.received);
        assertThat(channel.await(SHORT)).isEmpty();
    }

    /** The event was taken out of the kernel by somebody who waits for another queue, and is pending in the library. */
    @Test
    void eventsOfAQueueThatIsClosedWhilePendingAreDropped() {
        Line gone = line();
        Line other = line();
        receive(gone, 1);
        gone.received.arm();
        send(gone, false);
        assertThat(other.received.await(1, SHORT, WorkCompletion::requireSuccess))
                .isZero();
        gone.receiver.close();
        gone.received.close();
        assertThat(channel.await(SHORT)).isEmpty();
    }

    @Test
    void closingTheContextWakesWhoWaits() {
        line();
        Workers.run(
                PATIENCE,
                () -> assertThatThrownBy(() -> channel.await(PATIENCE)).isInstanceOf(ClosedException.class),
                () -> assertThatThrownBy(() -> channel.await(PATIENCE)).isInstanceOf(ClosedException.class),
                () -> {
                    Threads.awaitWaiting(2, "CompletionChannel");
                    right.context().close();
                });
    }

    @Test
    void anInterruptedThreadStopsWaiting() {
        Line line = line();
        Workers.run(PATIENCE, () -> {
            Thread.currentThread().interrupt();
            assertThat(channel.await(PATIENCE)).isEmpty();
            assertThat(Thread.interrupted()).isTrue();
            Thread self = Thread.currentThread();
            Thread.ofVirtual().start(() -> {
                Threads.awaitWaiting(self);
                self.interrupt();
            });
            assertThat(channel.await(PATIENCE)).isEmpty();
            assertThat(Thread.interrupted()).isTrue();
        });
        receive(line, 1);
        line.received.arm();
        send(line, false);
        assertThat(channel.await(PATIENCE)).containsSame(line.received);
    }

    @Test
    void whatIsRefused() {
        CompletionQueue plain = right.context().createCompletionQueue(4);
        assertThatThrownBy(plain::arm)
                .hasMessageContaining("EINVAL")
                .hasMessageContaining("without a completion channel");
        assertThatThrownBy(plain::armSolicited).hasMessageContaining("EINVAL");
        assertThat(plain.channel()).isEmpty();
        assertThat(line().received.channel()).isEqualTo(Optional.of(channel));
        if (left.context() != right.context()) {
            assertThatThrownBy(() ->
                            left.context().completionQueue(4).channel(channel).build())
                    .hasMessageContaining("EINVAL")
                    .hasMessageContaining("another context");
        }
    }
}
