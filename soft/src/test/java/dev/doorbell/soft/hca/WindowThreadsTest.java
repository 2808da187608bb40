package dev.doorbell.soft.hca;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.memory.Host;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Windows that are withdrawn while peers use them. */
@Timeout(60)
class WindowThreadsTest {
    private static final int BINDABLE = Device.ALL_ACCESS | AccessFlag.MW_BIND.bit();
    private static final int WRITE = AccessFlag.REMOTE_WRITE.bit();
    private static final int BYTES = 1 << 16;
    private static final int ROUNDS = 60;

    /** Once a bind has completed, nothing comes through what was bound before. */
    @Test
    void afterABindNothingComesThroughTheOldKey() throws Exception {
        Device device = new Device(1, new AtomicLong(), null);
        Endpoint owner = device.endpoint();
        Endpoint.connect(owner, device.endpoint());
        Device.Buffer region = device.buffer(BYTES, BINDABLE);
        HcaMemoryWindow window = Objects.requireNonNull(device.hca.allocateWindow(device.domain, 1));
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int round = 0; round < ROUNDS; round++) {
                int key = window.rkey();
                MemoryWork.bind(owner, key, key + 1, region.key(), region.address(), BYTES, WRITE);
                assertThat(owner.sent())
                        .extracting(Endpoint.Done::status)
                        .containsExactly(WorkCompletionStatus.SUCCESS);
                int open = window.rkey();
                List<Future<?>> writers = new ArrayList<>();
                AtomicInteger wrote = new AtomicInteger();
                for (int writer = 0; writer < 2; writer++) {
                    Endpoint peer = device.endpoint();
                    Endpoint.connect(peer, device.endpoint());
                    Device.Buffer ones = device.buffer(BYTES);
                    ones.memory().fill((byte) 1);
                    writers.add(threads.submit(() -> {
                        while (peer.queuePair.state() == QueuePairState.RTS) {
                            peer.rdma(
                                    1,
                                    dev.doorbell.spec.WorkRequestOpcode.RDMA_WRITE,
                                    region.address(),
                                    open,
                                    Endpoint.sge(ones));
                            peer.sent();
                            wrote.incrementAndGet();
                        }
                    }));
                }
                while (wrote.get() < 2 * round % 20 + 2) {
                    Thread.onSpinWait();
                }
                MemoryWork.bind(owner, open, open + 1, 0, 0, 0, 0);
                assertThat(owner.sent())
                        .extracting(Endpoint.Done::status)
                        .containsExactly(WorkCompletionStatus.SUCCESS);
                region.memory().fill((byte) 0);
                for (Future<?> writer : writers) {
                    writer.get(30, TimeUnit.SECONDS);
                }
                assertThat(region.memory().mismatch(device.arena.allocate(BYTES)))
                        .isEqualTo(-1);
            }
        }
    }

    /** Two queue pairs that bind one window at the same time each find it whole. */
    @Test
    void bindsExcludeEachOther() throws Exception {
        Device device = new Device(1, new AtomicLong(), null);
        Device.Buffer region = device.buffer(64, BINDABLE);
        HcaMemoryWindow window = Objects.requireNonNull(device.hca.allocateWindow(device.domain, 1));
        AtomicBoolean stop = new AtomicBoolean();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> binders = new ArrayList<>();
            for (int index = 0; index < 2; index++) {
                Endpoint owner = device.endpoint();
                Endpoint.connect(owner, device.endpoint());
                // Bound before anybody writes, however late the threads begin.
                bind(owner, window, region);
                binders.add(threads.submit(() -> {
                    while (!stop.get()) {
                        bind(owner, window, region);
                    }
                }));
            }
            Endpoint peer = device.endpoint();
            Endpoint.connect(peer, device.endpoint());
            Device.Buffer word = device.buffer(8);
            try {
                for (int round = 0; round < 20_000; round++) {
                    Host.setLong(word.memory(), 0, round);
                    peer.rdma(
                            1,
                            dev.doorbell.spec.WorkRequestOpcode.RDMA_WRITE,
                            region.address(),
                            window.rkey(),
                            Endpoint.sge(word));
                    assertThat(peer.sent())
                            .extracting(Endpoint.Done::status)
                            .containsExactly(WorkCompletionStatus.SUCCESS);
                }
            } finally {
                stop.set(true);
            }
            for (Future<?> binder : binders) {
                binder.get(30, TimeUnit.SECONDS);
            }
        }
        assertThat(region.region().deregister()).isNotZero();
        window.deallocate();
        assertThat(region.region().deregister()).isZero();
    }

    private static void bind(Endpoint owner, HcaMemoryWindow window, Device.Buffer region) {
        int key = window.rkey();
        MemoryWork.bind(owner, key, key, region.key(), region.address(), 8, WRITE);
        assertThat(owner.sent()).extracting(Endpoint.Done::status).containsExactly(WorkCompletionStatus.SUCCESS);
    }
}
