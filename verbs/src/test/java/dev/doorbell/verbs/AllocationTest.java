package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Posting, polling and waiting allocate nothing once they are compiled, and nothing to speak of before. */
@Timeout(120)
class AllocationTest {
    private static final int WARM_UP = 300_000;
    private static final int MEASURED = 100_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Fixture fixture = new Fixture();
    private final QueuePair queuePair = fixture.connected();
    private final MemorySlice slice = fixture.region.slice(0, 64);
    private final RemoteMemory remote = fixture.region.remote();
    private final MemorySegment inline = MemorySegment.ofArray(new byte[32]);
    private final CompletionHandler handler = this::count;
    private long sum;

    @AfterEach
    void close() {
        fixture.close();
    }

    private void count(WorkCompletion completion) {
        sum += completion.requireSuccess().id();
        sum += completion.byteLength() + completion.opcode().code();
        if (completion.queuePair() != queuePair) {
            throw new AssertionError("a completion of another queue pair");
        }
    }

    @Test
    void postAndPoll() {
        fixture.fake().sends.executes = true;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        rounds(WARM_UP);
        sum = 0;
        long before = threads.getCurrentThreadAllocatedBytes();
        rounds(MEASURED);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(sum).isPositive();
        // The measurement itself, and a compilation that ends meanwhile, cost some bytes once: far less than one a
        // round.
        assertThat(allocated).isLessThan(MEASURED / 10);
    }

    private void rounds(int rounds) {
        for (int i = 0; i < rounds; i++) {
            queuePair.postReceive(i, slice);
            fixture.fake().receives.deliver(8, i);
            try (SendBatch batch = queuePair.batch()) {
                batch.write(i, remote, 0).sge(slice);
                batch.send(i).inline(inline, 0, 32);
                batch.compareAndSwap(i, remote, 8, 1, 2)
                        .sge(fixture.region, 0, 8)
                        .signaled();
                batch.submit();
            }
            try (CompletionCursor poll = fixture.completions.poll()) {
                while (poll.next()) {
                    sum += poll.id() + (poll.isSuccess() ? poll.status().code() : 0);
                }
            }
            queuePair.postSend(i, slice);
            if (fixture.completions.await(1, PATIENCE, handler) != 1) {
                throw new AssertionError("no completion");
            }
            sum += queuePair.sendSlots() + queuePair.receiveCredit();
        }
    }
}
