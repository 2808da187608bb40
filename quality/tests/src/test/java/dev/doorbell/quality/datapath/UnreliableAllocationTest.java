package dev.doorbell.quality.datapath;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.testkit.VirtualClock;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.CompletionHandler;
import dev.doorbell.verbs.Endpoint;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SendBatch;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages without acknowledgement, datagrams and groups allocate nothing either, once they are compiled. */
@ParameterizedClass
@EnumSource(Path.class)
@Timeout(300)
final class UnreliableAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int WINDOW = 5_000;
    private static final int MOST_WINDOWS = 100;
    private static final int CLEAN_WINDOWS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Path path;
    private final CompletionHandler counting = completion -> {
        if (!completion.isSuccess()) {
            throw new AssertionError(completion.describe());
        }
    };

    UnreliableAllocationTest(Path path) {
        this.path = path;
    }

    private Pair pair(QueuePairType type) {
        return Pair.builder()
                .path(path)
                .clock(new VirtualClock())
                .queuePair(queuePair -> queuePair.type(type).qkey(7))
                .build();
    }

    private static void assertNothingAllocated(Runnable round) {
        int clean = 0;
        long allocated = 0;
        for (int window = 0; window < MOST_WINDOWS && clean < CLEAN_WINDOWS; window++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < WINDOW; i++) {
                round.run();
            }
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            clean = allocated == 0 ? clean + 1 : 0;
        }
        assertThat(clean)
                .as(
                        "windows of %d rounds without an allocation, after warming up (the last: %d bytes)",
                        WINDOW, allocated)
                .isEqualTo(CLEAN_WINDOWS);
    }

    private void take(End end) {
        if (end.completions().await(1, PATIENCE, counting) != 1) {
            throw new AssertionError("a completion is missing");
        }
    }

    private static void receive(End end) {
        try (ReceiveBatch batch = end.queuePair().receives()) {
            batch.receive(1).sge(end.region(), 8192, 5040);
            batch.submit();
        }
    }

    @Test
    void unreliableConnections() {
        try (Pair pair = pair(QueuePairType.UC)) {
            End left = pair.left();
            assertNothingAllocated(() -> {
                receive(pair.right());
                try (SendBatch batch = left.queuePair().batch()) {
                    batch.send(1).sge(left.region(), 0, 5000).signaled();
                    batch.submit();
                }
                take(left);
                take(pair.right());
            });
        }
    }

    @Test
    void datagrams() {
        try (Pair pair = pair(QueuePairType.UD)) {
            End left = pair.left();
            Endpoint peer = pair.right().queuePair().endpoint();
            AddressHandle handle = left.domain().createAddressHandle(peer);
            assertNothingAllocated(() -> {
                receive(pair.right());
                try (SendBatch batch = left.queuePair().batch()) {
                    batch.send(1).to(handle, peer).sge(left.region(), 0, 1000).signaled();
                    batch.submit();
                }
                take(left);
                take(pair.right());
            });
        }
    }

    @Test
    void groups() {
        try (Pair pair = pair(QueuePairType.UD)) {
            End left = pair.left();
            Gid group = Gid.ofIpv4(0xe100_0001);
            pair.right().queuePair().attachMulticast(group);
            AddressHandle handle = left.domain().createAddressHandle(group);
            assertNothingAllocated(() -> {
                receive(pair.right());
                try (SendBatch batch = left.queuePair().batch()) {
                    batch.send(1)
                            .to(handle, AddressHandle.MULTICAST_QUEUE_PAIR, 7)
                            .sge(left.region(), 0, 1000)
                            .signaled();
                    batch.submit();
                }
                take(left);
                take(pair.right());
            });
        }
    }
}
