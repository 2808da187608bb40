package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.doorbell.kernel.abi.RxeBindWr;
import dev.doorbell.kernel.abi.RxeFlushWr;
import dev.doorbell.kernel.abi.RxeRdmaWr;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.soft.link.InMemoryNetwork;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkRequestOpcode;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The data path allocates nothing once it is compiled. */
@Timeout(120)
class AllocationTest {
    private static final int MEASURED = 20_000;
    private static final int ATTEMPTS = 30;

    private final AtomicLong clock = new AtomicLong();

    @Test
    void directWritesAndReadsAllocateNothing() {
        Device device = new Device(1, clock, null);
        check(device, device, AllocationTest::prepareWritesAndReads);
    }

    @Test
    void windowsAndPlacementAllocateNothing() {
        Device device = new Device(1, clock, null);
        check(device, device, AllocationTest::prepareMemoryWork);
        InMemoryNetwork network = new InMemoryNetwork();
        Device left = new Device(1, clock, network.join(List.of(Device.gid(1))));
        Device right = new Device(2, clock, network.join(List.of(Device.gid(2))));
        check(left, right, AllocationTest::prepareMemoryWork);
    }

    @Test
    void packetsAllocateNothing() {
        InMemoryNetwork network = new InMemoryNetwork();
        Device left = new Device(1, clock, network.join(List.of(Device.gid(1))));
        Device right = new Device(2, clock, network.join(List.of(Device.gid(2))));
        check(left, right, AllocationTest::prepareWritesAndReads);
    }

    @Test
    void unreliableMessagesAllocateNothing() {
        Device device = new Device(1, clock, null);
        checkUnreliable(device, device);
        InMemoryNetwork network = new InMemoryNetwork();
        Device left = new Device(1, clock, network.join(List.of(Device.gid(1))));
        Device right = new Device(2, clock, network.join(List.of(Device.gid(2))));
        checkUnreliable(left, right);
    }

    private static void checkUnreliable(Device left, Device right) {
        Endpoint one = left.endpoint(Endpoint.Options.of(QueuePairType.UC));
        Endpoint other = right.endpoint(Endpoint.Options.of(QueuePairType.UC));
        Endpoint.connect(one, other);
        Device.Buffer local = left.buffer(3000);
        for (int slot = 0; slot < one.options.slots; slot++) {
            one.sends.index = slot;
            one.prepare(slot, WorkRequestOpcode.SEND, Endpoint.SIGNALED, sge(local));
        }
        post(other, right.buffer(3000));
        check(one, other, left, right);
    }

    @Test
    void datagramsAllocateNothing() {
        InMemoryNetwork network = new InMemoryNetwork();
        Device left = new Device(1, clock, network.join(List.of(Device.gid(1))));
        Device right = new Device(2, clock, network.join(List.of(Device.gid(2))));
        checkDatagrams(left, left);
        checkDatagrams(left, right);
    }

    /** Every other datagram goes to a group. */
    private static void checkDatagrams(Device left, Device right) {
        Gid group = Gid.ofIpv4(0xe000_0001);
        Endpoint one = left.endpoint(Endpoint.Options.of(QueuePairType.UD)).open();
        Endpoint other = right.endpoint(Endpoint.Options.of(QueuePairType.UD)).open();
        assertThat(other.queuePair.attach(group)).isZero();
        HcaAddressHandle[] handles = {one.address(right.gid), one.address(group)};
        Device.Buffer local = left.buffer(3000);
        for (int slot = 0; slot < one.options.slots; slot++) {
            one.sends.index = slot;
            one.prepareDatagram(
                    slot,
                    WorkRequestOpcode.SEND,
                    handles[slot % 2],
                    other.queuePair.number(),
                    other.options.qkey,
                    sge(local));
        }
        post(other, right.buffer(3040));
        check(one, other, left, right);
    }

    /** A receive in each slot: they are only published in the measured rounds. */
    private static void post(Endpoint other, Device.Buffer inbox) {
        for (int slot = 0; slot < other.options.slots; slot++) {
            other.receives.index = slot;
            other.receive(slot, sge(inbox));
        }
        other.receives.ring.producerRelease(0);
        other.receives.index = 0;
    }

    private static void check(Device left, Device right, BiConsumer<Endpoint, Endpoint> preparation) {
        Endpoint.Options options = new Endpoint.Options();
        options.access = Device.ALL_ACCESS | AccessFlag.FLUSH_GLOBAL.bit();
        Endpoint one = left.endpoint(options);
        Endpoint other = right.endpoint(options);
        Endpoint.connect(one, other);
        preparation.accept(one, other);
        check(one, other, left, right);
    }

