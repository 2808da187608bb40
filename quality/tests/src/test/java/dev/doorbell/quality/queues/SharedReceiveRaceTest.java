package dev.doorbell.quality.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.quality.stack.Workers;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.QueueFullException;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SharedReceiveQueue;
import dev.doorbell.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads post to a shared receive queue, send to its queue pairs, resize it, and close them all, at any moment: each receive
 * that was posted is either reported once, or was still waiting when the queue was closed.
 */
@Timeout(200)
final class SharedReceiveRaceTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int RUNS = 40;
    private static final int COMPLETIONS = 1023;

    /** Receives that may be out and not seen by the thread that polls: fewer than the completion queue holds. */
    private static final int UNSEEN = COMPLETIONS - 64;

    @ParameterizedTest
    @EnumSource(Path.class)
    void noReceiveIsLostOrUsedTwice(Path path) {
        for (int run = 0; run < RUNS; run++) {
            try (Pair pair = Pair.on(path)) {
                new Round(pair, new SplittableRandom(run)).play();
            }
        }
    }

    private static final class Round {
        private final End sender;
        private final End taker;
        private final SplittableRandom random;
        private final SharedReceiveQueue shared;
        private final CompletionQueue received;
        private final List<QueuePair> senders = new ArrayList<>();
        private final List<QueuePair> takers = new ArrayList<>();
        private final AtomicBoolean over = new AtomicBoolean();
        private final AtomicLong posted = new AtomicLong();
        private final AtomicLong seen = new AtomicLong();

        Round(Pair pair, SplittableRandom random) {
            this.random = random;
            this.sender = pair.left();
            this.taker = pair.right();
            this.received = taker.context().createCompletionQueue(COMPLETIONS);
            this.shared = taker.domain().sharedReceiveQueue(24).build();
            for (int i = 0; i < 2; i++) {
                QueuePair from = sender.domain()
                        .queuePair(sender.completions())
                        .depth(8, 0)
                        .build();
                QueuePair to = taker.domain()
                        .queuePair(received)
                        .depth(0, 0)
                        .sharedReceiveQueue(shared)
                        .build();
                pair.connect(from, to);
                senders.add(from);
                takers.add(to);
            }
        }

        void play() {
            int spins = random.nextInt(200_000);
            BitSet used = new BitSet();
            SplittableRandom forPosts = random.split();
            SplittableRandom forSends = random.split();
            Workers.run(DEADLINE, () -> post(forPosts), () -> send(forSends), () -> poll(used), () -> {
                for (int i = 0; i < spins; i++) {
                    Thread.onSpinWait();
                }
                takers.getFirst().close();
                senders.forEach(QueuePair::close);
                takers.getLast().close();
                over.set(true);
            });
            int waiting = shared.receiveCredit();
            take(used);
            shared.close();
            assertThat(used.cardinality() + waiting).as("none is lost").isEqualTo((int) posted.get());
            assertThat(used.nextClearBit(0)).as("the oldest first").isEqualTo(used.cardinality());
        }

        private void post(SplittableRandom own) {
            long next = 0;
            while (!over.get()) {
                if (next - seen.get() > UNSEEN) {
                    // The thread that polls is behind: more would overflow its queue, which is another test's subject.
                    Thread.onSpinWait();
                    continue;
                }
                try (ReceiveBatch batch = shared.receives()) {
                    int count = own.nextInt(1, 4);
                    for (int i = 0; i < count; i++) {
                        batch.receive(next + i).sge(taker.region(), 0, 4096);
                    }
                    if (own.nextInt(8) > 0) {
                        next += batch.submit();
                        posted.set(next);
                    }
                } catch (QueueFullException full) {
                    Thread.onSpinWait();
                }
                if (own.nextInt(20) == 0) {
                    resize(own.nextInt(4, 60));
                }
            }
        }

        private void resize(int depth) {
            try {
                shared.resize(depth);
            } catch (VerbsException tooSmall) {
                assertThat(tooSmall.errnoName()).isEqualTo("EINVAL");
            }
        }

        private void send(SplittableRandom own) {
            try {
                while (!over.get()) {
                    QueuePair by = senders.get(own.nextInt(senders.size()));
                    if (by.sendSlots() > 0) {
                        by.postSend(1, sender.region().slice(0, own.nextInt(4096)));
                    }
                    sender.completions().poll(16, completion -> {});
                }
            } catch (ClosedException end) {
                assertThat(end.errnoName()).isEqualTo("EBADF");
            }
        }

        private void poll(BitSet used) {
            while (!over.get()) {
                take(used);
            }
        }

        private void take(BitSet used) {
            received.poll(Integer.MAX_VALUE, completion -> {
                WorkCompletionStatus status = completion.status();
                assertThat(status).isIn(WorkCompletionStatus.SUCCESS, WorkCompletionStatus.WR_FLUSH_ERR);
                int id = (int) completion.id();
                assertThat(used.get(id)).as("receive %d is used once", id).isFalse();
                used.set(id);
                seen.incrementAndGet();
            });
        }
    }
}
