package dev.doorbell.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.syscall.Libc;
import dev.doorbell.linux.syscall.SystemFile;
import dev.doorbell.linux.syscall.TestFiles;
import dev.doorbell.memory.Host;
import dev.doorbell.memory.Shared;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Mappings of a memory file, which stands in for the device. */
@Timeout(60)
class RingMappingsTest {
    private static final int PAGE = 4096;
    private static final int RACES = 100;

    private final SystemFile file = new SystemFile(TestFiles.memory(4 * PAGE));
    private final RingMappings mappings = new RingMappings();

    @AfterEach
    void close() {
        mappings.close();
        file.close();
    }

    @Test
    void mapsExactlyWhatWasAskedFor() {
        MemorySegment ring = mappings.map(file, 0, PAGE, 500);
        MemorySegment again = mappings.map(file, 0, PAGE, 500);
        assertThat(ring.byteSize()).isEqualTo(500);
        Host.setInt(ring, 0, 42);
        assertThat(Host.getInt(again, 0)).as("shared, not private").isEqualTo(42);
        assertThatThrownBy(() -> Host.getInt(ring, 500)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void whatIsOfferedForReadingAloneIsMappedSo() {
        MemorySegment ring = mappings.map(file, 0, PAGE, PAGE);
        MemorySegment clock = mappings.mapReadOnly(file, 0, PAGE, PAGE);
        Host.setInt(ring, 0, 42);
        assertThat(Host.getInt(clock, 0)).isEqualTo(42);
        assertThat(clock.isReadOnly()).isTrue();
        mappings.unmap(clock);
        assertThatThrownBy(() -> Host.getInt(clock, 0)).isInstanceOf(IllegalStateException.class);
        assertThat(Host.getInt(ring, 0)).isEqualTo(42);
    }

    @Test
    void endedMappingsAreInaccessibleNotDangling() {
        MemorySegment ring = mappings.map(file, 0, 0, PAGE);
        MemorySegment slice = ring.asSlice(64, 64);
        MemorySegment other = mappings.map(file, 0, PAGE, PAGE);
        mappings.unmap(ring);
        mappings.unmap(ring);
        assertThatThrownBy(() -> Host.getInt(ring, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Shared.setIntRelease(slice, 0, 1)).isInstanceOf(IllegalStateException.class);
        assertThat(Host.getInt(other, 0)).as("others live on").isZero();
    }

    @Test
    void onlyMappingsOfThisContextCanEnd() {
        MemorySegment ring = mappings.map(file, 0, 0, PAGE);
        MemorySegment foreign = new RingMappings().map(file, 0, 0, PAGE);
        for (MemorySegment wrong :
                new MemorySegment[] {foreign, ring.asSlice(0, 64), MemorySegment.ofArray(new byte[8])}) {
            assertThatThrownBy(() -> mappings.unmap(wrong))
                    .isInstanceOfSatisfying(
                            KernelException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        }
        assertThat(Host.getInt(ring, 0)).isZero();
    }

    @Test
    void refusalsSayWhy() {
        assertThatThrownBy(() -> mappings.map(file, 0, 1, PAGE))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("offset 0x1")
                .hasMessageContaining("on offer")
                .hasMessageEndingWith("(EINVAL)");
        assertThatThrownBy(() -> mappings.map(file, 0, 0, 0)).isInstanceOf(KernelException.class);
        assertThatThrownBy(() -> mappings.map(file, 0, 0, Long.MAX_VALUE))
                .isInstanceOfSatisfying(
                        KernelException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
    }

    @Test
    void closeEndsAll() {
        MemorySegment ring = mappings.map(file, 0, 0, PAGE);
        MemorySegment other = mappings.map(file, 0, PAGE, PAGE);
        mappings.close();
        assertThat(ring.scope().isAlive() || other.scope().isAlive()).isFalse();
    }

    /** A thread in the middle of polling gets an exception, and the JVM lives. */
    @Test
    void aRacingReaderGetsAnExceptionAndNoFault() throws InterruptedException {
        for (int race = 0; race < RACES; race++) {
            MemorySegment ring = mappings.map(file, 0, 0, PAGE);
            CountDownLatch polling = new CountDownLatch(1);
            AtomicReference<Throwable> end = new AtomicReference<>();
            Thread poller = Thread.ofPlatform().start(() -> {
                try {
                    polling.countDown();
                    while (Shared.getIntAcquire(ring, 128) == 0) {
                        Shared.setIntRelease(ring, 256, 1);
                    }
                } catch (IllegalStateException e) {
                    end.set(e);
                }
            });
            polling.await();
            mappings.unmap(ring);
            poller.join();
            assertThat(end.get()).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void closedFilesMapNothing() {
        SystemFile closed = new SystemFile(TestFiles.memory(PAGE));
        closed.close();
        assertThatThrownBy(() -> mappings.map(closed, 0, 0, PAGE))
                .isInstanceOfSatisfying(
                        KernelException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
        int[] ends = TestFiles.socketPair();
        SystemFile notMappable = new SystemFile(ends[0]);
        assertThatThrownBy(() -> mappings.map(notMappable, 0, 0, PAGE))
                .isInstanceOfSatisfying(
                        KernelException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV));
        notMappable.close();
        Libc.close(ends[1]);
    }
}
