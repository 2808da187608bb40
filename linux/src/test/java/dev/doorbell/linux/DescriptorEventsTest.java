package dev.doorbell.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.syscall.Libc;
import dev.doorbell.linux.syscall.RecordFile;
import dev.doorbell.linux.syscall.TestFiles;
import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events over a socket that keeps records apart, as an event file does. */
@Timeout(30)
class DescriptorEventsTest {
    private static final long FOREVER_NS = Long.MAX_VALUE;

    private final int[] ends = TestFiles.socketPair();
    private final AtomicInteger closed = new AtomicInteger();
    private final RecordFile events = DescriptorEvents.of(ends[0], new BufferPool(), () -> closed.incrementAndGet());
    private final MemorySegment record = Arena.ofAuto().allocate(16);

    @AfterEach
    void close() {
        events.close();
        Libc.close(ends[1]);
    }

    @Test
    void readsOneRecordAtATime() {
        TestFiles.write(ends[1], (byte) 1, (byte) 2, (byte) 3);
        TestFiles.write(ends[1], (byte) 4);
        assertThat(events.read(record, 0)).isEqualTo(3);
        assertThat(Host.getInt(record, 0)).isEqualTo(0x030201);
        assertThat(events.read(MemorySegment.ofArray(new byte[16]), FOREVER_NS)).isEqualTo(1);
        assertThat(events.read(record, 0)).as("only looks").isZero();
        assertThat(events.descriptor()).isEqualTo(ends[0]);
    }

    @Test
    void waitsNoLongerThanAsked() {
        long start = System.nanoTime();
        assertThat(events.read(record, TimeUnit.MILLISECONDS.toNanos(20))).isZero();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
    }

    @Test
    void aRecordWakesOneReaderAndCloseTheOther() throws Exception {
        try (ExecutorService readers = Executors.newFixedThreadPool(2)) {
            CountDownLatch started = new CountDownLatch(2);
            Future<Integer> first = readers.submit(() -> read(started));
            Future<Integer> second = readers.submit(() -> read(started));
            started.await();
            TestFiles.write(ends[1], (byte) 1, (byte) 2);
            while (!first.isDone() && !second.isDone()) {
                Thread.onSpinWait();
            }
            assertThat(first.isDone() && second.isDone()).isFalse();
            events.close();
            assertThat(first.get() + second.get()).isEqualTo(2);
        }
    }

    private int read(CountDownLatch started) {
        started.countDown();
        return events.read(Arena.ofAuto().allocate(16), FOREVER_NS);
    }

    @Test
    void closedFilesReadNothing() {
        events.close();
        events.close();
        assertThat(events.read(record, FOREVER_NS)).isZero();
        assertThat(closed).hasValue(1);
    }

    @Test
    void interruptsDisturbNothing() throws InterruptedException {
        AtomicInteger size = new AtomicInteger();
        Thread reader = Thread.ofPlatform().start(() -> size.set(events.read(record, FOREVER_NS)));
        reader.interrupt();
        TestFiles.write(ends[1], (byte) 1);
        reader.join();
        assertThat(size).hasValue(1);
    }

    @Test
    void awaitComesBackForARecordAnInterruptAnUnparkAndAClose() throws InterruptedException {
        assertThat(events.await(TimeUnit.MILLISECONDS.toNanos(2))).isFalse();
        TestFiles.write(ends[1], (byte) 1);
        assertThat(events.await(FOREVER_NS)).isTrue();
        assertThat(events.read(record, 0)).isEqualTo(1);
        assertThat(events.read(record, 0)).isZero();
        Thread.currentThread().interrupt();
        assertThat(events.await(FOREVER_NS)).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        LockSupport.unpark(Thread.currentThread());
        assertThat(events.await(FOREVER_NS)).isTrue();
        Thread waiting = Thread.ofPlatform().start(() -> events.await(FOREVER_NS));
        events.close();
        waiting.join();
        assertThat(events.await(FOREVER_NS)).isTrue();
    }

