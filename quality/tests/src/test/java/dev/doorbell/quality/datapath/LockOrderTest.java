package dev.doorbell.quality.datapath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.quality.stack.Workers;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.WorkCompletion;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two queue pairs that copy into each other, each from a thread of its own: whatever the one locks to reach the other, they
 * never wait for each other for ever, and each work request comes back once, also when one of them fails in the middle.
 */
@Timeout(300)
final class LockOrderTest {
    private static final Duration DEADLINE = Duration.ofSeconds(100);
    private static final int OPERATIONS = 30_000;
    private static final int FAILURES = 150;

    /** One thread's end: what it has posted and what came back. */
    private static final class Talker {
        private final End here;
        private final RemoteMemory peer;
        private final SplittableRandom random;
        private final Map<Long, Integer> outstanding = new HashMap<>();
        private long next = 1;
        private boolean failed;

        Talker(End here, End there, long seed) {
            this.here = here;
            this.peer = there.region().remote();
            this.random = new SplittableRandom(seed);
        }

        /** Posts and polls until both have posted so many work requests, or one has failed. */
        void talk(int operations, AtomicInteger busy) {
            boolean done = false;
            while (!failed && busy.get() > 0) {
                receive();
                if (next <= operations) {
                    send();
                } else if (!done) {
                    done = true;
                    busy.decrementAndGet();
                }
                poll();
            }
        }

        private void receive() {
            try (ReceiveBatch batch = here.queuePair().receives()) {
                for (int room = batch.room(); room > 0; room--) {
                    batch.receive(posted()).sge(here.region(), 4096, 256);
                }
                batch.submit();
            }
        }

        private void send() {
            try (SendBatch batch = here.queuePair().batch()) {
                for (int room = Math.min(batch.room(), 1 + random.nextInt(8)); room > 0; room--) {
                    switch (random.nextInt(4)) {
                        case 0 -> batch.send(posted());
                        case 1 -> batch.write(posted(), peer, 8192);
                        case 2 -> batch.read(posted(), peer, 0);
                        default -> batch.writeWithImmediate(posted(), peer, 8192, 1);
                    }
                    batch.sge(here.region(), 0, random.nextInt(200)).signaled();
                }
                batch.submit();
            }
        }

        private long posted() {
            outstanding.put(next, 0);
            return next++;
        }

        void poll() {
            here.completions().poll(64, this::back);
        }

        private void back(WorkCompletion completion) {
            assertThat(outstanding.remove(completion.id()))
                    .as("%s, once", completion)
                    .isNotNull();
            failed |= !completion.isSuccess();
        }

        /** Closes: everything must come back. */
        void finish() {
            here.queuePair().close(Duration.ofSeconds(10));
            poll();
            assertThat(outstanding).as("work requests that never came back").isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Path.class)
    void nobodyWaitsForEver(Path path) {
        try (Pair pair = Pair.builder().path(path).completions(64).build()) {
            Talker left = new Talker(pair.left(), pair.right(), 1);
            Talker right = new Talker(pair.right(), pair.left(), 2);
            AtomicInteger busy = new AtomicInteger(2);
            Workers.run(DEADLINE, () -> left.talk(OPERATIONS, busy), () -> right.talk(OPERATIONS, busy));

            assertThat(left.failed || right.failed).isFalse();
            Workers.run(DEADLINE, left::finish, right::finish);
        }
    }

    private static Pair shortTempered(Path path) {
        return Pair.builder()
                .path(path)
                .options(ConnectOptions.defaults()
                        .ackTimeout(Duration.ofMillis(1))
                        .retryCount(1))
                .build();
    }

    /** One side is moved to ERROR by a third thread, while both copy. */
    @ParameterizedTest
    @EnumSource(Path.class)
    void nobodyWaitsForEverWhenOneSideFails(Path path) {
        for (int run = 0; run < FAILURES; run++) {
            try (Pair pair = shortTempered(path)) {
                Talker left = new Talker(pair.left(), pair.right(), 2L * run);
                Talker right = new Talker(pair.right(), pair.left(), 2L * run + 1);
                Talker victim = run % 2 == 0 ? left : right;
                int spins = new SplittableRandom(run).nextInt(200_000);
                AtomicInteger busy = new AtomicInteger(2);
                Workers.run(
                        DEADLINE,
                        () -> left.talk(Integer.MAX_VALUE, busy),
                        () -> right.talk(Integer.MAX_VALUE, busy),
                        () -> fail(victim, spins));
                Workers.run(DEADLINE, left::finish, right::finish);
            }
        }
    }

    private static void fail(Talker victim, int spins) {
        for (int i = 0; i < spins; i++) {
            Thread.onSpinWait();
        }
        victim.here
                .queuePair()
                .modify(QueuePairAttributes.builder()
                        .state(QueuePairState.ERROR)
                        .build());
    }

    /** Both sides fail by themselves at the same moment: each sends what the other must refuse. */
    @ParameterizedTest
    @EnumSource(Path.class)
    void bothMayFailAtOnce(Path path) {
        for (int run = 0; run < FAILURES; run++) {
            try (Pair pair = shortTempered(path)) {
                Talker left = new Talker(pair.left(), pair.right(), run);
                Talker right = new Talker(pair.right(), pair.left(), run);
                Workers.run(DEADLINE, () -> fail(left), () -> fail(right));
                Workers.run(DEADLINE, left::finish, right::finish);
            }
        }
    }

    private static void fail(Talker talker) {
        talker.receive();
        try (SendBatch batch = talker.here.queuePair().batch()) {
            batch.write(talker.posted(), talker.peer, 0)
                    .sge(talker.here.region(), 0, 64)
                    .signaled();
            batch.write(talker.posted(), talker.peer.address(), talker.peer.rkey() ^ 0x100)
                    .sge(talker.here.region(), 0, 64)
                    .signaled();
            batch.send(talker.posted()).sge(talker.here.region(), 0, 64).signaled();
            batch.submit();
        }
        while (!talker.failed) {
            talker.here.completions().poll(16, completion -> {
                if (!completion.isSuccess()) {
                    assertThat(completion.status())
                            .isIn(
                                    WorkCompletionStatus.REM_ACCESS_ERR,
                                    WorkCompletionStatus.RETRY_EXC_ERR,
                                    WorkCompletionStatus.WR_FLUSH_ERR);
                }
                talker.back(completion);
            });
        }
    }
}
