package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.soft.fault.FaultInjector;
import dev.doorbell.soft.link.InMemoryLink;
import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.wire.Bth;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever stands in rings, packets and memory: the engine answers with completions or drops, and never throws. */
@Timeout(120)
class HostileTest {
    private static final int FENCED = 4096;

    @Test
    void randomSendRingsNeverThrowAndNeverTouchWhatIsNotRegistered() {
        for (long seed = 0; seed < 400; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Device device = new Device(1, new AtomicLong(), null);
            Endpoint one = device.endpoint();
            Endpoint other = device.endpoint();
            Endpoint.connect(one, other);
            MemorySegment block = device.arena.allocate(3 * FENCED, 64);
            Device.Buffer allowed = device.register(block.asSlice(FENCED, FENCED), FENCED, Device.ALL_ACCESS);
            for (int index = 0; index < 8; index++) {
                other.receive(index, sge(allowed));
                mutate(random, one, one.prepare(index, opcode(random), random.nextInt(32), sge(allowed), sge(allowed)));
                one.sends.publish();
            }
            String what = "seed " + seed;
            assertThatCode(one.queuePair::ring).as(what).doesNotThrowAnyException();
            for (int step = 0; step < 20; step++) {
                device.step();
            }
            MemorySegment empty = MemorySegment.ofArray(new byte[FENCED]);
            assertThat(block.asSlice(0, FENCED).mismatch(empty)).as(what).isEqualTo(-1);
            assertThat(block.asSlice(2 * FENCED).mismatch(empty)).as(what).isEqualTo(-1);
            assertThat(one.sent().size()).as(what).isLessThanOrEqualTo(8);
            device.arena.close();
        }
    }

    @Test
    void randomSharedRingsNeverThrowAndNeverTouchWhatIsNotRegistered() {
        for (long seed = 0; seed < 400; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Device device = new Device(1, new AtomicLong(), null);
            SharedQueue shared = new SharedQueue(device, 8);
            MemorySegment block = device.arena.allocate(3 * FENCED, 64);
            Device.Buffer allowed = device.register(block.asSlice(FENCED, FENCED), FENCED, Device.ALL_ACCESS);
            shared.scramble(random, sge(allowed, 0, 64));
            for (int turn = 0; turn < 3; turn++) {
                Endpoint taker = shared.endpoint();
                Endpoint sender = device.endpoint();
                Endpoint.connect(sender, taker);
                String what = "seed " + seed;
                Device.Buffer source = device.buffer(100).fill(1);
                assertThatCode(() -> sender.send(1, sge(source))).as(what).doesNotThrowAnyException();
                device.step();
                assertThatCode(() -> shared.resize(16 << random.nextInt(2), 8))
                        .as(what)
                        .doesNotThrowAnyException();
                assertThat(taker.received().size()).as(what).isLessThanOrEqualTo(1);
            }
            MemorySegment empty = MemorySegment.ofArray(new byte[FENCED]);
            assertThat(block.asSlice(0, FENCED).mismatch(empty)).isEqualTo(-1);
            assertThat(block.asSlice(2 * FENCED).mismatch(empty)).isEqualTo(-1);
            device.arena.close();
        }
    }

    private static WorkRequestOpcode opcode(SplittableRandom random) {
        return WorkRequestOpcode.of(random.nextInt(7));
    }

    private static void mutate(SplittableRandom random, Endpoint endpoint, long at) {
        MemorySegment ring = endpoint.sends.memory();
        // The first address in the work request may well be a good one, so that some get through.
        long address = Host.getLong(ring, RxeSendWqe.sge(at, 0));
        Host.setLong(ring, at + 24, address + random.nextInt(-100, FENCED + 100));
        Host.setInt(ring, at + 32, Host.getInt(ring, RxeSendWqe.sge(at, 0) + 12));
        Host.setInt(ring, at + 48, Host.getInt(ring, RxeSendWqe.sge(at, 0) + 12));
        int flips = random.nextInt(6);
        for (int flip = 0; flip < flips; flip++) {
            long offset = at + random.nextInt(256);
            Host.setByte(ring, offset, Host.getUnsignedByte(ring, offset) ^ 1 << random.nextInt(8));
        }
    }

