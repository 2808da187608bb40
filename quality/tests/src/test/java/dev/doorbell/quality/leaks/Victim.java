package dev.doorbell.quality.leaks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.CompletionChannel;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.SendBatch;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A program in a situation: it has a context with a queue pair, connected to one in a context of another device. */
final class Victim {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final SoftNetwork network;
    private final QueuePairState state;
    private final Context own;
    private final Context peers;
    private final ProtectionDomain domain;
    private final CompletionChannel channel;
    private final CompletionQueue sent;
    private final CompletionQueue received;
    private final MemoryRegion region;
    private final QueuePair queuePair;
    private final QueuePair peer;
    private final List<Thread> waiters = new ArrayList<>();
    private final List<Throwable> outcomes = new CopyOnWriteArrayList<>();

    /**
     * @param state where its queue pair is to be, which takes an unreliable connection for SQE
     */
    Victim(SoftNetwork network, List<Device> devices, QueuePairState state) {
        this.network = network;
        this.state = state;
        QueuePairType type = state == QueuePairState.SQE ? QueuePairType.UC : QueuePairType.RC;
        own = devices.getFirst().open();
        peers = devices.getLast().open();
        domain = own.allocateProtectionDomain();
        channel = own.createCompletionChannel();
        sent = own.createCompletionQueue(64);
        received = own.completionQueue(64).channel(channel).build();
        region = domain.register(Arena.ofAuto().allocate(1 << 16), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ);
        queuePair = domain.queuePair(sent)
                .type(type)
                .receiveCompletions(received)
                .depth(16, 16)
                .build();
        peer = peers.allocateProtectionDomain()
                .queuePair(peers.createCompletionQueue(64))
                .type(type)
                .depth(16, 16)
                .build();
    }

    void bring() {
        switch (state) {
            case RESET -> {}
            case INIT -> queuePair.initialize();
            case RTR -> {
                connect();
                QueuePairAttributes connected = queuePair.query();
                to(QueuePairState.RESET);
                queuePair.initialize();
                queuePair.modify(QueuePairAttributes.builder()
                        .state(QueuePairState.RTR)
                        .address(connected.address())
                        .pathMtu(connected.pathMtu())
                        .destinationQueuePair(connected.destinationQueuePair())
                        .receivePsn(connected.receivePsn())
                        .maxDestReadAtomic(connected.maxDestReadAtomic())
                        .minRnrTimer(connected.minRnrTimer())
                        .build());
            }
            case RTS -> connect();
            case SQD, ERROR -> {
                connect();
                to(state);
            }
            case SQE -> {
                connect();
                failToSend();
            }
        }
        assertThat(queuePair.query().state()).isEqualTo(state);
    }

    /** Sends memory that is nobody's, and takes the completion that says so. */
    private void failToSend() {
        try (SendBatch batch = queuePair.batch()) {
            batch.send(1).sge(64, 64, 5).signaled();
            batch.submit();
        }
        assertThat(sent.await(
                        1,
                        LONG,
                        completion -> assertThat(completion.isSuccess()).isFalse()))
                .isOne();
    }

    private void to(QueuePairState state) {
        queuePair.modify(QueuePairAttributes.builder().state(state).build());
    }

    private void connect() {
        ConnectOptions options = ConnectOptions.defaults()
                .ackTimeout(Duration.ofSeconds(4))
                .rnrTimer(Duration.ofMillis(400))
                .rnrRetry(7);
        queuePair.connect(peer.endpoint(), options);
        peer.connect(queuePair.endpoint(), options);
    }

    void enter(Situation situation) {
        switch (situation) {
            case IDLE -> {}
            case RECEIVES_POSTED -> {
                for (int i = 0; i < 16; i++) {
                    queuePair.postReceive(i, region.slice(0, 64));
                }
            }
            case SENDS_OUTSTANDING, RNR_WAITING, DRAINING, UNPOLLED -> send(8);
            case RETRY_TIMER_RUNNING -> {
                network.plug("soft1", false);
                send(8);
            }
            case CURSOR_OPEN -> sent.poll();
            case BATCH_OPEN -> queuePair.batch().send(1).sge(region, 0, 64);
            case WAITERS -> {
                await(true, () -> sent.await(1, LONG, completion -> {}));
                await(false, () -> sent.await(1, LONG, completion -> {}));
                await(true, () -> received.await(() -> false, LONG, completion -> {}));
                await(false, () -> channel.await(LONG));
                await(true, () -> channel.await(LONG));
            }
            case EVENT_WAITERS -> {
                await(true, () -> own.events().await(LONG));
                await(false, () -> own.events().await(LONG));
            }
            case SELECTING -> select();
            case UNREAD_EVENTS -> {
                received.arm();
                for (int i = 0; i < 100; i++) {
                    network.device("soft0").raisePortEvent(AsyncEventType.GID_CHANGE);
                }
            }
        }
    }

    private void send(int count) {
        try (SendBatch batch = queuePair.batch()) {
            for (int i = 0; i < count; i++) {
                batch.send(i).sge(region, 0, 4096).signaled();
            }
            batch.submit();
        }
    }

    private void await(boolean platform, Runnable wait) {
        Runnable body = () -> {
            try {
                wait.run();
                outcomes.add(new AssertionError("the wait ended by itself"));
            } catch (RuntimeException e) {
                outcomes.add(e);
            }
        };
        Thread thread = platform
                ? Thread.ofPlatform().daemon().name("waiter").start(body)
                : Thread.ofVirtual().name("waiter").start(body);
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        waiters.add(thread);
    }

    private void select() {
        Thread thread = Thread.ofPlatform().daemon().name("selecting").start(() -> {
            try (Selector selector = Selector.open()) {
                channel.selectable().register(selector, SelectionKey.OP_READ);
                own.events().selectable().register(selector, SelectionKey.OP_READ);
                while (!selector.keys().isEmpty()) {
                    selector.select();
                    selector.selectedKeys().clear();
                    channel.poll();
                    own.events().poll();
                }
                outcomes.add(new AssertionError("the keys went, and nothing was thrown"));
            } catch (IOException | RuntimeException e) {
                outcomes.add(e);
            }
        });
        while (java.util.Arrays.stream(thread.getStackTrace())
                .noneMatch(frame -> frame.getMethodName().equals("select"))) {
            Thread.yield();
        }
        waiters.add(thread);
    }

    /** Closes the context in the middle of it all; then the peer's, and whoever waited is gone. */
    void kill() throws InterruptedException {
        own.close();
        for (Thread waiter : waiters) {
            assertThat(waiter.join(Duration.ofSeconds(20)))
                    .as("%s has ended", waiter)
                    .isTrue();
        }
        assertThat(outcomes).hasSameSizeAs(waiters).allMatch(ClosedException.class::isInstance);
        peers.close();
    }
}
