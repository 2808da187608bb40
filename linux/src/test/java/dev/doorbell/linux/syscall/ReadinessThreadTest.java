package dev.doorbell.linux.syscall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The one thread that waits for descriptors. */
@Timeout(60)
class ReadinessThreadTest {
    private static void tell(SystemFile counter) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(Long.BYTES, Long.BYTES);
            Host.setLong(one, 0, 1);
            assertThat(counter.write(0, one.address(), Long.BYTES)).isEqualTo(Long.BYTES);
        }
    }

    @Test
    void aListenerThatFailsHarmsNoOther() throws InterruptedException {
        try (SystemFile broken = new SystemFile(Libc.eventCounter());
                SystemFile whole = new SystemFile(Libc.eventCounter())) {
            CountDownLatch failed = new CountDownLatch(1);
            CountDownLatch told = new CountDownLatch(1);
            ReadinessThread.Watch one = ReadinessThread.watch(broken.fd(), () -> {
                failed.countDown();
                throw new IllegalStateException("on purpose");
            });
            ReadinessThread.Watch other = ReadinessThread.watch(whole.fd(), told::countDown);
            tell(broken);
            assertThat(failed.await(30, TimeUnit.SECONDS)).isTrue();
            tell(whole);
            assertThat(told.await(30, TimeUnit.SECONDS)).as("the thread lives").isTrue();
            one.end();
            other.end();
        }
    }
}