    private static void check(Endpoint one, Endpoint other, Device left, Device right) {
        one.sends.index = 0;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long allocated = Long.MAX_VALUE;
        // The first rounds are interpreted, and compilers take their time: what counts is that it comes to nothing.
        for (int attempt = 0; attempt < ATTEMPTS && allocated > 0; attempt++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int round = 0; round < MEASURED; round++) {
                if (other.options.type != QueuePairType.RC) {
                    other.receives.publish();
                }
                one.sends.publish();
                one.queuePair.ring();
                while (left.hca.doWork(0) || right.hca.doWork(0)) {}
                one.sendCompletions.ring.consumerRelease(one.sendCompletions.ring.producerAcquire());
                other.receiveCompletions.ring.consumerRelease(other.receiveCompletions.ring.producerAcquire());
            }
            allocated = threads.getThreadAllocatedBytes(thread) - before;
        }
        assertThat(allocated).as("bytes per " + MEASURED + " work requests").isZero();
        assertThat(one.queuePair.state()).isEqualTo(dev.doorbell.spec.QueuePairState.RTS);
        assertThat(other.receives.ring.consumerAcquire()).as("receives used").isEqualTo(other.receives.index);
    }

    private static void prepareWritesAndReads(Endpoint one, Endpoint other) {
        Device.Buffer local = one.device.buffer(3000);
        Device.Buffer remote = other.device.buffer(3000);
        for (int slot = 0; slot < one.options.slots; slot++) {
            one.sends.index = slot;
            WorkRequestOpcode opcode = slot % 2 == 0 ? WorkRequestOpcode.RDMA_WRITE : WorkRequestOpcode.RDMA_READ;
            long at = one.prepare(slot, opcode, Endpoint.SIGNALED, sge(local));
            RxeRdmaWr.setRemoteAddr(one.sends.memory(), at, remote.address());
            RxeSendWqe.setIova(one.sends.memory(), at, remote.address());
            RxeRdmaWr.setRkey(one.sends.memory(), at, remote.key());
        }
    }

    /** Rounds of: bind a window here, ATOMIC WRITE, WRITE through a window there, FLUSH, invalidate the window here. */
    private static void prepareMemoryWork(Endpoint one, Endpoint other) {
        int access = Device.ALL_ACCESS | AccessFlag.MW_BIND.bit() | AccessFlag.FLUSH_GLOBAL.bit();
        Device.Buffer local = one.device.buffer(64, access);
        Device.Buffer remote = other.device.buffer(64, access);
        HcaMemoryWindow here = Objects.requireNonNull(one.device.hca.allocateWindow(one.device.domain, 2));
        HcaMemoryWindow there = Objects.requireNonNull(other.device.hca.allocateWindow(other.device.domain, 1));
        MemoryWork.bind(other, there.rkey(), there.rkey(), remote.key(), remote.address(), 64, access);
        for (int slot = 0; slot < one.options.slots; slot++) {
            one.sends.index = slot;
            long at = one.prepare(slot, WorkRequestOpcode.ATOMIC_WRITE, Endpoint.SIGNALED);
            var ring = one.sends.memory();
            RxeSendWqe.setIova(ring, at, remote.address());
            RxeSendWqe.setDmaLength(ring, at, Long.BYTES);
            RxeRdmaWr.setRkey(ring, at, remote.key());
            switch (slot % 8) {
                case 0 -> {
                    RxeSendWqe.setOpcode(ring, at, WorkRequestOpcode.BIND_MW.code());
                    RxeBindWr.setAddr(ring, at, local.address());
                    RxeBindWr.setLength(ring, at, Long.BYTES);
                    RxeBindWr.setMrLkey(ring, at, local.key());
                    RxeBindWr.setMwRkey(ring, at, here.rkey());
                    RxeBindWr.setRkey(ring, at, here.rkey());
                }
                case 2 -> {
                    at = one.prepare(slot, WorkRequestOpcode.RDMA_WRITE, Endpoint.SIGNALED, sge(local));
                    RxeSendWqe.setIova(ring, at, remote.address());
                    RxeRdmaWr.setRkey(ring, at, there.rkey());
                }
                case 4 -> {
                    RxeSendWqe.setOpcode(ring, at, WorkRequestOpcode.FLUSH.code());
                    RxeFlushWr.setRkey(ring, at, remote.key());
                    RxeFlushWr.setType(ring, at, 1);
                }
                case 7 -> {
                    RxeSendWqe.setOpcode(ring, at, WorkRequestOpcode.LOCAL_INV.code());
                    RxeSendWqe.setInvalidateRkey(ring, at, here.rkey());
                }
                default -> {}
            }
        }
        one.sends.index = 0;
    }
}
