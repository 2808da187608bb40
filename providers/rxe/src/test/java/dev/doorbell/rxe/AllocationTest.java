package dev.doorbell.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import dev.doorbell.verbs.spi.ReceiveQueue;
import dev.doorbell.verbs.spi.SendQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Posting and polling allocate nothing once they are compiled. */
@Timeout(120)
class AllocationTest {
    private static final int WARM_UP = 300_000;
    private static final int MEASURED = 100_000;

    private final Fixtures fixtures = new Fixtures();
    private final FakeRing send = fixtures.sendRing(64);
    private final FakeRing receive = fixtures.receiveRing(64);
    private final RxeQueuePair pair = fixtures.queuePair(send, receive);
    private final FakeRing completions = fixtures.channel.ring(0x6000, 6, 64);
    private final MemorySegment payload = Arena.ofAuto().allocate(64);

    @Test
    void postAndPoll() {
        fixtures.channel.logged = false;
        ProviderCompletionQueue queue = new RxeCompletionQueue(
                fixtures.channel, 1, MappedRing.map(fixtures.channel, segment(), 0, 63, 48, "CREATE_CQ"));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = rounds(queue, WARM_UP);
        long before = threads.getCurrentThreadAllocatedBytes();
        sum += rounds(queue, MEASURED);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(sum).isEqualTo(WARM_UP + MEASURED);
        // The measurement itself, and a compilation that ends meanwhile, cost some bytes once: far less than one a
        // round.
        assertThat(allocated).isLessThan(MEASURED / 10);
    }

    private MemorySegment segment() {
        MemorySegment answer = Arena.ofAuto().allocate(16, 8);
        completions.info(0x6000).copyTo(answer, 0);
        return answer;
    }

    private long rounds(ProviderCompletionQueue queue, int rounds) {
        long completed = 0;
        for (int i = 0; i < rounds; i++) {
            post(i);
            receive(i);
            send.consumer(send.producer());
            receive.consumer(receive.producer());
            completions.producer(completions.producer() + 1 & 63);
            while (queue.next()) {
                completed += 1 + queue.status() + queue.opcode() + queue.byteLength() + queue.immediate();
            }
            queue.end();
        }
        return completed;
    }

    private void post(long id) {
        SendQueue queue = pair.sendQueue();
        queue.begin();
        if (queue.request(id, 0)) {
            queue.flags(2);
            queue.remote(id, 1);
            queue.sge(id, 8, 1);
            queue.seal();
        }
        if (queue.request(id, 2)) {
            queue.inline(payload, 0, 64);
            queue.seal();
        }
        queue.commit();
    }

    private void receive(long id) {
        ReceiveQueue queue = pair.receiveQueue();
        queue.begin();
        if (queue.request(id)) {
            queue.sge(id, 8, 1);
            queue.seal();
        }
        queue.commit();
    }
}