    /** The record stands between the read that found nothing and the wait. */
    @Test
    void aRecordThatComesBeforeTheWaitIsNotOverlooked() {
        for (int round = 0; round < 2000; round++) {
            assertThat(events.read(record, 0)).isZero();
            TestFiles.write(ends[1], (byte) 1);
            assertThat(events.await(FOREVER_NS)).isTrue();
            while (events.read(record, 0) == 0) {
                events.await(FOREVER_NS);
            }
        }
    }

    /** More threads than carriers wait for files in which nothing is; they hold none, or the last would never start. */
    @Test
    void virtualThreadsThatWaitHoldNoCarrier() throws Exception {
        int count = 64;
        int[][] sockets = new int[count][];
        List<RecordFile> files = new ArrayList<>();
        CountDownLatch started = new CountDownLatch(count);
        try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> reads = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                sockets[i] = TestFiles.socketPair();
                RecordFile file = DescriptorEvents.of(sockets[i][0], new BufferPool(), () -> {});
                files.add(file);
                reads.add(virtual.submit(() -> {
                    started.countDown();
                    return file.read(MemorySegment.ofArray(new byte[16]), FOREVER_NS);
                }));
            }
            started.await();
            for (int i = count - 1; i >= 0; i--) {
                TestFiles.write(sockets[i][1], (byte) 1, (byte) 2);
                assertThat(reads.get(i).get()).isEqualTo(2);
            }
        } finally {
            files.forEach(RecordFile::close);
            for (int[] socket : sockets) {
                Libc.close(socket[1]);
            }
        }
    }

    @Test
    void noRecordIsLostBetweenManyReaders() throws Exception {
        int records = 5000;
        AtomicInteger taken = new AtomicInteger();
        try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                boolean awaits = i % 2 == 0;
                all.add(readers.submit(() -> {
                    MemorySegment own = MemorySegment.ofArray(new byte[16]);
                    while (taken.get() < records) {
                        if (events.read(own, awaits ? 0 : 1_000_000) > 0) {
                            if (taken.incrementAndGet() == records) {
                                events.close();
                            }
                        } else if (awaits) {
                            events.await(FOREVER_NS);
                        }
                    }
                }));
            }
            for (int i = 0; i < records; i++) {
                TestFiles.write(ends[1], (byte) 1);
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertThat(taken).hasValue(records);
    }

    @Test
    void aWatcherIsToldOfEachArrivalUntilItIsTakenAway() {
        AtomicInteger told = new AtomicInteger();
        TestFiles.write(ends[1], (byte) 1);
        events.onReadable(told::incrementAndGet);
        assertThat(told).hasPositiveValue();
        for (int round = 0; round < 100; round++) {
            int before = told.get();
            TestFiles.write(ends[1], (byte) 1);
            while (told.get() == before) {
                Thread.onSpinWait();
            }
        }
        events.onReadable(null);
        int before = told.get();
        TestFiles.write(ends[1], (byte) 1);
        assertThat(events.await(FOREVER_NS)).isTrue();
        assertThat(told.get() - before).as("one may be under way").isLessThanOrEqualTo(1);
    }

    /** Neither the thread nor its descriptors outlive the last file. */
    @Test
    void theThreadEndsWithTheLastFile() throws Exception {
        for (int round = 0; round < 20; round++) {
            int[] pair = TestFiles.socketPair();
            try (RecordFile file = DescriptorEvents.of(pair[0], new BufferPool(), () -> {})) {
                file.await(1000);
                assertThat(eventThreads()).isPositive();
            }
            Libc.close(pair[1]);
        }
        events.close();
        while (eventThreads() > 0) {
            Thread.onSpinWait();
        }
    }

    private static long eventThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("doorbell-events"))
                .count();
    }

    @Test
    void tooSmallRecordsAreRefused() {
        int counter = Libc.eventCounter();
        try (RecordFile small = DescriptorEvents.of(counter, new BufferPool(), () -> {})) {
            assertThatThrownBy(() -> small.read(Arena.ofAuto().allocate(4), 0))
                    .isInstanceOfSatisfying(
                            KernelException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                    .hasMessageContaining("4 bytes");
        }
    }

    @Test
    void whatIsNoDescriptorIsRefused() {
        assertThatThrownBy(() -> DescriptorEvents.of(-1, new BufferPool(), () -> {}))
                .isInstanceOfSatisfying(
                        KernelException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
    }
}
