package dev.doorbell.libibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.CompletionCursor;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.SendBatch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Posting and polling through the library allocate nothing once they are compiled. */
@Timeout(120)
class LibraryAllocationTest {
    private static final int WARM_UP = 300_000;
    private static final int MEASURED = 100_000;

    private final MemorySegment source = Arena.ofAuto().allocate(32, 8);

    @Test
    void postAndPoll() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Context context = Stub.device().open()) {
            ProtectionDomain domain = context.allocateProtectionDomain();
            CompletionQueue completions = context.createCompletionQueue(64);
            MemoryRegion region =
                    domain.register(Arena.ofAuto().allocate(4096, 8), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            QueuePair left =
                    domain.queuePair(completions).depth(8, 8).inline(32).build();
            QueuePair right =
                    domain.queuePair(completions).depth(8, 8).inline(32).build();
            left.connect(right.endpoint());
            right.connect(left.endpoint());

            long found = rounds(WARM_UP, left, right, region, completions);
            long before = threads.getCurrentThreadAllocatedBytes();
            found += rounds(MEASURED, left, right, region, completions);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;

            assertThat(found).isEqualTo(3L * (WARM_UP + MEASURED));
            // The measurement itself, and a compilation that ends meanwhile, cost some bytes once.
            assertThat(allocated).isLessThan(MEASURED / 10);
        }
    }

    private long rounds(int rounds, QueuePair left, QueuePair right, MemoryRegion region, CompletionQueue completions) {
        long found = 0;
        MemorySlice slice = region.slice(0, 64);
        for (int i = 0; i < rounds; i++) {
            right.postReceive(i, slice);
            try (SendBatch batch = left.batch()) {
                batch.write(i, region.address(), region.rkey())
                        .inline(source, 0, 8)
                        .signaled();
                batch.send(i).inline(source, 0, 32).signaled();
                batch.submit();
            }
            try (CompletionCursor cursor = completions.poll()) {
                while (cursor.next()) {
                    found += cursor.isSuccess() ? 1 : 0;
                }
            }
        }
        return found;
    }
}
