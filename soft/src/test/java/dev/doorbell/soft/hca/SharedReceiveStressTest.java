package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.soft.link.InMemoryNetwork;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several responders and threads on one shared receive queue that is resized meanwhile, while queue pairs fail and come
 * back: each receive that was posted is used exactly once, by one queue pair.
 */
@Timeout(300)
class SharedReceiveStressTest {
    private static final int SENDERS = 3;
    private static final int MESSAGES = 4_000;
    private static final int PART = 700;

    private final AtomicLong clock = new AtomicLong();
    private final AtomicBoolean done = new AtomicBoolean();
    private final AtomicInteger sent = new AtomicInteger();

    /** The end that sends, the end that takes, and what the latter has reported; each touched by one thread. */
    private static final class Lane {
        final Endpoint sender;
        final Endpoint taker;
        final List<Endpoint.Done> received = new ArrayList<>();

        Lane(Endpoint sender, Endpoint taker) {
            this.sender = sender;
            this.taker = taker;
            Endpoint.connect(sender, taker);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void byCopying(long seed) throws Exception {
        Device device = new Device(1, clock, null);
        run(device, device, seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 4})
    void byPackets(long seed) throws Exception {
        InMemoryNetwork network = new InMemoryNetwork();
        run(
                new Device(1, clock, network.join(List.of(Device.gid(1)))),
                new Device(2, clock, network.join(List.of(Device.gid(2)))),
                seed);
    }

    private void run(Device from, Device to, long seed) throws Exception {
        SharedQueue shared = new SharedQueue(to, 64);
        List<Lane> lanes = new ArrayList<>();
        List<Callable<Long>> jobs = new ArrayList<>();
        for (int index = 0; index < SENDERS; index++) {
            Endpoint.Options options = new Endpoint.Options();
            options.mtu = 1;
            options.timeout = 20;
            Endpoint sender = from.endpoint(options);
            Endpoint.Options taking = new Endpoint.Options();
            taking.mtu = 1;
            Lane lane = new Lane(sender, shared.endpoint(taking));
            lanes.add(lane);
            SplittableRandom random = new SplittableRandom(seed * 100 + index);
            jobs.add(() -> send(lane, random));
        }
        jobs.add(() -> post(shared, new SplittableRandom(seed)));
        long posted = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(jobs.size())) {
            for (Future<Long> job : threads.invokeAll(jobs)) {
                posted += job.get();
            }
        }
        check(shared, lanes, posted);
    }

    /** Sends messages of one and of several packets; now and then the connection breaks and is made anew. */
    private long send(Lane lane, SplittableRandom random) {
        Device.Buffer source = lane.sender.device.buffer(PART);
        int breakAt = MESSAGES / 2 + random.nextInt(100);
        for (int message = 0; message < MESSAGES; message++) {
            lane.sender.send(message, sge(source, 0, random.nextInt(PART)));
            if (message == breakAt) {
                lane.taker.to(QueuePairState.ERROR);
                lane.received.addAll(lane.taker.received());
                lane.taker.to(QueuePairState.RESET);
                lane.sender.to(QueuePairState.RESET);
                lane.sender.sent();
                Endpoint.connect(lane.sender, lane.taker);
                continue;
            }
            List<Endpoint.Done> finished = lane.sender.sent();
            while (finished.isEmpty()) {
                work(lane);
                finished = lane.sender.sent();
            }
            assertThat(finished).extracting(Endpoint.Done::status).containsExactly(WorkCompletionStatus.SUCCESS);
            lane.received.addAll(lane.taker.received());
        }
        if (sent.incrementAndGet() == SENDERS) {
            done.set(true);
        }
        return 0;
    }

    private void work(Lane lane) {
        lane.sender.device.hca.doWork(clock.addAndGet(1_000));
        lane.taker.device.hca.doWork(clock.get());
        Thread.onSpinWait();
    }

    /** Posts as fast as there is room, and moves the queue to other rings. */
    private long post(SharedQueue shared, SplittableRandom random) {
        Device.Buffer target = shared.device.buffer(PART);
        long posted = 0;
        while (!done.get()) {
            if (shared.isFull()) {
                Thread.onSpinWait();
            } else {
                shared.post(posted++, sge(target));
            }
            if (random.nextInt(500) == 0) {
                shared.resize(32 << random.nextInt(4));
                shared.queue.arm(random.nextInt(16));
            }
        }
        return posted;
    }

    private static void check(SharedQueue shared, List<Lane> lanes, long posted) {
        BitSet used = new BitSet((int) posted);
        int flushed = 0;
        for (Lane lane : lanes) {
            lane.received.addAll(lane.taker.received());
            long previous = -1;
            for (Endpoint.Done one : lane.received) {
                assertThat(used.get((int) one.id()))
                        .as("receive %d is used once", one.id())
                        .isFalse();
                assertThat(one.id()).as("a queue pair takes in posting order").isGreaterThan(previous);
                used.set((int) one.id());
                previous = one.id();
                flushed += one.status() == WorkCompletionStatus.SUCCESS ? 0 : 1;
            }
        }
        assertThat(flushed).isLessThanOrEqualTo(SENDERS);
        assertThat(used.cardinality() + shared.waiting()).as("none is lost").isEqualTo((int) posted);
        assertThat(used.nextClearBit(0)).as("the oldest first").isEqualTo(used.cardinality());
    }
}
