package dev.doorbell.quality.datapath;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.testkit.VirtualClock;
import dev.doorbell.verbs.CompletionHandler;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.MemoryWindow;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.WorkCompletion;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Binding, using and invalidating windows, and ATOMIC WRITE, allocate nothing once they are compiled. */
@Timeout(300)
final class WindowAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 5_000;
    private static final int MOST_WINDOWS = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int WRITE = AccessFlag.REMOTE_WRITE.bit();

    @ParameterizedTest
    @EnumSource(Path.class)
    void aWindowsLifeAllocatesNothing(Path path) {
        try (Pair pair = Pair.builder().path(path).clock(new VirtualClock()).build()) {
            MemoryRegion region = pair.left()
                    .domain()
                    .register(
                            Arena.ofAuto().allocate(4096, 4096),
                            AccessFlag.LOCAL_WRITE,
                            AccessFlag.REMOTE_WRITE,
                            AccessFlag.MW_BIND);
            MemoryWindow window = pair.left().domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2);
            RemoteMemory remote = pair.right().region().remote();
            CompletionHandler handler = WorkCompletion::requireSuccess;
            long allocated = Long.MAX_VALUE;
            for (int attempt = 0; attempt < MOST_WINDOWS && allocated > 0; attempt++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                for (int round = 0; round < ROUNDS; round++) {
                    live(pair, region, window, remote, handler);
                }
                allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            }
            assertThat(allocated).as("bytes in %d rounds", ROUNDS).isZero();
        }
    }

    private static void live(
            Pair pair, MemoryRegion region, MemoryWindow window, RemoteMemory remote, CompletionHandler handler) {
        try (SendBatch batch = pair.left().queuePair().batch()) {
            batch.bind(1, window, region, 64, 128, WRITE).signaled();
            batch.submit();
        }
        pair.left().completions().await(1, PATIENCE, handler);
        try (SendBatch batch = pair.right().queuePair().batch()) {
            batch.write(2, region.address() + 64, window.rkey())
                    .sge(pair.right().region(), 0, 64)
                    .signaled();
            batch.submit();
        }
        pair.right().completions().await(1, PATIENCE, handler);
        try (SendBatch batch = pair.left().queuePair().batch()) {
            batch.atomicWrite(3, remote, 64, 42);
            batch.invalidate(4, window).signaled();
            batch.submit();
        }
        pair.left().completions().await(1, PATIENCE, handler);
    }
}
