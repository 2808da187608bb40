package dev.doorbell.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import dev.doorbell.verbs.spi.ReceiveQueue;
import dev.doorbell.verbs.spi.SendQueue;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random sequences of posting, aborting, retiring, completing and polling, held against queues of plain Java: whatever
 * the order, the kernel's end sees exactly what was committed and the program exactly what was completed.
 */
class RingModelTest {
    private static final int STEPS = 20_000;

    private final Fixtures fixtures = new Fixtures();

    /** What the kernel finds in a ring that the program fills. */
    private static final class Kernel {
        private final FakeRing ring;
        private final Deque<Long> committed = new ArrayDeque<>();

        Kernel(FakeRing ring) {
            this.ring = ring;
        }

        /** Takes up to {@code count} elements and holds their identifiers against what was committed. */
        void take(int count) {
            for (int i = 0; i < count && ring.consumer() != ring.producer(); i++) {
                long id = ring.memory().get(ValueLayout.JAVA_LONG, ring.offset(ring.consumer()));
                assertThat(id).isEqualTo(committed.removeFirst());
                ring.consumer(ring.consumer() + 1 & ring.slots() - 1);
            }
        }

        void check(int outstanding) {
            assertThat(ring.producer() - ring.consumer() & ring.slots() - 1).isEqualTo(committed.size());
            assertThat(outstanding).isEqualTo(committed.size());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void sendQueue(long seed) {
        Random random = new Random(seed);
        FakeRing ring = fixtures.sendRing(8);
        SendQueue queue = fixtures.queuePair(ring, fixtures.receiveRing(4)).sendQueue();
        Kernel kernel = new Kernel(ring);
        List<Long> batch = new ArrayList<>();
        queue.begin();
        for (long id = 0; id < STEPS; id++) {
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    boolean room = queue.request(id, 2);
                    assertRoom(room, kernel, batch, ring);
                    if (room) {
                        queue.sge(id, 1, 1);
                        queue.seal();
                        batch.add(id);
                    }
                }
                case 3 -> queue.request(-1, 2);
                case 4 -> {
                    queue.begin();
                    batch.clear();
                }
                case 5 -> {
                    queue.commit();
                    kernel.committed.addAll(batch);
                    batch.clear();
                }
                default -> kernel.take(random.nextInt(5));
            }
            // Asking refreshes what the queue remembers of the kernel's index: seldom, so that it also lives without.
            if (random.nextInt(16) == 0) {
                kernel.check(queue.outstanding());
            }
        }
    }

    private static void assertRoom(boolean room, Kernel kernel, List<Long> batch, FakeRing ring) {
        assertThat(room).isEqualTo(kernel.committed.size() + batch.size() < ring.slots() - 1);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void receiveQueue(long seed) {
        Random random = new Random(seed);
        FakeRing ring = fixtures.receiveRing(16);
        ReceiveQueue queue = fixtures.queuePair(fixtures.sendRing(4), ring).receiveQueue();
        Kernel kernel = new Kernel(ring);
        List<Long> batch = new ArrayList<>();
        queue.begin();
        for (long id = 0; id < STEPS; id++) {
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    boolean room = queue.request(id);
                    assertRoom(room, kernel, batch, ring);
                    if (room) {
                        queue.seal();
                        batch.add(id);
                    }
                }
                case 2 -> {
                    queue.begin();
                    batch.clear();
                }
                case 3 -> {
                    queue.commit();
                    kernel.committed.addAll(batch);
                    batch.clear();
                }
                default -> kernel.take(random.nextInt(9));
            }
            // Asking refreshes what the queue remembers of the kernel's index: seldom, so that it also lives without.
            if (random.nextInt(16) == 0) {
                kernel.check(queue.outstanding());
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void completionQueue(long seed) {
        Random random = new Random(seed);
        FakeRing ring = fixtures.offerCompletionRing(8);
        ProviderCompletionQueue queue = fixtures.context.createCompletionQueue(7, 0, -1, 0);
        Deque<Long> completed = new ArrayDeque<>();
        boolean onCompletion = false;
        for (long id = 0; id < STEPS; id++) {
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    if (completed.size() + (onCompletion ? 1 : 0) < 7) {
                        ring.put(Bytes.of(64).u64(0, id).u32(8, (int) id));
                        completed.add(id);
                    }
                }
                case 2, 3 -> {
                    onCompletion = queue.next();
                    assertThat(onCompletion).isEqualTo(!completed.isEmpty());
                    if (onCompletion) {
                        assertThat(queue.id()).isEqualTo(completed.removeFirst());
                        assertThat(queue.status()).isEqualTo((int) queue.id());
                    }
                }
                default -> {
                    queue.end();
                    onCompletion = false;
                }
            }
            assertThat(ring.producer() - ring.consumer() & 7).isEqualTo(completed.size() + (onCompletion ? 1 : 0));
        }
    }
}
