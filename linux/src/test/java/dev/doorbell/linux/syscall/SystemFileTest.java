package dev.doorbell.linux.syscall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SystemFileTest {
    private static final int ROUNDS = 200;
    private static final int WRITERS = 3;

    @Test
    void closedFilesAnswerEbadf() {
        int[] pipe = TestFiles.pipe();
        SystemFile file = new SystemFile(pipe[0]);
        assertThat(file.isClosed()).isFalse();
        file.close();
        file.close();
        assertThat(file.isClosed()).isTrue();
        assertThat(file.write(0, 0, 0)).isEqualTo(-Errno.EBADF);
        assertThat(file.read(1, 0, 0)).isEqualTo(-Errno.EBADF);
        assertThat(file.mapShared(2, 0, 4096)).isEqualTo(-Errno.EBADF);
        assertThat(file.enter(3)).isFalse();
        Libc.close(pipe[1]);
    }

    @Test
    void closeWaitsForThoseInside() throws InterruptedException {
        int[] pipe = TestFiles.pipe();
        SystemFile file = new SystemFile(pipe[0]);
        AtomicBoolean closed = new AtomicBoolean();
        CountDownLatch started = new CountDownLatch(1);
        assertThat(file.enter(5)).isTrue();
        Thread closer = Thread.ofPlatform().start(() -> {
            started.countDown();
            file.close();
            closed.set(true);
        });
        started.await();
        while (!file.isClosed()) {
            Thread.onSpinWait();
        }
        assertThat(file.enter(5)).as("newcomers are turned away").isFalse();
        assertThat(closed).as("the closer waits").isFalse();
        assertThat(TestFiles.write(pipe[1], (byte) 1))
                .as("the descriptor is still open")
                .isEqualTo(1);
        file.exit(5);
        closer.join();
        assertThat(TestFiles.write(pipe[1], (byte) 1)).as("now nobody reads").isNegative();
        Libc.close(pipe[1]);
    }

    /** The number of a closed descriptor goes to the next file at once: that file must never see a late write. */
    @Test
    void lateCallsNeverReachAnotherFileWithTheSameNumber() throws InterruptedException {
        try (Arena arena = Arena.ofShared()) {
            long address = arena.allocate(8).address();
            for (int round = 0; round < ROUNDS; round++) {
                int[] first = TestFiles.pipe();
                SystemFile file = new SystemFile(first[1]);
                List<Thread> writers = new ArrayList<>();
                for (int writer = 0; writer < WRITERS; writer++) {
                    int stripe = writer;
                    writers.add(Thread.ofPlatform().start(() -> {
                        while (file.write(stripe, address, 8) != -Errno.EBADF) {
                            Thread.onSpinWait();
                        }
                    }));
                }
                file.close();
                int[] second = TestFiles.pipe();
                for (Thread writer : writers) {
                    writer.join();
                }
                MemorySegment bytes = arena.allocate(8);
                assertThat(Libc.read(second[0], bytes.address(), 8)).isEqualTo(-Errno.EAGAIN);
                Libc.close(first[0]);
                Libc.close(second[0]);
                Libc.close(second[1]);
            }
        }
    }
}
