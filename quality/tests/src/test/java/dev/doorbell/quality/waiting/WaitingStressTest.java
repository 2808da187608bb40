package dev.doorbell.quality.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.quality.stack.Workers;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.CompletionChannel;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.WaitPolicy;
import dev.doorbell.verbs.WorkCompletion;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The real thing under load: no wake-up is lost between threads that block at once, nor at a close at any moment. */
@Timeout(200)
final class WaitingStressTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int MESSAGES = 3000;
    private static final int CREDITS = 8;

    /** Three threads take what comes on one queue, each blocking for every completion. */
    @ParameterizedTest
    @EnumSource(Path.class)
    void manyTakersOfOneQueue(Path path) {
        try (Pair pair = Pair.on(path)) {
            End right = pair.right();
            CompletionQueue received = right.context()
                    .completionQueue(64)
                    .waitPolicy(WaitPolicy.blockAtOnce())
                    .build();
            QueuePair receiver =
                    right.domain().queuePair(received).depth(CREDITS, CREDITS).build();
            CompletionQueue sent = pair.left()
                    .context()
                    .completionQueue(64)
                    .waitPolicy(WaitPolicy.blockAtOnce())
                    .build();
            QueuePair sender =
                    pair.left().domain().queuePair(sent).depth(CREDITS, CREDITS).build();
            pair.connect(sender, receiver);
            for (int i = 0; i < CREDITS; i++) {
                receiver.postReceive(i, right.region().slice(0, 64));
            }
            AtomicInteger claimed = new AtomicInteger();
            AtomicInteger taken = new AtomicInteger();
            Workers.Work taker = () -> {
                while (claimed.getAndIncrement() < MESSAGES) {
                    int came = received.await(1, PATIENCE, completion -> {
                        completion.requireSuccess();
                        receiver.postReceive(1, right.region().slice(0, 64));
                    });
                    assertThat(came).as("after %d", taken.get()).isEqualTo(1);
                    taken.incrementAndGet();
                }
            };
            Workers.run(PATIENCE, taker, taker, taker, () -> {
                for (int i = 0; i < MESSAGES; i++) {
                    sender.postSend(i, pair.left().region().slice(0, 64));
                    sent.awaitSuccess(1, PATIENCE);
                }
            });
            assertThat(taken).hasValue(MESSAGES);
        }
    }

    /** A thread waits for the channel while another waits for one of its queues. */
    @ParameterizedTest
    @EnumSource(Path.class)
    void channelAndQueueAtTheSameTime(Path path) {
        try (Pair pair = Pair.on(path)) {
            End right = pair.right();
            CompletionChannel channel = right.context().createCompletionChannel();
            CompletionQueue[] received = new CompletionQueue[2];
            QueuePair[] senders = new QueuePair[2];
            QueuePair[] receivers = new QueuePair[2];
            for (int i = 0; i < 2; i++) {
                received[i] = right.context()
                        .completionQueue(64)
                        .channel(channel)
                        .waitPolicy(WaitPolicy.blockAtOnce())
                        .build();
                receivers[i] = right.domain()
                        .queuePair(received[i])
                        .depth(CREDITS, CREDITS)
                        .build();
                senders[i] = pair.left()
                        .domain()
                        .queuePair(pair.left().context().createCompletionQueue(64))
                        .depth(CREDITS, CREDITS)
                        .build();
                pair.connect(senders[i], receivers[i]);
                for (int credit = 0; credit < CREDITS; credit++) {
                    receivers[i].postReceive(1, right.region().slice(0, 64));
                }
            }
            received[0].arm();
            Workers.run(
                    PATIENCE,
                    () -> {
                        int[] taken = new int[1];
                        while (taken[0] < MESSAGES) {
                            channel.await(PATIENCE)
                                    .filter(queue -> queue == received[0])
                                    .ifPresent(queue -> queue.drain(completion -> {
                                        completion.requireSuccess();
                                        taken[0]++;
                                        receivers[0].postReceive(
                                                1, right.region().slice(0, 64));
                                    }));
                        }
                    },
                    () -> {
                        for (int i = 0; i < MESSAGES; i++) {
                            received[1].await(1, PATIENCE, WorkCompletion::requireSuccess);
                            receivers[1].postReceive(1, right.region().slice(0, 64));
                        }
                    },
                    () -> send(pair, senders[0]),
                    () -> send(pair, senders[1]));
        }
    }

    private static void send(Pair pair, QueuePair sender) {
        for (int i = 0; i < MESSAGES; i++) {
            sender.postSend(i, pair.left().region().slice(0, 64));
            sender.sendCompletions().awaitSuccess(1, PATIENCE);
        }
    }

    @ParameterizedTest
    @EnumSource(Path.class)
    void closedAtAnyMoment(Path path) {
        for (int run = 0; run < 60; run++) {
            SplittableRandom random = new SplittableRandom(run);
            int spins = random.nextInt(200_000);
            try (Pair pair = Pair.on(path)) {
                End right = pair.right();
                CompletionChannel channel = right.context().createCompletionChannel();
                CompletionQueue queue = right.context()
                        .completionQueue(4)
                        .channel(channel)
                        .waitPolicy(WaitPolicy.blockAtOnce())
                        .build();
                Workers.run(
                        PATIENCE,
                        () -> assertThatThrownBy(() -> queue.await(1, PATIENCE, completion -> {}))
                                .isInstanceOf(ClosedException.class),
                        () -> assertThatThrownBy(() -> channel.await(PATIENCE)).isInstanceOf(ClosedException.class),
                        () -> assertThatThrownBy(() -> right.context().events().await(PATIENCE))
                                .isInstanceOf(ClosedException.class),
                        () -> {
                            for (int i = 0; i < spins; i++) {
                                Thread.onSpinWait();
                            }
                            right.context().close();
                        });
            }
        }
    }

    /** What a thread allocates when it blocks is small; that it allocates nothing when it need not is tested elsewhere. */
    @ParameterizedTest
    @EnumSource(Path.class)
    void blockingAllocatesLittle(Path path) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Pair pair = Pair.on(path)) {
            CompletionQueue queue = pair.right()
                    .context()
                    .completionQueue(4)
                    .waitPolicy(WaitPolicy.blockAtOnce())
                    .build();
            int waits = 500;
            long allocated = 0;
            for (int round = 0; round < 4; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < waits; i++) {
                    queue.await(1, Duration.ofNanos(20_000), completion -> {});
                }
                allocated = threads.getCurrentThreadAllocatedBytes() - before;
            }
            assertThat(allocated / waits).as("bytes for each wait that blocks").isLessThan(1000);
        }
    }
}
