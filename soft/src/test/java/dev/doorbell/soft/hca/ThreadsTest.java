package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.memory.Host;
import dev.doorbell.memory.Shared;
import dev.doorbell.soft.link.InMemoryNetwork;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several threads in one device. The order of locks is checked by the engine's own assertions. */
@Timeout(120)
class ThreadsTest {
    private static final int ROUNDS = 5_000;

    private final AtomicLong clock = new AtomicLong();
    private final Device device = new Device(1, clock, null);

    private static void together(List<Callable<Void>> jobs) throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newFixedThreadPool(jobs.size())) {
            for (Future<Void> job : threads.invokeAll(jobs)) {
                job.get();
            }
        }
    }

    @Test
    void queuePairsThatCopyIntoEachOtherDoNotWaitForEachOther() throws Exception {
        Endpoint one = device.endpoint();
        Endpoint other = device.endpoint();
        Endpoint.connect(one, other);
        Device.Buffer left = device.buffer(4096).fill(1);
        Device.Buffer right = device.buffer(4096).fill(2);
        together(List.of(() -> exchange(one, right, left), () -> exchange(other, left, right)));
        assertThat(one.queuePair.state()).isEqualTo(QueuePairState.RTS);
        assertThat(other.queuePair.state()).isEqualTo(QueuePairState.RTS);
    }

    private static Void exchange(Endpoint from, Device.Buffer remote, Device.Buffer local) {
        for (int round = 0; round < ROUNDS; round++) {
            from.receive(round, sge(local, 2048, 64));
            from.write(round, remote, 0, sge(local, 0, 512));
            from.read(round, remote, 1024, sge(local, 1024, 512));
            from.send(round, sge(local, 3000, 64));
            while (from.sends.ring.count(from.sends.index, from.sends.ring.consumerAcquire()) > 32) {
                from.device.hca.doWork(from.device.clock.addAndGet(100_000));
            }
            from.received();
            assertThat(from.sent())
                    .extracting(Endpoint.Done::status)
                    .allMatch(status -> status == WorkCompletionStatus.SUCCESS);
        }
        return null;
    }

    @Test
    void atomicsOfSeveralThreadsAddUp() throws Exception {
        Device.Buffer counter = device.buffer(8);
        List<Callable<Void>> jobs = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            Endpoint one = device.endpoint();
            Endpoint other = device.endpoint();
            Endpoint.connect(one, other);
            Device.Buffer result = device.buffer(8);
            jobs.add(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    one.fetchAdd(round, counter.address(), counter.key(), 1, sge(result));
                    one.sent();
                }
                return null;
            });
        }
        together(jobs);
        assertThat(Host.getLong(counter.memory(), 0)).isEqualTo(4L * ROUNDS);
    }

    @Test
    void whoeverPollsTheLastWordOfAWriteSeesTheRest() throws Exception {
        Endpoint one = device.endpoint();
        Endpoint other = device.endpoint();
        Endpoint.connect(one, other);
        int words = 33;
        Device.Buffer source = device.buffer(8L * words);
        Device.Buffer target = device.buffer(8L * words);
        Device.Buffer turn = device.buffer(8);
        Callable<Void> writer = () -> {
            for (long round = 1; round <= ROUNDS; round++) {
                for (int word = 0; word < words; word++) {
                    Host.setLong(source.memory(), 8L * word, round);
                }
                one.write(round, target, 0, sge(source));
                one.sent();
                while (Shared.getLongAcquire(turn.memory(), 0) != round) {
                    Thread.onSpinWait();
                }
            }
            return null;
        };
        Callable<Void> poller = () -> {
            for (long round = 1; round <= ROUNDS; round++) {
                while (Shared.getLongAcquire(target.memory(), 8L * (words - 1)) != round) {
                    Thread.onSpinWait();
                }
                for (int word = 0; word < words; word++) {
                    assertThat(Host.getLong(target.memory(), 8L * word)).isEqualTo(round);
                }
                Shared.setLongRelease(turn.memory(), 0, round);
            }
            return null;
        };
        together(List.of(writer, poller));
    }

    @Test
    void errorsAndResetsAmidTrafficLeaveNothingBehind() throws Exception {
        Endpoint one = device.endpoint();
        Endpoint other = device.endpoint();
        Device.Buffer left = device.buffer(256);
        Device.Buffer right = device.buffer(256);
        for (int round = 0; round < 60; round++) {
            Endpoint.connect(one, other);
            Device.Buffer doomed = device.buffer(256);
            together(List.of(
                    () -> writeUntilBroken(one, doomed, left), () -> writeUntilBroken(other, left, right), () -> {
                        assertThat(doomed.region().deregister()).isZero();
                        other.to(QueuePairState.ERROR);
                        one.to(QueuePairState.ERROR);
                        return null;
                    }));
            one.queuePair.ring();
            other.queuePair.ring();
            assertThat(one.sends.ring.consumerAcquire()).isEqualTo(one.sends.index);
            assertThat(other.sends.ring.consumerAcquire()).isEqualTo(other.sends.index);
            one.sent();
            other.sent();
            assertThat(one.to(QueuePairState.RESET)).isZero();
            assertThat(other.to(QueuePairState.RESET)).isZero();
        }
    }

    private static Void writeUntilBroken(Endpoint from, Device.Buffer remote, Device.Buffer local) {
        for (int round = 0; round < 50; round++) {
            from.write(round, remote, 0, sge(local));
        }
        return null;
    }

    @Test
    void twoDevicesDrivenBySeveralThreadsDeliverEverything() throws Exception {
        InMemoryNetwork network = new InMemoryNetwork();
        Device left = new Device(1, clock, network.join(List.of(Device.gid(1))));
        Device right = new Device(2, clock, network.join(List.of(Device.gid(2))));
        Endpoint one = left.endpoint();
        Endpoint other = right.endpoint();
        Endpoint.connect(one, other);
        Device.Buffer source = left.buffer(5000).fill(1);
        Device.Buffer target = right.buffer(5000);
        AtomicLong done = new AtomicLong();
        int rounds = 2000;
        Callable<Void> sender = () -> {
            for (int round = 0; round < rounds; round++) {
                one.write(round, target, 0, sge(source));
                List<Endpoint.Done> sent = one.sent();
                while (sent.isEmpty()) {
                    left.hca.doWork(clock.get());
                    right.hca.doWork(clock.get());
                    sent = one.sent();
                }
                assertThat(sent).extracting(Endpoint.Done::status).containsExactly(WorkCompletionStatus.SUCCESS);
            }
            done.set(1);
            return null;
        };
        Callable<Void> driver = () -> {
            while (done.get() == 0) {
                left.hca.doWork(clock.get());
                right.hca.doWork(clock.get());
                if (left.hca.hasWork() || right.hca.hasWork()) {
                    Thread.onSpinWait();
                }
            }
            return null;
        };
        together(List.of(sender, driver, driver));
        assertThat(target.memory().mismatch(source.memory())).isEqualTo(-1);
    }

    @Test
    void locksAreTakenUpwardsOnly() throws Exception {
        EngineLock requester = new EngineLock(EngineLock.Level.REQUESTER);
        EngineLock responder = new EngineLock(EngineLock.Level.RESPONDER);
        requester.lock();
        responder.lock();
        responder.unlock();
        requester.unlock();
        together(List.of(() -> {
            responder.lock();
            assertThatThrownBy(requester::lock).isInstanceOf(AssertionError.class);
            return null;
        }));
        together(List.of(() -> {
            new EngineLock(EngineLock.Level.RESPONDER).lock();
            assertThatThrownBy(() -> new EngineLock(EngineLock.Level.RESPONDER).lock())
                    .isInstanceOf(AssertionError.class);
            return null;
        }));
    }
}