    @Test
    void randomReceiveRingsNeverThrow() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Device device = new Device(1, new AtomicLong(), null);
            Endpoint one = device.endpoint();
            Endpoint other = device.endpoint();
            Endpoint.connect(one, other);
            Device.Buffer buffer = device.buffer(64);
            for (int index = 0; index < 4; index++) {
                long at = other.receives.slot();
                other.receive(index, sge(buffer), sge(buffer));
                for (int flip = 0; flip < random.nextInt(4); flip++) {
                    long offset = at + random.nextInt(72);
                    Host.setByte(other.receives.memory(), offset, random.nextInt(256));
                }
            }
            for (int index = 0; index < 4; index++) {
                int id = index;
                assertThatCode(() -> one.send(id, sge(buffer))).doesNotThrowAnyException();
            }
            for (int step = 0; step < 20; step++) {
                device.step();
            }
            assertThat(one.sent()).as("seed " + seed).isNotEmpty();
            device.arena.close();
        }
    }

    @Test
    void producerIndicesThatLieAreOnlyMasked() {
        Device device = new Device(1, new AtomicLong(), null);
        Endpoint one = device.endpoint();
        Endpoint other = device.endpoint();
        Endpoint.connect(one, other);
        Host.setInt(one.sends.memory(), 128, -1);
        Host.setInt(other.receives.memory(), 128, Integer.MIN_VALUE | 7);
        assertThatCode(one.queuePair::ring).doesNotThrowAnyException();
        assertThatCode(() -> {
                    while (device.step()) {}
                })
                .doesNotThrowAnyException();
    }

    @Test
    void eachByteOfAWorkRequestThatMattersChangesTheOutcome() {
        int[] mattering = {0, 12, 184, 197, 208, 218, 220};
        for (int offset : mattering) {
            Device device = new Device(1, new AtomicLong(), null);
            Endpoint one = device.endpoint();
            Endpoint other = device.endpoint();
            Endpoint.connect(one, other);
            Device.Buffer source = device.buffer(64).fill(1);
            Device.Buffer target = device.buffer(64);
            other.receive(1, sge(target));
            long at = one.prepare(7, WorkRequestOpcode.SEND, Endpoint.SIGNALED, sge(source, 0, 32));
            MemorySegment ring = one.sends.memory();
            Host.setByte(ring, at + offset, Host.getUnsignedByte(ring, at + offset) ^ 1);
            one.submit();
            List<Endpoint.Done> sent = one.sent();
            boolean asBefore = sent.size() == 1
                    && sent.getFirst().id() == 7
                    && sent.getFirst().status() == dev.doorbell.spec.WorkCompletionStatus.SUCCESS
                    && other.received().stream().noneMatch(Endpoint.Done::hasImmediate)
                    && MemorySegment.mismatch(source.memory(), 0, 32, target.memory(), 0, 32) == -1;
            assertThat(asBefore).as("byte " + offset).isFalse();
            device.arena.close();
        }
    }

    @Test
    void randomPacketsNeverThrow() {
        SplittableRandom random = new SplittableRandom(42);
        Wire wire = new Wire();
        Endpoint one = wire.left.endpoint();
        Endpoint other = wire.right.endpoint();
        Endpoint.connect(one, other);
        Device.Buffer buffer = wire.right.buffer(FENCED);
        try (InMemoryLink attacker = wire.network.join(List.of(Device.gid(9)))) {
            Transmitter transmitter = attacker.newTransmitter();
            MemorySegment packet = transmitter.memory();
            for (int count = 0; count < 50_000; count++) {
                long at = transmitter.claim();
                int length = random.nextInt(12, 200);
                for (int offset = 0; offset < length; offset++) {
                    Be.setByte(packet, at + offset, random.nextInt(256));
                }
                Endpoint target = random.nextBoolean() ? one : other;
                int psn = other.options.receivePsn + random.nextInt(-3, 4);
                Bth.write(packet, at, random.nextInt(32), random.nextInt(4), target.queuePair.number(), psn);
                boolean first = target == one;
                transmitter.send(length, Device.gid(first ? 2 : 1), Device.gid(first ? 1 : 2));
                if (count % 50 == 0) {
                    other.receive(count, sge(buffer));
                }
                wire.settle();
                reconnect(one, other);
                one.sent();
                other.received();
                other.sent();
                one.received();
            }
        }
    }

    /** Codes of UC and UD, at queue pairs of both; the bytes behind the base header are random. */
    @Test
    void randomPacketsWithoutAcknowledgementNeverThrow() {
        SplittableRandom random = new SplittableRandom(43);
        Wire wire = new Wire();
        Endpoint source = wire.left.endpoint(Endpoint.Options.of(QueuePairType.UC));
        Endpoint connected = wire.right.endpoint(Endpoint.Options.of(QueuePairType.UC));
        Endpoint.connect(source, connected);
        Endpoint datagrams =
                wire.right.endpoint(Endpoint.Options.of(QueuePairType.UD)).open();
        assertThat(datagrams.queuePair.attach(Gid.ofIpv4(0xe100_0001))).isZero();
        Device.Buffer buffer = wire.right.buffer(FENCED);
        try (InMemoryLink attacker = wire.network.join(List.of(Device.gid(9)))) {
            Transmitter transmitter = attacker.newTransmitter();
            MemorySegment packet = transmitter.memory();
            for (int count = 0; count < 50_000; count++) {
                long at = transmitter.claim();
                int length = random.nextInt(12, 200);
                for (int offset = 0; offset < length; offset++) {
                    Be.setByte(packet, at + offset, random.nextInt(256));
                }
                Endpoint target = random.nextBoolean() ? connected : datagrams;
                int opcode = target == connected ? 0x20 + random.nextInt(14) : 0x64 + random.nextInt(2);
                int psn = connected.options.receivePsn + random.nextInt(-3, 4);
                Bth.write(packet, at, opcode, random.nextInt(4), target.queuePair.number(), psn);
                if (target == datagrams && random.nextBoolean()) {
                    Be.setInt(packet, at + 12, datagrams.options.qkey);
                }
                transmitter.send(length, Device.gid(1), Device.gid(2));
                if (count % 50 == 0) {
                    connected.receive(count, sge(buffer));
                    datagrams.receive(count, sge(buffer));
                }
                wire.settle();
                assertThat(connected.received()).noneMatch(done -> done.bytes() > FENCED);
                assertThat(datagrams.received()).noneMatch(done -> done.bytes() > FENCED);
            }
        }
        assertThat(connected.queuePair.state()).isEqualTo(QueuePairState.RTS);
        assertThat(datagrams.queuePair.state()).isEqualTo(QueuePairState.RTS);
    }

    private static void reconnect(Endpoint one, Endpoint other) {
        boolean broken = one.queuePair.state() == dev.doorbell.spec.QueuePairState.ERROR
                || other.queuePair.state() == dev.doorbell.spec.QueuePairState.ERROR;
        if (broken) {
            one.to(dev.doorbell.spec.QueuePairState.RESET);
            other.to(dev.doorbell.spec.QueuePairState.RESET);
            Endpoint.connect(one, other);
        }
    }

    @Test
    void corruptedConversationsEndAndNeverThrow() {
        for (long seed = 0; seed < 60; seed++) {
            Wire wire = new Wire(
                    FaultInjector.seeded(seed).falsification(0.05),
                    FaultInjector.seeded(~seed).falsification(0.05));
            Endpoint one = wire.left.endpoint();
            Endpoint other = wire.right.endpoint();
            Endpoint.connect(one, other);
            Device.Buffer local = wire.left.buffer(10_000);
            Device.Buffer remote = wire.right.buffer(10_000);
            for (int index = 0; index < 10; index++) {
                other.receive(index, sge(remote));
                one.write(index, remote, 0, sge(local));
                one.read(100 + index, remote, 0, sge(local));
                one.fetchAdd(200 + index, remote.address(), remote.key(), 1, sge(local, 0, 8));
                one.send(300 + index, sge(local));
            }
            assertThatCode(wire::finish).as("seed " + seed).doesNotThrowAnyException();
            assertThat(one.sent()).as("seed " + seed).hasSize(40);
        }
    }

    @Test
    void aTruncatedMappingEndsInACompletion(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("mapped");
        Files.write(file, new byte[64 * 1024]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Arena arena = Arena.ofShared()) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 64 * 1024, arena);
            Device device = new Device(1, new AtomicLong(), null);
            Device.Buffer gone = device.register(mapped, 64 * 1024, Device.ALL_ACCESS);
            Device.Buffer good = device.buffer(64 * 1024);
            channel.truncate(0);
            warmUp(device, good);
            for (int size : new int[] {1, 8, 64, 64 * 1024}) {
                truncated(device, size, one -> one.write(1, good, 0, sge(gone, 0, size)));
                truncated(device, size, one -> one.write(1, gone, 0, sge(good, 0, size)));
                truncated(device, size, one -> one.read(1, good, 0, sge(gone, 0, size)));
                truncated(device, size, one -> one.read(1, gone, 0, sge(good, 0, size)));
            }
            truncated(device, 8, one -> one.fetchAdd(1, gone.address(), gone.key(), 1, sge(good, 0, 8)));
        }
    }

    /** So that the faults meet compiled code. */
    private static void warmUp(Device device, Device.Buffer good) {
        Endpoint one = device.endpoint();
        Endpoint other = device.endpoint();
        Endpoint.connect(one, other);
        for (int index = 0; index < 20_000; index++) {
            int size = index % 200;
            one.write(1, good, 0, sge(good, 1000, size));
            one.read(1, good, 0, sge(good, 1000, size));
            one.fetchAdd(1, good.address(), good.key(), 1, sge(good, 0, 8));
            one.sent();
        }
    }

    private static void truncated(Device device, int size, java.util.function.Consumer<Endpoint> action) {
        Endpoint one = device.endpoint();
        Endpoint other = device.endpoint();
        Endpoint.connect(one, other);
        assertThatCode(() -> action.accept(one)).as(size + " bytes").doesNotThrowAnyException();
        assertThat(one.sent())
                .as(size + " bytes")
                .singleElement()
                .satisfies(done -> assertThat(done.status())
                        .isIn(
                                dev.doorbell.spec.WorkCompletionStatus.LOC_PROT_ERR,
                                dev.doorbell.spec.WorkCompletionStatus.REM_ACCESS_ERR));
    }
}
