package dev.doorbell.quality.datapath;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.testkit.VirtualClock;
import dev.doorbell.verbs.CompletionCursor;
import dev.doorbell.verbs.CompletionHandler;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.SharedReceiveQueue;
import dev.doorbell.verbs.WorkCompletion;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Posting and polling allocate nothing once they are compiled: not one byte in several windows of work requests in a row, from
 * the verbs API down to the engine and back.
 */
@ParameterizedClass
@EnumSource(AllocationTest.Arrangement.class)
@Timeout(300)
final class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int WINDOW = 5_000;
    private static final int MOST_WINDOWS = 100;
    private static final int CLEAN_WINDOWS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Who does the device's work. */
    enum Arrangement {
        /** The measured thread, by lease, as on {@code soft0} in a program. */
        SOFT0,
        /** The measured thread alone, within one device. */
        WITHOUT_THREADS,
        /** The measured thread alone, for two devices and the link between them. */
        WITHOUT_THREADS_OVER_THE_LINK;

        private Pair pair() {
            return switch (this) {
                case SOFT0 -> Pair.on(Path.DIRECT);
                case WITHOUT_THREADS -> Pair.builder().clock(new VirtualClock()).build();
                case WITHOUT_THREADS_OVER_THE_LINK ->
                    Pair.builder().path(Path.LINK).clock(new VirtualClock()).build();
            };
        }
    }

    private final Pair pair;
    private final End left;
    private final End right;
    private final RemoteMemory remote;
    private final MemorySlice source;
    private final MemorySlice inbox;

    private final SharedReceiveQueue shared;
    private final QueuePair toShared;
    private final CompletionHandler counting = this::count;
    private long completions;

    AllocationTest(Arrangement arrangement) {
        pair = arrangement.pair();
        left = pair.left();
        right = pair.right();
        remote = right.region().remote();
        source = left.region().slice(0, 5000);
        inbox = right.region().slice(8192, 8192);
        shared = right.domain().sharedReceiveQueue(16).build();
        toShared = left.domain().queuePair(left.completions()).depth(4, 0).build();
        pair.connect(
                toShared,
                right.domain()
                        .queuePair(right.completions())
                        .depth(0, 0)
                        .sharedReceiveQueue(shared)
                        .build());
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private void count(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new AssertionError(completion.describe());
        }
        completions += completion.id() == 0 ? 0 : 1;
    }

    /** Each call of the round posts and polls; it must say with {@link #completions} that it did. */
    private void assertNothingAllocated(int perRound, Consumer<AllocationTest> round) {
        int clean = 0;
        long allocated = 0;
        for (int window = 0; window < MOST_WINDOWS && clean < CLEAN_WINDOWS; window++) {
            completions = 0;
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < WINDOW; i++) {
                round.accept(this);
            }
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertThat(completions).isEqualTo((long) WINDOW * perRound);
            clean = allocated == 0 ? clean + 1 : 0;
        }
        assertThat(clean)
                .as(
                        "windows of %d rounds without an allocation, after warming up (the last one: %d bytes)",
                        WINDOW, allocated)
                .isEqualTo(CLEAN_WINDOWS);
    }

    private void take(End end, int count) {
        if (end.completions().await(count, PATIENCE, counting) != count) {
            throw new AssertionError("completions are missing");
        }
    }

    @Test
    void write() {
        assertNothingAllocated(1, AllocationTest::writeOnce);
    }

    private void writeOnce() {
        try (SendBatch batch = left.queuePair().batch()) {
            batch.write(1, remote, 64).sge(source).signaled();
            batch.submit();
        }
        take(left, 1);
    }

    @Test
    void sendAndReceive() {
        assertNothingAllocated(2, AllocationTest::sendOnce);
    }

    private void sendOnce() {
        try (ReceiveBatch batch = right.queuePair().receives()) {
            batch.receive(1).sge(right.region(), 8192, 32).sge(right.region(), 16384, 8192);
            batch.submit();
        }
        try (SendBatch batch = left.queuePair().batch()) {
            batch.sendWithImmediate(2, 77)
                    .sge(left.region(), 0, 100)
                    .sge(left.region(), 4096, 1500)
                    .signaled();
            batch.submit();
        }
        take(right, 1);
        take(left, 1);
    }

    @Test
    void convenientSendAndReceive() {
        assertNothingAllocated(2, AllocationTest::sendConveniently);
    }

    private void sendConveniently() {
        right.queuePair().postReceive(1, inbox);
        left.queuePair().postSend(2, source);
        take(right, 1);
        take(left, 1);
    }

    @Test
    void sendToASharedQueue() {
        assertNothingAllocated(2, AllocationTest::sendToShared);
    }

    private void sendToShared() {
        try (ReceiveBatch batch = shared.receives()) {
            batch.receive(1).sge(inbox);
            batch.submit();
        }
        try (SendBatch batch = toShared.batch()) {
            batch.send(2).sge(source).signaled();
            batch.submit();
        }
        take(right, 1);
        take(left, 1);
    }

    @Test
    void read() {
        assertNothingAllocated(1, AllocationTest::readOnce);
    }

    private void readOnce() {
        try (SendBatch batch = left.queuePair().batch()) {
            batch.read(1, remote, 64).sge(source).signaled();
            batch.submit();
        }
        take(left, 1);
    }

    @Test
    void atomics() {
        assertNothingAllocated(2, AllocationTest::atomicsOnce);
    }

    private void atomicsOnce() {
        try (SendBatch batch = left.queuePair().batch()) {
            batch.fetchAndAdd(1, remote, 0, 3).sge(left.region(), 0, 8).signaled();
            batch.compareAndSwap(2, remote, 8, 0, 0)
                    .sge(left.region(), 8, 8)
                    .fence()
                    .signaled();
            batch.submit();
        }
        take(left, 2);
    }

    @Test
    void singlePosts() {
        assertNothingAllocated(3, AllocationTest::postEach);
    }

    private void postEach() {
        QueuePair queuePair = left.queuePair();
        queuePair.postWriteInline(1, left.memory(), 0, 40, remote.address(), remote.rkey(), SendFlag.SIGNALED.bit());
        queuePair.postWrite(2, left.region(), 0, 5000, remote.address() + 64, remote.rkey(), 0);
        queuePair.postWrite(3, source, remote, 64);
        queuePair.postRead(4, source, remote, 64);
        take(left, 3);
    }

    @Test
    void batchWithOneCompletion() {
        assertNothingAllocated(1, AllocationTest::batchOnce);
    }

    private void batchOnce() {
        try (SendBatch batch = left.queuePair().batch()) {
            for (int i = 1; i < 16; i++) {
                batch.write(i, remote, 64).inline(left.memory(), 0, 40);
            }
            batch.write(16, remote, 64).sge(source).signaled();
            batch.submit();
        }
        take(left, 1);
    }

    @Test
    void cursor() {
        assertNothingAllocated(1, AllocationTest::cursorOnce);
    }

    private void cursorOnce() {
        try (SendBatch batch = left.queuePair().batch()) {
            batch.write(1, remote, 64).inline(left.memory(), 0, 8).signaled();
            batch.submit();
        }
        long before = completions;
        while (completions == before) {
            try (CompletionCursor cursor = left.completions().poll()) {
                while (cursor.next()) {
                    count(cursor);
                }
            }
        }
    }

    @Test
    void handler() {
        assertNothingAllocated(1, AllocationTest::handlerOnce);
    }

    private void handlerOnce() {
        try (SendBatch batch = left.queuePair().batch()) {
            batch.write(1, remote, 64).inline(left.memory(), 0, 8).signaled();
            batch.submit();
        }
        long before = completions;
        while (completions == before) {
            left.completions().poll(4, counting);
        }
    }

    @Test
    void lookingInVain() {
        assertNothingAllocated(0, test -> test.left.completions().poll(4, counting));
    }

    /** The measurement itself must be able to see a byte. */
    @Test
    void theMeasurementSeesAllocations() {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        Object[] kept = new Object[100];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = left.completions().toString() + i;
        }

        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isGreaterThan(kept.length);
    }
}
