package dev.doorbell.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.syscall.Libc;
import dev.doorbell.linux.syscall.TestFiles;
import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events over a socket that keeps records apart, as an event file does. */
@Timeout(30)
class DescriptorEventsTest {
    private static final long FOREVER_NS = Long.MAX_VALUE;

    private final int[] ends = TestFiles.socketPair();
    private final AtomicInteger closed = new AtomicInteger();
    private final DescriptorEvents events =
            DescriptorEvents.of(ends[0], new BufferPool(), () -> closed.incrementAndGet());
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
    void tooSmallRecordsAreRefused() {
        int counter = Libc.eventCounter();
        try (DescriptorEvents small = DescriptorEvents.of(counter, new BufferPool(), () -> {})) {
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
