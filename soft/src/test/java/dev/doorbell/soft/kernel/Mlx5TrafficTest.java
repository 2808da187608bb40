package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.CompletionEvent;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.kernel.abi.ExQueryDevice;
import dev.doorbell.kernel.abi.ExQueryDeviceResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.mlx5.AtomicSegment;
import dev.doorbell.kernel.abi.mlx5.Cqe;
import dev.doorbell.kernel.abi.mlx5.CqeOpcode;
import dev.doorbell.kernel.abi.mlx5.ErrorCqe;
import dev.doorbell.kernel.abi.mlx5.MappingOffset;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateCq;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateQp;
import dev.doorbell.kernel.abi.mlx5.RegisterPage;
import dev.doorbell.kernel.abi.mlx5.Syndrome;
import dev.doorbell.kernel.abi.mlx5.WqeOpcode;
import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.spec.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work requests in queues as mlx5 has them, written byte by byte. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class Mlx5TrafficTest {
    private static final long SECONDS_NS = TimeUnit.SECONDS.toNanos(20);

    private final SoftNetwork network = SoftNetwork.builder()
            .device("soft-mlx5", InetAddress.ofLiteral("127.0.0.1"))
            .mlx5("soft-mlx5")
            .seed(3)
            .build();
    private final SoftDevice device = network.device("soft-mlx5");
    private final Gid gid = device.gids(1).get(1).gid();
    private Program program = Mlx5Connection.start(device);
    private int channel = program.completionChannel();
    private Mlx5Connection sender = new Mlx5Connection(program, -1);
    private Mlx5Connection receiver = new Mlx5Connection(program, channel);

    @BeforeEach
    void connect() {
        RcSteps.connect(program, sender.handle, receiver.number, gid);
        RcSteps.connect(program, receiver.handle, sender.number, gid);
    }

    @AfterEach
    void nothingIsLeft() {
        program.close();
        assertThat(device.census()).isEqualTo(Census.EMPTY);
        network.close();
    }

    private void send(int length) {
        sender.data(1, 0, length);
        sender.control(WqeOpcode.SEND, 2);
        sender.ring();
    }

    @Test
    void itPresentsItselfAsMlx5() {
        assertThat(device.driverId()).isEqualTo(DriverId.MLX5);
        assertThat(device.driverAbi()).isEqualTo(1);
        assertThat(device.modalias()).as("of a device on no bus").isEmpty();
    }

    @Test
    void aMessageArrives() {
        receiver.receive(64, 100);
        Host.setLong(sender.buffer, 0, 0x1122_3344_5566_7788L);
        send(8);
        long sent = sender.await();
        assertThat(sent).isZero();
        assertThat(Cqe.opcode(sender.completions, sent)).isEqualTo(CqeOpcode.REQUEST);
        assertThat(Cqe.wqeCounter(sender.completions, sent)).isZero();
        assertThat(Cqe.userIndex(sender.completions, sent)).isEqualTo(Mlx5Connection.USER_INDEX);
        assertThat(Cqe.opcodeAndQueuePair(sender.completions, sent)).isEqualTo(WqeOpcode.SEND << 24 | sender.number);
        long received = receiver.await();
        assertThat(Cqe.opcode(receiver.completions, received)).isEqualTo(CqeOpcode.RECEIVED_SEND);
        assertThat(Cqe.length(receiver.completions, received)).isEqualTo(8);
        assertThat(Host.getLong(receiver.buffer, 64)).isEqualTo(0x1122_3344_5566_7788L);
    }

    /** Nobody polls or waits: the background thread finds it. */
    @Test
    void whatIsPostedIsFoundWithoutAPoll() {
        receiver.receive(0, 8);
        send(8);
        while (sender.next() < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void writesReadsAndAtomicsReachThePeer() {
        Host.setLong(receiver.buffer, 128, 40);
        sender.remote(1, receiver, 8);
        int units = sender.inline(2, "written".getBytes(StandardCharsets.US_ASCII));
        sender.control(WqeOpcode.RDMA_WRITE, 2 + units);
        sender.remote(1, receiver, 8);
        sender.data(2, 256, 7);
        sender.control(WqeOpcode.RDMA_READ, 3);
        sender.remote(1, receiver, 128);
        AtomicSegment.setSwapOrAdd(sender.queues, sender.unit(2), 2);
        sender.data(3, 512, 8);
        sender.control(WqeOpcode.FETCH_AND_ADD, 4);
        sender.remote(1, receiver, 128);
        AtomicSegment.setSwapOrAdd(sender.queues, sender.unit(2), 7);
        AtomicSegment.setCompare(sender.queues, sender.unit(2), 42);
        sender.data(3, 520, 8);
        sender.control(WqeOpcode.COMPARE_AND_SWAP, 4);
        sender.ring();
        for (int completed = 0; completed < 4; completed++) {
            assertThat(Cqe.opcode(sender.completions, sender.await())).isEqualTo(CqeOpcode.REQUEST);
        }
        assertThat(sender.buffer.asSlice(256, 7).toArray(ValueLayout.JAVA_BYTE))
                .isEqualTo("written".getBytes(StandardCharsets.US_ASCII));
        assertThat(Host.getLong(sender.buffer, 512)).isEqualTo(40);
        assertThat(Host.getLong(sender.buffer, 520)).isEqualTo(42);
        assertThat(Host.getLong(receiver.buffer, 128)).isEqualTo(7);
    }

    /** The queue's 16 blocks are gone round several times; inline data of two blocks and more meets its end. */
    @Test
    void queuesGoRound() {
        byte[] text = new byte[150];
        for (int round = 0; round < 40; round++) {
            new Random(round).nextBytes(text);
            receiver.receive(1000, 150);
            int units = sender.inline(1, text);
            sender.control(WqeOpcode.SEND, 1 + units);
            int first = sender.posted() - 3;
            sender.ring();
            long sent = sender.await();
            assertThat(Cqe.wqeCounter(sender.completions, sent)).isEqualTo(first);
            long received = receiver.await();
            assertThat(received).as("round %d", round).isNotNegative();
            assertThat(receiver.buffer.asSlice(1000, 150).mismatch(MemorySegment.ofArray(text)))
                    .isEqualTo(-1);
        }
    }

    @Test
    void anArmedQueueRaisesOneEvent() {
        EventFile events = program.channel.eventFile(channel);
        MemorySegment event = program.arena.allocate(CompletionEvent.SIZE);
        receiver.receive(0, 8);
        receiver.receive(0, 8);
        receiver.receive(0, 8);
        send(8);
        assertThat(sender.await()).isNotNegative();
        assertThat(events.read(event, 0)).as("never armed").isZero();
        receiver.arm();
        send(8);
        send(8);
        assertThat(events.read(event, SECONDS_NS)).isEqualTo(8);
        assertThat(sender.await()).isNotNegative();
        assertThat(sender.await()).isNotNegative();
        assertThat(events.read(event, 0)).as("armed once").isZero();
    }

    /** A command comes after what was posted before it. */
    @Test
    void aCommandFindsWhatWasPostedDone() {
        receiver.receive(0, 8);
        send(8);
        assertThat(program.destroyQp(sender.handle)).isZero();
        assertThat(Cqe.opcode(sender.completions, sender.next())).isEqualTo(CqeOpcode.REQUEST);
        assertThat(Cqe.opcode(receiver.completions, receiver.next())).isEqualTo(CqeOpcode.RECEIVED_SEND);
    }

    @Test
    void whatFailsSaysWhyAndTheRestIsFlushed() {
        sender.remote(1, receiver, Mlx5Connection.BUFFER);
        sender.data(2, 0, 8);
        sender.control(WqeOpcode.RDMA_WRITE, 3);
        send(8);
        long failed = sender.await();
        assertThat(Cqe.opcode(sender.completions, failed)).isEqualTo(CqeOpcode.REQUEST_ERROR);
        assertThat(ErrorCqe.syndrome(sender.completions, failed)).isEqualTo(Syndrome.REMOTE_ACCESS);
        long flushed = sender.await();
        assertThat(ErrorCqe.syndrome(sender.completions, flushed)).isEqualTo(Syndrome.FLUSHED);
        assertThat(Cqe.wqeCounter(sender.completions, flushed)).isEqualTo(1);
        // What is posted afterwards is flushed as well, on either side.
        sender.receive(0, 8);
        send(8);
        assertThat(sender.await()).isNotNegative();
        assertThat(sender.await()).isNotNegative();
        assertThat(sender.poll()).isNegative();
    }

    @Test
    void queuesLieInMemoryThatWasPinned() {
        try (Arena arena = Arena.ofShared()) {
            long elsewhere = arena.allocate(1 << 16, 4096).address();
            assertThat(sender.createCq(-1, driver -> Mlx5CreateCq.setBuffer(driver, 0, elsewhere)))
                    .isEqualTo(Errno.EFAULT);
            assertThat(sender.createCq(-1, driver -> Mlx5CreateCq.setRecord(driver, 0, elsewhere)))
                    .isEqualTo(Errno.EFAULT);
            assertThat(sender.createCq(-1, driver -> Mlx5CreateCq.setEntrySize(driver, 0, 96)))
                    .isEqualTo(Errno.EINVAL);
            assertThat(sender.createQp(driver -> Mlx5CreateQp.setBuffer(driver, 0, elsewhere)))
                    .isEqualTo(Errno.EFAULT);
            assertThat(sender.createQp(driver -> Mlx5CreateQp.setRecord(driver, 0, 1)))
                    .isEqualTo(Errno.EFAULT);
            // One block more than there is memory.
            assertThat(sender.createQp(driver -> Mlx5CreateQp.setSendBlocks(driver, 0, 1 << 15)))
                    .isEqualTo(Errno.EFAULT);
            assertThat(sender.createQp(driver -> Mlx5CreateQp.setSendBlocks(driver, 0, 3)))
                    .isEqualTo(Errno.EINVAL);
            assertThat(sender.createQp(driver -> Mlx5CreateQp.setReceiveShift(driver, 0, 31)))
                    .isEqualTo(Errno.EINVAL);
        }
    }

    @Test
    void theClockIsInAPageToBeReadAndNothingElseIs() {
        long offset = MappingOffset.of(MappingOffset.CLOCK, 0, RegisterPage.SIZE);
        MemorySegment clock = program.channel.mapReadOnly(offset, RegisterPage.SIZE);
        assertThat(clock.isReadOnly()).isTrue();
        program.driverIn = MemorySegment.NULL;
        long last = 0;
        for (int i = 0; i < 3; i++) {
            assertThat(program.send(
                            UverbsCommand.EX_QUERY_DEVICE,
                            ExQueryDevice.SIZE,
                            ExQueryDeviceResponse.SIZE,
                            0,
                            Program::asIs))
                    .isZero();
            long ticks = Be.getLong(clock, RegisterPages.CLOCK_OFFSET);
            assertThat(ticks - last).isPositive();
            last = ticks;
        }
        assertThatThrownBy(() -> program.channel.map(offset, RegisterPage.SIZE)).isInstanceOf(KernelException.class);
        assertThatThrownBy(() -> program.channel.mapReadOnly(offset, 2 * RegisterPage.SIZE))
                .isInstanceOf(KernelException.class);
        assertThatThrownBy(() -> program.channel.mapReadOnly(0, RegisterPage.SIZE))
                .isInstanceOf(KernelException.class);
    }

    @Test
    void noiseInTheQueuesBreaksNothingElse() {
        Random random = new Random(11);
        Mlx5Connection bystander = new Mlx5Connection(program, -1);
        Mlx5Connection peer = new Mlx5Connection(program, -1);
        RcSteps.connect(program, bystander.handle, peer.number, gid);
        RcSteps.connect(program, peer.handle, bystander.number, gid);
        for (int round = 0; round < 2000; round++) {
            sender.queues.set(
                    ValueLayout.JAVA_BYTE, random.nextLong(sender.queues.byteSize()), (byte) random.nextInt());
            Be.setInt(sender.queueRecord, random.nextInt(2) * 4L, random.nextInt());
            Be.setInt(sender.completionRecord, random.nextInt(2) * 4L, random.nextInt());
            program.channel.progress().poll();
        }
        peer.receive(0, 8);
        bystander.data(1, 0, 8);
        bystander.control(WqeOpcode.SEND, 2);
        bystander.ring();
        assertThat(bystander.await()).isNotNegative();
        assertThat(Cqe.opcode(peer.completions, peer.await())).isEqualTo(CqeOpcode.RECEIVED_SEND);
    }

    /** The program's memory goes while the device uses it: its queues are empty from then on, and all others work. */
    @Test
    void memoryThatGoesAwayIsNoTrouble() {
        Program careless = Mlx5Connection.start(device);
        Mlx5Connection lost = new Mlx5Connection(careless, -1);
        RcSteps.connect(careless, lost.handle, receiver.number, gid);
        careless.arena.close();
        program.channel.progress().poll();
        receiver.receive(0, 8);
        send(8);
        assertThat(sender.await()).isNotNegative();
        assertThat(device.obstacle()).isEmpty();
        careless.channel.close();
    }
}
