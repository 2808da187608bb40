package dev.doorbell.quality.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.PortState;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.verbs.AsyncEvent;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.CompletionChannel;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.SharedReceiveQueue;
import dev.doorbell.verbs.WaitPolicy;
import dev.doorbell.verbs.WorkCompletion;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting on Linux's own Soft-RoCE: channels, blocked threads of both kinds, selectors, and asynchronous events. */
@Tag("lab")
@Timeout(180)
final class WaitingLabTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(100);

    private final Context context = Device.named("rxe0").open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final CompletionChannel channel = context.createCompletionChannel();
    private final MemoryRegion region = domain.register(Arena.ofAuto().allocate(4096, 4096), AccessFlag.LOCAL_WRITE);

    @AfterEach
    void close() {
        context.close();
    }

    private record Line(QueuePair sender, QueuePair receiver, CompletionQueue received) {}

    private Line line(CompletionQueue received) {
        QueuePair receiver = domain.queuePair(context.createCompletionQueue(16))
                .receiveCompletions(received)
                .depth(8, 8)
                .build();
        QueuePair sender =
                domain.queuePair(context.createCompletionQueue(16)).depth(8, 8).build();
        sender.connect(receiver.endpoint());
        receiver.connect(sender.endpoint());
        return new Line(sender, receiver, received);
    }

    private Line onChannel() {
        return line(context.completionQueue(16).channel(channel).build());
    }

    private void receive(Line line) {
        line.receiver.postReceive(1, region.slice(0, 64));
    }

    private void send(Line line, boolean solicited) {
        try (SendBatch batch = line.sender.batch()) {
            var send = batch.send(1).sge(region, 64, 64).signaled();
            if (solicited) {
                send.solicited();
            }
            batch.submit();
        }
        line.sender.sendCompletions().awaitSuccess(1, PATIENCE);
    }

    @Test
    void oneEventForEachArming() {
        Line first = onChannel();
        Line second = onChannel();
        for (Line line : List.of(first, second)) {
            receive(line);
            receive(line);
            line.received.arm();
        }
        send(second, false);
        assertThat(channel.await(PATIENCE)).containsSame(second.received);
        send(second, false);
        assertThat(channel.await(SHORT)).isEmpty();
        send(first, false);
        assertThat(channel.await(PATIENCE)).containsSame(first.received);
        assertThat(second.received.drain(WorkCompletion::requireSuccess)).isEqualTo(2);
        first.receiver.close();
        first.received.close();
        assertThat(first.received.acknowledgedEvents()).isEqualTo(1);
    }

    @Test
    void solicitedOnly() {
        Line line = onChannel();
        for (int i = 0; i < 3; i++) {
            receive(line);
        }
        line.received.armSolicited();
        send(line, false);
        assertThat(channel.await(SHORT)).isEmpty();
        send(line, true);
        assertThat(channel.await(PATIENCE)).containsSame(line.received);
    }

    @Test
    void blockedThreadsAreWokenAndInterrupted() throws Exception {
        Line line = line(
                context.completionQueue(16).waitPolicy(WaitPolicy.blockAtOnce()).build());
        for (boolean virtual : new boolean[] {true, false}) {
            receive(line);
            Thread.Builder builder =
                    virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
            Thread waiter = builder.start(() -> line.received.awaitSuccess(1, PATIENCE));
            awaitParked(waiter);
            send(line, false);
            assertThat(waiter.join(PATIENCE)).isTrue();
            Thread interrupted = builder.start(() -> line.received.await(1, PATIENCE, completion -> {}));
            awaitParked(interrupted);
            interrupted.interrupt();
            assertThat(interrupted.join(PATIENCE)).isTrue();
        }
    }

    private static void awaitParked(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
            Thread.yield();
        }
    }

    @Test
    void manyVirtualThreads() throws Exception {
        int count = 32;
        List<Future<?>> all = new ArrayList<>();
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Line line = line(context.completionQueue(16)
                    .waitPolicy(WaitPolicy.blockAtOnce())
                    .build());
            receive(line);
            lines.add(line);
        }
        try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Line line : lines) {
                all.add(virtual.submit(() -> line.received.awaitSuccess(1, PATIENCE)));
            }
            for (Line line : lines.reversed()) {
                send(line, false);
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    @Test
    void aSelectorLoop() throws IOException {
        Line line = onChannel();
        try (Selector selector = Selector.open()) {
            channel.selectable().register(selector, SelectionKey.OP_READ);
            assertThat(channel.poll()).isEmpty();
            assertThat(selector.selectNow()).isZero();
            for (int i = 0; i < 20; i++) {
                receive(line);
                line.received.arm();
                send(line, false);
                assertThat(selector.select(PATIENCE.toMillis())).isEqualTo(1);
                selector.selectedKeys().clear();
                assertThat(channel.poll()).containsSame(line.received);
                assertThat(line.received.drain(WorkCompletion::requireSuccess)).isEqualTo(1);
                assertThat(channel.poll()).isEmpty();
            }
        }
    }

    @Test
    void closingWakesWhoWaits() throws Exception {
        try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletionQueue queue = context.createCompletionQueue(4);
            List<Future<?>> waits = List.of(
                    virtual.submit(() ->
                            assertThatThrownBy(() -> channel.await(PATIENCE)).isInstanceOf(ClosedException.class)),
                    virtual.submit(() -> assertThatThrownBy(() -> queue.await(1, PATIENCE, completion -> {}))
                            .isInstanceOf(ClosedException.class)),
                    virtual.submit(
                            () -> assertThatThrownBy(() -> context.events().await(PATIENCE))
                                    .isInstanceOf(ClosedException.class)));
            context.close();
            for (Future<?> wait : waits) {
                wait.get();
            }
        }
    }

    @Test
    void aDrainedSendQueue() {
        Line line = onChannel();
        line.sender.modify(QueuePairAttributes.builder()
                .state(QueuePairState.SQD)
                .sqdAsyncNotify(true)
                .build());
        assertThat(context.events().await(SHORT).filter(event -> event.type() != AsyncEventType.SQ_DRAINED))
                .as("nothing else")
                .isEmpty();
    }

    @Test
    void aSharedQueueBelowItsLimit() {
        SharedReceiveQueue shared = domain.sharedReceiveQueue(8).build();
        CompletionQueue received = context.createCompletionQueue(32);
        QueuePair receiver = domain.queuePair(received)
                .sharedReceiveQueue(shared)
                .depth(4, 4)
                .build();
        QueuePair sender =
                domain.queuePair(context.createCompletionQueue(16)).depth(4, 4).build();
        sender.connect(receiver.endpoint());
        receiver.connect(sender.endpoint());
        for (int i = 0; i < 8; i++) {
            shared.postReceive(i, region.slice(0, 64));
        }
        shared.armLimit(7);
        for (int i = 0; i < 3; i++) {
            sender.postSend(i, region.slice(64, 64));
            sender.sendCompletions().awaitSuccess(1, PATIENCE);
        }
        assertThat(context.events().await(PATIENCE))
                .contains(new AsyncEvent.OfSharedReceiveQueue(AsyncEventType.SRQ_LIMIT_REACHED, shared));
    }

    @Test
    void aPortThatGoesDownAndUp() throws Exception {
        try {
            link("down");
            expectPort(AsyncEventType.PORT_ERR);
            assertThat(context.queryPort(1).state()).isNotEqualTo(PortState.ACTIVE);
        } finally {
            link("up");
        }
        expectPort(AsyncEventType.PORT_ACTIVE);
        assertThat(context.queryPort(1).state()).isEqualTo(PortState.ACTIVE);
    }

    private static void link(String state) throws IOException, InterruptedException {
        Commands.run("ip", "link", "set", "lab0", state);
    }

    /** The GID table changes too. */
    private void expectPort(AsyncEventType type) {
        Optional<AsyncEvent> event = context.events().await(PATIENCE);
        while (event.isPresent() && event.get().type() == AsyncEventType.GID_CHANGE) {
            event = context.events().await(PATIENCE);
        }
        assertThat(event).contains(new AsyncEvent.OfPort(type, context.device(), 1));
    }
}
