package dev.doorbell.quality.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads that wait for completions: they cost nothing meanwhile, and each gets what it waits for. */
@ParameterizedClass
@EnumSource(Path.class)
@Timeout(120)
final class BlockingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Pair pair;
    private final End left;
    private final End right;

    BlockingTest(Path path) {
        pair = Pair.on(path);
        left = pair.left();
        right = pair.right();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private void send() {
        left.queuePair().postSend(1, left.region().slice(0, 64));
    }

    @Test
    void aBlockedThreadDoesNotBurnACore() {
        Workers.run(PATIENCE, () -> {
            var threads = ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadCpuTime();
            assertThat(right.completions().await(1, Duration.ofMillis(400), WorkCompletion::requireSuccess))
                    .isZero();
            assertThat(threads.getCurrentThreadCpuTime() - before)
                    .isLessThan(Duration.ofMillis(100).toNanos());
        });
    }

    @Test
    void theNextMessageWakesIt() {
        for (int round = 0; round < 20; round++) {
            right.queuePair().postReceive(1, right.region().slice(0, 64));
            Workers.run(PATIENCE, () -> right.completions().awaitSuccess(1, PATIENCE), () -> {
                Threads.awaitWaiting(1, "CompletionWaiting");
                send();
                left.completions().awaitSuccess(1, PATIENCE);
            });
        }
    }

    /** With one completion for each: one event may stand for several completions, and all waiters must look. */
    @Test
    void severalThreadsWaitForOneQueue() {
        int waiters = 6;
        for (int i = 0; i < waiters; i++) {
            right.queuePair().postReceive(1, right.region().slice(0, 64));
        }
        Workers.Work[] works = new Workers.Work[waiters + 1];
        for (int i = 0; i < waiters; i++) {
            works[i] = () -> right.completions().awaitSuccess(1, PATIENCE);
        }
        works[waiters] = () -> {
            Threads.awaitWaiting(waiters, "CompletionWaiting");
            for (int i = 0; i < waiters; i++) {
                send();
            }
            left.completions().awaitSuccess(waiters, PATIENCE);
        };
        Workers.run(PATIENCE, works);
    }

    /** Whoever reads an event gives it to whom it concerns. */
    @Test
    void threadsThatWaitForDifferentQueuesOfOneChannel() {
        CompletionChannel channel = right.context().createCompletionChannel();
        int lines = 5;
        List<Workers.Work> works = new ArrayList<>();
        List<QueuePair> senders = new ArrayList<>();
        List<QueuePair> receivers = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            CompletionQueue received =
                    right.context().completionQueue(32).channel(channel).build();
            QueuePair receiver = right.domain().queuePair(received).depth(8, 8).build();
            CompletionQueue sent = left.context().createCompletionQueue(32);
            QueuePair sender = left.domain().queuePair(sent).depth(8, 8).build();
            pair.connect(sender, receiver);
            senders.add(sender);
            receivers.add(receiver);
            receiver.postReceive(1, right.region().slice(0, 64));
            works.add(() -> received.awaitSuccess(1, PATIENCE));
        }
        works.add(() -> {
            Threads.awaitWaiting(lines, "CompletionWaiting");
            for (QueuePair sender : senders.reversed()) {
                sender.postSend(1, left.region().slice(0, 64));
                sender.sendCompletions().awaitSuccess(1, PATIENCE);
            }
        });
        Workers.run(PATIENCE, works.toArray(Workers.Work[]::new));
        receivers.forEach(QueuePair::close);
    }

    @Test
    void closingTheQueueWakesWhoWaits() {
        CompletionQueue queue = right.context().createCompletionQueue(4);
        CompletionQueue onChannel = right.context()
                .completionQueue(4)
                .channel(right.context().createCompletionChannel())
                .build();
        for (CompletionQueue closed : List.of(queue, onChannel)) {
            Workers.run(
                    PATIENCE,
                    () -> assertThatThrownBy(() -> closed.await(1, PATIENCE, completion -> {}))
                            .isInstanceOf(ClosedException.class),
                    () -> assertThatThrownBy(() -> closed.await(() -> false, PATIENCE, completion -> {}))
                            .isInstanceOf(ClosedException.class),
                    () -> {
                        Threads.awaitWaiting(2, "CompletionWaiting");
                        closed.close();
                    });
        }
    }

    /** What the library flushes by itself makes no event in the kernel. */
    @Test
    void aQueuePairThatIsDestroyedAtOnceWakesWhoWaits() {
        right.queuePair().postReceive(1, right.region().slice(0, 64));
        Workers.run(
                PATIENCE,
                () -> assertThat(right.completions()
                                .await(
                                        1,
                                        PATIENCE,
                                        completion -> assertThat(completion.isSuccess())
                                                .isFalse()))
                        .isEqualTo(1),
                () -> {
                    Threads.awaitWaiting(1, "CompletionWaiting");
                    right.queuePair().close(Duration.ZERO);
                });
    }

    @Test
    void aConditionIsSeenThatComesTrueWithoutACompletion() {
        AtomicInteger seen = new AtomicInteger();
        Workers.run(
                PATIENCE,
                () -> assertThat(right.completions().await(() -> seen.get() == 1, PATIENCE, completion -> {}))
                        .isTrue(),
                () -> {
                    Threads.awaitWaiting(1, "CompletionWaiting");
                    seen.set(1);
                });
    }

    @Test
    void policies() {
        for (WaitPolicy policy : List.of(
                WaitPolicy.blockAtOnce(),
                WaitPolicy.spinThenBlock(Duration.ofMillis(1)),
                WaitPolicy.alwaysSpin(),
                WaitPolicy.DEFAULT)) {
            CompletionQueue queue =
                    right.context().completionQueue(32).waitPolicy(policy).build();
            long start = System.nanoTime();
            assertThat(queue.await(1, Duration.ofMillis(5), completion -> {})).isZero();
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(5_000_000);
            queue.close();
        }
    }

    /** The tests' JVM has two carriers. */
    @Test
    void manyVirtualThreadsWaitOnTwoCarriers() throws Exception {
        int waiters = 64;
        int rounds = 20;
        assertThat(System.getProperty("jdk.virtualThreadScheduler.maxPoolSize")).isEqualTo("2");
        CountDownLatch ready = new CountDownLatch(waiters);
        try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < waiters; i++) {
                all.add(virtual.submit(() -> pingPong(rounds, ready)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    /** Each waits for its own queue between messages; all of them have to be under way before the first goes on. */
    private void pingPong(int rounds, CountDownLatch ready) {
        CompletionQueue sent = left.context()
                .completionQueue(16)
                .waitPolicy(WaitPolicy.blockAtOnce())
                .build();
        CompletionQueue received = right.context()
                .completionQueue(16)
                .waitPolicy(WaitPolicy.blockAtOnce())
                .build();
        QueuePair sender = left.domain().queuePair(sent).depth(4, 4).build();
        QueuePair receiver = right.domain().queuePair(received).depth(4, 4).build();
        pair.connect(sender, receiver);
        receiver.postReceive(0, right.region().slice(0, 64));
        ready.countDown();
        Thread peer = Thread.startVirtualThread(() -> {
            try {
                ready.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            for (int i = 0; i < rounds; i++) {
                sender.postSend(i, left.region().slice(0, 64));
                sent.awaitSuccess(1, PATIENCE);
            }
        });
        for (int i = 0; i < rounds; i++) {
            received.awaitSuccess(1, PATIENCE);
            if (i + 1 < rounds) {
                receiver.postReceive(i, right.region().slice(0, 64));
            }
        }
        try {
            peer.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        receiver.close();
    }
}
