package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.CreateCqResponse;
import dev.doorbell.kernel.abi.CreateQp;
import dev.doorbell.kernel.abi.CreateQpResponse;
import dev.doorbell.kernel.abi.RegMrResponse;
import dev.doorbell.kernel.abi.RxeCreateQpResponse;
import dev.doorbell.kernel.abi.RxeMmapInfo;
import dev.doorbell.kernel.abi.RxeQueueHeader;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.memory.Host;
import dev.doorbell.soft.SoftNetwork;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects are made, are in each other's way, and go away with their context. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class LifecycleTest {
    private final SoftNetwork network = SoftNetwork.builder().devices(1).seed(1).build();
    private final SoftDevice device = network.device("soft0");

    @Test
    void aContextThatIsClosedLeavesNothing() {
        try (Program program = Program.start(device)) {
            int pd = program.pd();
            int channel = program.completionChannel();
            assertThat(program.createCq(10, channel, 7, in -> {})).isZero();
            int cq = CreateCqResponse.cqHandle(program.out, 0);
            MemorySegment ring = program.channel.map(
                    RxeMmapInfo.offset(program.driverOut, 0), RxeMmapInfo.length(program.driverOut, 0));
            program.qp(pd, cq);
            MemorySegment memory = program.arena.allocate(5000);
            program.channel.pin(memory);
            assertThat(program.regMr(pd, memory, 1, in -> {})).isZero();

            assertThat(ring.byteSize()).isGreaterThan(10 * 64);
            Census census = device.census();
            assertThat(census.contexts()).isEqualTo(1);
            assertThat(census.domains()).isEqualTo(1);
            assertThat(census.regions()).isEqualTo(1);
            assertThat(census.completionQueues()).isEqualTo(1);
            assertThat(census.queuePairs()).isEqualTo(1);
            assertThat(census.channels()).isEqualTo(2);
            assertThat(census.pins()).isEqualTo(1);
            assertThat(census.pinnedBytes()).isEqualTo(5000);
            assertThat(census.mappings()).isEqualTo(1);
            assertThat(census.ringBytes()).isPositive();
        }
        assertThat(device.census()).isEqualTo(Census.EMPTY);
    }

    @Test
    void whatIsDestroyedInOrderIsGone() {
        try (Program program = Program.start(device)) {
            Census started = device.census();
            int pd = program.pd();
            int cq = program.cq(4);
            int qp = program.qp(pd, cq);
            MemorySegment memory = program.arena.allocate(100);
            try (CommandChannel.Pin pin = program.channel.pin(memory)) {
                assertThat(pin).isNotNull();
                assertThat(program.regMr(pd, memory, 1, in -> {})).isZero();
                int mr = RegMrResponse.mrHandle(program.out, 0);

                assertThat(program.sendHandle(UverbsCommand.DEALLOC_PD, pd)).isEqualTo(Errno.EBUSY);
                assertThat(program.destroyCq(cq)).isEqualTo(Errno.EBUSY);
                assertThat(program.destroyQp(qp)).isZero();
                assertThat(program.destroyCq(cq)).isZero();
                assertThat(program.sendHandle(UverbsCommand.DEALLOC_PD, pd)).isEqualTo(Errno.EBUSY);
                assertThat(program.sendHandle(UverbsCommand.DEREG_MR, mr)).isZero();
                assertThat(program.sendHandle(UverbsCommand.DEALLOC_PD, pd)).isZero();
            }
            assertThat(device.census()).isEqualTo(started);

            assertThat(program.sendHandle(UverbsCommand.DEALLOC_PD, pd)).isEqualTo(Errno.ENOENT);
            assertThat(program.destroyQp(qp)).isEqualTo(Errno.ENOENT);
            assertThat(program.destroyCq(cq)).isEqualTo(Errno.ENOENT);
        }
    }

    @Test
    void ringsAreMappedOnceAndSizedAsTheDriverSays() {
        try (Program program = Program.start(device)) {
            int pd = program.pd();
            int cq = program.cq(10);
            long key = RxeMmapInfo.offset(program.driverOut, 0);
            int length = RxeMmapInfo.length(program.driverOut, 0);
            assertThat(CreateCqResponse.cqe(program.out, 0)).isEqualTo(15);

            MemorySegment ring = program.channel.map(key, length);
            assertThat(RxeQueueHeader.indexMask(ring, 0)).isEqualTo(15);
            assertThat(RxeQueueHeader.log2ElemSize(ring, 0)).isEqualTo(7);
            assertThat(length).as("whole pages").isEqualTo(4096);
            assertThatThrownBy(() -> program.channel.map(key, length))
                    .isInstanceOfSatisfying(
                            KernelException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));

            program.qp(pd, cq);
            int receive = RxeCreateQpResponse.RECEIVE_QUEUE;
            int send = RxeCreateQpResponse.SEND_QUEUE;
            assertThat(CreateQpResponse.maxSendWr(program.out, 0)).isEqualTo(7);
            assertThat(CreateQpResponse.maxRecvWr(program.out, 0)).isEqualTo(7);
            assertThat(RxeMmapInfo.length(program.driverOut, receive)).isEqualTo(4096);
            assertThat(RxeMmapInfo.length(program.driverOut, send)).isEqualTo(4096);
        }
    }

    @Test
    void aMappingOutlivesItsObjectButNotItsContext() {
        MemorySegment ring;
        try (Program program = Program.start(device)) {
            int cq = program.cq(10);
            ring = program.channel.map(
                    RxeMmapInfo.offset(program.driverOut, 0), RxeMmapInfo.length(program.driverOut, 0));
            assertThat(program.destroyCq(cq)).isZero();
            Host.setInt(ring, 384, 42);
            program.cq(10);
            assertThat(Host.getInt(ring, 384)).as("nobody else got the memory").isEqualTo(42);
            program.channel.unmap(ring);
            assertThat(device.census().mappings()).isZero();
        }
        assertThatThrownBy(() -> Host.getInt(ring, 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anOpenedButUnusedContextClosesTwice() {
        Program program = Program.open(device);
        assertThat(device.census().contexts()).isEqualTo(1);
        program.close();
        program.channel.close();
        assertThat(program.channel.invoke(
                        UverbsCommand.GET_CONTEXT,
                        MemorySegment.NULL,
                        MemorySegment.NULL,
                        MemorySegment.NULL,
                        MemorySegment.NULL))
                .isEqualTo(Errno.EBADF);
        assertThat(device.census()).isEqualTo(Census.EMPTY);
    }

    @Test
    void aLargeRingHasItsMemoryToItself() {
        try (Program program = Program.start(device)) {
            int pd = program.pd();
            int cq = program.cq(1);
            assertThat(program.createQp(pd, cq, in -> CreateQp.setMaxSendWr(in, 0, 20_000)))
                    .isZero();
            int qp = CreateQpResponse.qpHandle(program.out, 0);
            MemorySegment ring = program.channel.map(
                    RxeMmapInfo.offset(program.driverOut, RxeCreateQpResponse.SEND_QUEUE), Slabs.LARGE);
            long before = device.census().ringBytes();
            assertThat(program.destroyQp(qp)).isZero();
            Host.setInt(ring, 0, 1);
            program.channel.unmap(ring);
            assertThat(device.census().ringBytes()).isLessThan(before - Slabs.LARGE);
            assertThatThrownBy(() -> Host.getInt(ring, 0)).isInstanceOf(IllegalStateException.class);
        }
        assertThat(device.census()).isEqualTo(Census.EMPTY);
    }

    @Test
    void ringsOfTheSameSizeGetMemoryThatWasGivenBackZeroed() {
        try (Program program = Program.start(device)) {
            for (int round = 0; round < 3; round++) {
                int cq = program.cq(100);
                MemorySegment ring = program.channel.map(
                        RxeMmapInfo.offset(program.driverOut, 0), RxeMmapInfo.length(program.driverOut, 0));
                assertThat(Host.getLong(ring, ring.byteSize() - 8)).isZero();
                Host.setLong(ring, ring.byteSize() - 8, -1);
                program.channel.unmap(ring);
                assertThat(program.destroyCq(cq)).isZero();
            }
            assertThat(device.census().ringBytes()).isZero();
        }
    }

    @Test
    void aQueuePairMayHaveNoReceives() {
        try (Program program = Program.start(device)) {
            assertThat(program.createQp(program.pd(), program.cq(1), in -> {
                        CreateQp.setMaxRecvWr(in, 0, 0);
                        CreateQp.setMaxRecvSge(in, 0, 0);
                    }))
                    .isZero();
            assertThat(CreateQpResponse.maxRecvWr(program.out, 0)).isZero();
        }
    }

    @Test
    void contextsOutliveTheirDevice() {
        Program program = Program.start(device);
        program.qp(program.pd(), program.cq(1));
        network.close();
        assertThat(device.obstacle()).isPresent();
        program.close();
        assertThat(device.census()).isEqualTo(Census.EMPTY);
    }

    @Test
    void nothingCanBePinnedInAClosedContext() {
        Program program = Program.start(device);
        MemorySegment memory = program.arena.allocate(8);
        program.channel.close();
        assertThatThrownBy(() -> program.channel.pin(memory)).isInstanceOf(KernelException.class);
        assertThatThrownBy(() -> program.channel.map(0, 1)).isInstanceOf(KernelException.class);
        assertThatThrownBy(() -> program.channel.doorbell(1)).isInstanceOf(KernelException.class);
        assertThatThrownBy(() -> program.channel.eventFile(1)).isInstanceOf(KernelException.class);
        program.close();
    }
}
