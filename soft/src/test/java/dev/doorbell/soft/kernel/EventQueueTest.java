package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.AsyncEvent;
import dev.doorbell.kernel.abi.CompletionEvent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Event files: order, waiting, closing, and what happens to the events of a source that goes away. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class EventQueueTest {
    private static final long FOR_EVER = Long.MAX_VALUE;

    private final AtomicInteger closings = new AtomicInteger();
    private final EventQueue completions = queue(EventQueue.Kind.COMPLETION);
    private final EventQueue asynchronous = queue(EventQueue.Kind.ASYNCHRONOUS);
    private final MemorySegment record = Arena.ofAuto().allocate(AsyncEvent.SIZE);

    private EventQueue queue(EventQueue.Kind kind) {
        return new EventQueue(kind, 7, new ParkingIdler(), closings::incrementAndGet);
    }

    private static final class ParkingIdler implements Idler {
        @Override
        public long nowNs() {
            return System.nanoTime();
        }

        @Override
        public long spinNs() {
            return 0;
        }

        @Override
        public void beginLooking() {}

        @Override
        public boolean poll() {
            return false;
        }

        @Override
        public void endLooking() {}

        @Override
        public void relinquish() {}

        @Override
        public boolean idle(long deadlineNs) {
            long left = deadlineNs - System.nanoTime();
            LockSupport.parkNanos(left);
            return left > 0;
        }
    }

    @Test
    void recordsComeInOrder() {
        EventSource source = new EventSource(0x1234_5678_9abcL);
        asynchronous.raise(new Event(source, 3));
        asynchronous.raise(new Event(source, 1));
        record.fill((byte) 0xff);
        assertThat(asynchronous.read(record, 0)).isEqualTo(16);
        assertThat(AsyncEvent.element(record, 0)).isEqualTo(0x1234_5678_9abcL);
        assertThat(AsyncEvent.eventType(record, 0)).isEqualTo(3);
        assertThat(asynchronous.read(record, 0)).isEqualTo(16);
        assertThat(AsyncEvent.eventType(record, 0)).isEqualTo(1);
        assertThat(asynchronous.read(record, 0)).isZero();
    }

    @Test
    void aRecordThatIsTooSmallIsRefusedAndLosesNothing() {
        completions.raise(new Event(new EventSource(9), 0));
        assertThatThrownBy(() -> completions.read(record.asSlice(0, 7), 0))
                .isInstanceOfSatisfying(
                        KernelException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        assertThatThrownBy(() -> completions.read(record.asReadOnly(), 0)).isInstanceOf(RuntimeException.class);
        assertThat(completions.read(record, 0)).isEqualTo(8);
        assertThat(CompletionEvent.cookie(record, 0)).isEqualTo(9);
    }

    @Test
    void eventsOfARetiredSourceAreDroppedAndItsReadOnesCounted() {
        EventSource first = new EventSource(1);
        EventSource second = new EventSource(2);
        for (int i = 0; i < 3; i++) {
            completions.raise(new Event(first, 0));
        }
        completions.raise(new Event(second, 0));
        completions.read(record, 0);
        completions.read(record, 0);
        assertThat(completions.retire(first)).isEqualTo(2);
        assertThat(completions.read(record, 0)).isEqualTo(8);
        assertThat(CompletionEvent.cookie(record, 0)).isEqualTo(2);
        assertThat(completions.read(record, 0)).isZero();
    }

    @Test
    void aProgramThatNeverReadsDoesNotFillTheHeap() {
        Event event = new Event(new EventSource(1), 0);
        for (int i = 0; i < EventQueue.CAPACITY + 5; i++) {
            completions.raise(event);
        }
        assertThat(completions.dropped()).isEqualTo(5);
    }

    @Test
    void aDeadlineEndsAWait() {
        long start = System.nanoTime();
        assertThat(completions.read(record, 2_000_000)).isZero();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(2_000_000);
        assertThat(completions.read(record, -1)).isZero();
    }

    @Test
    void closingWakesReadersOfEveryKindAndIsIdempotent() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> readers = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                readers.add(threads.submit(() -> completions.read(newRecord(), FOR_EVER)));
            }
            FutureTask<Integer> platform = new FutureTask<>(() -> completions.read(newRecord(), FOR_EVER));
            Thread thread = Thread.ofPlatform().start(platform);
            awaitWaiting(thread);
            completions.close();
            completions.close();
            for (Future<Integer> reader : readers) {
                assertThat(reader.get()).isZero();
            }
            assertThat(platform.get()).isZero();
        }
        completions.raise(new Event(new EventSource(1), 0));
        assertThat(completions.read(record, 0)).isZero();
        assertThat(closings).hasValue(1);
    }

    @Test
    void interruptionIsRememberedAndDoesNotEndAWait() throws Exception {
        Callable<Boolean> reading = () -> {
            assertThat(completions.read(newRecord(), FOR_EVER)).isEqualTo(8);
            return Thread.interrupted();
        };
        FutureTask<Boolean> reader = new FutureTask<>(reading);
        Thread thread = Thread.ofPlatform().start(reader);
        awaitWaiting(thread);
        thread.interrupt();
        awaitWaiting(thread);
        assertThat(reader.isDone()).isFalse();
        completions.raise(new Event(new EventSource(1), 0));
        assertThat(reader.get()).as("interrupted flag afterwards").isTrue();
    }

    @Test
    void noEventIsLostBetweenManyReadersAndWriters() throws Exception {
        int writers = 3;
        int readers = 4;
        int each = 20_000;
        AtomicInteger read = new AtomicInteger();
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                // Some give up now and then: an event that woke a reader at its deadline goes to the next.
                long timeout = i % 2 == 0 ? FOR_EVER : 50_000;
                all.add(threads.submit(() -> {
                    MemorySegment own = newRecord();
                    while (read.get() < writers * each) {
                        if (completions.read(own, timeout) != 0 && read.incrementAndGet() == writers * each) {
                            completions.close();
                        }
                    }
                }));
            }
            for (int i = 0; i < writers; i++) {
                Event event = new Event(new EventSource(i), 0);
                all.add(threads.submit(() -> {
                    for (int sent = 0; sent < each; sent++) {
                        completions.raise(event);
                    }
                }));
            }
            for (Future<?> task : all) {
                task.get();
            }
        }
        assertThat(read).hasValue(writers * each);
        assertThat(completions.dropped()).isZero();
    }

    @Test
    void awaitComesBackForAnEventAnInterruptAnUnparkAndAClose() throws Exception {
        Event event = new Event(new EventSource(1), 0);
        assertThat(completions.await(0)).isFalse();
        completions.raise(event);
        assertThat(completions.await(FOR_EVER)).isTrue();
        assertThat(completions.read(record, 0)).isEqualTo(8);
        Thread.currentThread().interrupt();
        assertThat(completions.await(FOR_EVER)).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        LockSupport.unpark(Thread.currentThread());
        assertThat(completions.await(FOR_EVER)).isTrue();
        for (Runnable wakes : List.<Runnable>of(() -> completions.raise(event), completions::close)) {
            FutureTask<Boolean> waiting = new FutureTask<>(() -> completions.await(FOR_EVER));
            Thread thread = Thread.ofPlatform().start(waiting);
            awaitWaiting(thread);
            wakes.run();
            assertThat(waiting.get()).isTrue();
            completions.read(record, 0);
        }
        assertThat(completions.await(FOR_EVER)).isTrue();
    }

    @Test
    void aWatcherIsToldOfEachEventAndOfThoseThatAreThere() {
        Event event = new Event(new EventSource(1), 0);
        AtomicInteger told = new AtomicInteger();
        completions.onReadable(told::incrementAndGet);
        assertThat(told).hasValue(0);
        completions.raise(event);
        completions.raise(event);
        assertThat(told).hasValue(2);
        completions.onReadable(null);
        completions.raise(event);
        assertThat(told).hasValue(2);
        completions.onReadable(told::incrementAndGet);
        assertThat(told).hasValue(3);
    }

    private static MemorySegment newRecord() {
        return Arena.ofAuto().allocate(AsyncEvent.SIZE);
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }
}
