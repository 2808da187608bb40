package dev.doorbell.quality.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.quality.stack.Workers;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.verbs.AsyncEvent;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.CompletionChannel;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.WorkCompletion;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A selector loop learns of every event, and may sleep as soon as it got nothing. */
@ParameterizedClass
@EnumSource(Path.class)
@Timeout(120)
final class SelectorTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long SOON_MS = 20;
    private static final long LATE_MS = 30_000;

    private final Pair pair;
    private final End left;
    private final End right;
    private final CompletionChannel channel;
    private final CompletionQueue received;
    private final QueuePair sender;
    private final QueuePair receiver;
    private final Selector selector = Selector.open();

    SelectorTest(Path path) throws IOException {
        pair = Pair.on(path);
        left = pair.left();
        right = pair.right();
        channel = right.context().createCompletionChannel();
        received = right.context().completionQueue(32).channel(channel).build();
        receiver = right.domain()
                .queuePair(right.completions())
                .receiveCompletions(received)
                .depth(8, 8)
                .build();
        sender = left.domain()
                .queuePair(left.context().createCompletionQueue(32))
                .depth(8, 8)
                .build();
    }

    @AfterEach
    void close() throws IOException {
        pair.close();
        selector.close();
    }

    private SelectionKey register(SelectableChannel selectable) throws IOException {
        assertThat(selectable.isBlocking()).isFalse();
        return selectable.register(selector, SelectionKey.OP_READ);
    }

    private int select(long ms) throws IOException {
        int count = selector.select(ms);
        selector.selectedKeys().clear();
        return count;
    }

    private void send() {
        sender.postSend(1, left.region().slice(0, 64));
        sender.sendCompletions().awaitSuccess(1, PATIENCE);
    }

    @Test
    void itIsReadableUntilNothingIsLeft() throws IOException {
        pair.connect(sender, receiver);
        register(channel.selectable());
        assertThat(channel.selectable()).isSameAs(channel.selectable());
        assertThat(channel.poll()).isEmpty();
        assertThat(select(SOON_MS)).as("nothing yet").isZero();
        for (int round = 0; round < 50; round++) {
            receiver.postReceive(1, right.region().slice(0, 64));
            received.arm();
            send();
            assertThat(select(LATE_MS)).isEqualTo(1);
            assertThat(select(LATE_MS)).as("level-triggered").isEqualTo(1);
            assertThat(channel.poll()).containsSame(received);
            assertThat(received.poll(9, WorkCompletion::requireSuccess)).isEqualTo(1);
            assertThat(channel.poll()).isEmpty();
            assertThat(selector.selectNow()).isZero();
        }
    }

    @Test
    void itIsReadableForWhatCameBeforeItWasMade() throws IOException {
        pair.connect(sender, receiver);
        receiver.postReceive(1, right.region().slice(0, 64));
        received.arm();
        send();
        register(channel.selectable());
        assertThat(select(LATE_MS)).isEqualTo(1);
        assertThat(channel.poll()).containsSame(received);
    }

    /** One thread takes events from the file that another one's selector waits for. */
    @Test
    void itIsReadableForWhatAnotherThreadReadAndDidNotWant() throws IOException {
        pair.connect(sender, receiver);
        register(channel.selectable());
        assertThat(channel.poll()).isEmpty();
        CompletionQueue other =
                right.context().completionQueue(4).channel(channel).build();
        receiver.postReceive(1, right.region().slice(0, 64));
        received.arm();
        send();
        assertThat(other.await(1, Duration.ofMillis(5), WorkCompletion::requireSuccess))
                .isZero();
        assertThat(select(LATE_MS)).isEqualTo(1);
        assertThat(channel.poll()).containsSame(received);
        assertThat(channel.poll()).isEmpty();
    }

    @Test
    void noMessageIsMissed() throws IOException {
        pair.connect(sender, receiver);
        int messages = 3000;
        register(channel.selectable());
        for (int i = 0; i < 8; i++) {
            receiver.postReceive(1, right.region().slice(0, 64));
        }
        received.arm();
        Workers.run(
                PATIENCE,
                () -> {
                    int[] taken = new int[1];
                    while (taken[0] < messages) {
                        select(LATE_MS);
                        for (Optional<CompletionQueue> ready = channel.poll();
                                ready.isPresent();
                                ready = channel.poll()) {
                            ready.get().drain(completion -> {
                                completion.requireSuccess();
                                taken[0]++;
                                receiver.postReceive(1, right.region().slice(0, 64));
                            });
                        }
                    }
                },
                () -> {
                    for (int i = 0; i < messages; i++) {
                        send();
                    }
                });
    }

    @Test
    void asynchronousEventsToo() throws IOException {
        register(right.context().events().selectable());
        assertThat(right.context().events().poll()).isEmpty();
        assertThat(select(SOON_MS)).isZero();
        // The receiver is still on its way to RTS when the message comes.
        pair.connect(sender, receiver);
        ReadyToReceive.restart(receiver);
        receiver.postReceive(1, right.region().slice(0, 64));
        send();
        assertThat(select(LATE_MS)).isEqualTo(1);
        assertThat(right.context().events().poll())
                .contains(new AsyncEvent.OfQueuePair(AsyncEventType.COMM_EST, receiver));
        assertThat(right.context().events().poll()).isEmpty();
        assertThat(selector.selectNow()).isZero();
    }

    /** The loop must not sleep on, with nobody left to wake it. */
    @Test
    void closingLetsASelectorReturn() throws IOException {
        SelectionKey key = register(channel.selectable());
        assertThat(channel.poll()).isEmpty();
        Workers.run(
                PATIENCE,
                () -> {
                    select(0);
                    assertThatThrownBy(channel::poll).isInstanceOf(ClosedException.class);
                    assertThat(key.isValid()).isFalse();
                },
                () -> {
                    Threads.awaitInside("sun.nio.ch.SelectorImpl");
                    right.context().close();
                });
        assertThat(key.channel().isOpen()).isFalse();
    }
}
