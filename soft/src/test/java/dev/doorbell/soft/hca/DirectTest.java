package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.spec.WorkRequestOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two queue pairs of one device. */
class DirectTest {
    private final AtomicLong clock = new AtomicLong(1_000_000);
    private final Device device = new Device(1, clock, null);
    private final Endpoint left = device.endpoint();
    private final Endpoint right = device.endpoint();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 1023, 1024, 1025, 100_000})
    void sendFillsTheReceiveBuffer(int size) {
        Endpoint.connect(left, right);
        Device.Buffer source = device.buffer(size).fill(1);
        Device.Buffer target = device.buffer(size + 5);
        right.receive(7, sge(target));
        left.send(8, sge(source, 0, size));
        assertThat(right.received()).singleElement().satisfies(done -> {
            assertThat(done.id()).isEqualTo(7);
            assertThat(done.status()).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(done.opcode()).isEqualTo(WorkCompletionOpcode.RECV);
            assertThat(done.bytes()).isEqualTo(size);
        });
        assertThat(left.sent())
                .extracting(Endpoint.Done::id, Endpoint.Done::status)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(8L, WorkCompletionStatus.SUCCESS));
        same(source, target, size);
    }

    @Test
    void sendGathersAndScatters() {
        Endpoint.connect(left, right);
        Device.Buffer source = device.buffer(300).fill(2);
        Device.Buffer target = device.buffer(300);
        right.receive(1, sge(target, 0, 13), sge(target, 13, 0), sge(target, 13, 200), sge(target, 213, 87));
        left.send(1, sge(source, 0, 100), sge(source, 100, 1), sge(source, 101, 199));
        assertThat(left.sent()).extracting(Endpoint.Done::status).containsExactly(WorkCompletionStatus.SUCCESS);
        same(source, target, 300);
    }

    @Test
    void inlineDataAndImmediateDataTravel() {
        Endpoint.connect(left, right);
        Device.Buffer target = device.buffer(64);
        right.receive(1, sge(target));
        right.receive(2, sge(target));
        left.sendInline(1, new byte[] {1, 2, 3});
        assertThat(right.received()).extracting(Endpoint.Done::bytes).containsExactly(3L);
        assertThat(Host.getInt(target.memory(), 0)).isEqualTo(0x030201);
        left.sendImmediate(2, 0x01020304);
        assertThat(right.received()).singleElement().satisfies(done -> {
            assertThat(done.hasImmediate()).isTrue();
            assertThat(done.immediate()).isEqualTo(0x01020304);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 8, 12, 16, 17, 4096, 70_001})
    void writeAndReadMoveTheBytes(int size) {
        Endpoint.connect(left, right);
        Device.Buffer source = device.buffer(size + 3).fill(3);
        Device.Buffer target = device.buffer(size + 3);
        Device.Buffer back = device.buffer(size + 3);
        left.write(1, target, 3, sge(source, 3, size));
        left.read(2, target, 3, sge(back, 3, size));
        assertThat(left.sent())
                .extracting(Endpoint.Done::opcode)
                .containsExactly(WorkCompletionOpcode.RDMA_WRITE, WorkCompletionOpcode.RDMA_READ);
        assertThat(back.memory()
                        .asSlice(3)
                        .mismatch(source.memory().asSlice(3, back.memory().byteSize() - 3)))
                .isEqualTo(-1);
        assertThat(right.received()).isEmpty();
    }

    @Test
    void writeWithImmediateTakesAReceive() {
        Endpoint.connect(left, right);
        Device.Buffer source = device.buffer(40).fill(4);
        Device.Buffer target = device.buffer(40);
        right.receive(9);
        left.writeImmediate(1, 0x55, target, sge(source));
        assertThat(right.received()).singleElement().satisfies(done -> {
            assertThat(done.opcode()).isEqualTo(WorkCompletionOpcode.RECV_RDMA_WITH_IMM);
            assertThat(done.bytes()).isEqualTo(40);
            assertThat(done.immediate()).isEqualTo(0x55);
        });
        same(source, target, 40);
    }

    @Test
    void atomicsAnswerWhatWasThere() {
        Endpoint.connect(left, right);
        Device.Buffer target = device.buffer(16);
        Device.Buffer result = device.buffer(8);
        Host.setLong(target.memory(), 8, 41);
        left.fetchAdd(1, target.address() + 8, target.key(), 1, sge(result));
        assertThat(Host.getLong(result.memory(), 0)).isEqualTo(41);
        left.compareSwap(2, target.address() + 8, target.key(), 42, -5, sge(result));
        assertThat(Host.getLong(result.memory(), 0)).isEqualTo(42);
        left.compareSwap(3, target.address() + 8, target.key(), 42, 99, sge(result));
        assertThat(Host.getLong(result.memory(), 0)).isEqualTo(-5);
        assertThat(Host.getLong(target.memory(), 8)).isEqualTo(-5);
        assertThat(left.sent()).extracting(Endpoint.Done::status).containsOnly(WorkCompletionStatus.SUCCESS);
    }

    @Test
    void unalignedAtomicIsAnInvalidRequest() {
        Endpoint.connect(left, right);
        Device.Buffer target = device.buffer(16);
        left.fetchAdd(1, target.address() + 4, target.key(), 1, sge(device.buffer(8)));
        fails(left, WorkCompletionStatus.REM_INV_REQ_ERR);
        assertThat(right.queuePair.state()).isEqualTo(QueuePairState.ERROR);
        assertThat(device.events).containsExactly(AsyncEventType.QP_REQ_ERR);
    }

    @Test
    void misalignedMemoryUnderAnAlignedAddressIsAnInvalidRequest() {
        Endpoint.connect(left, right);
        MemorySegment memory = device.arena.allocate(32, 64).asSlice(4, 16);
        HcaMemoryRegion region = device.hca.registerMemory(device.domain, memory, 0x1000, 16, Device.ALL_ACCESS);
        assertThat(region).isNotNull();
        left.fetchAdd(1, 0x1000, region.rkey(), 1, sge(device.buffer(8)));
        fails(left, WorkCompletionStatus.REM_INV_REQ_ERR);
    }

    @Test
    void aMessageLongerThanItsReceiveBreaksBoth() {
        Endpoint.connect(left, right);
        Device.Buffer buffer = device.buffer(8);
        right.receive(1, sge(buffer, 0, 4));
        right.receive(2, sge(buffer, 0, 4));
        left.send(1, sge(buffer));
        fails(left, WorkCompletionStatus.REM_INV_REQ_ERR);
        assertThat(right.received())
                .extracting(Endpoint.Done::status)
                .containsExactly(WorkCompletionStatus.LOC_LEN_ERR, WorkCompletionStatus.WR_FLUSH_ERR);
    }

    @Test
    void wrongKeysRangesAndRightsAreAccessErrors() {
        Device.Buffer buffer = device.buffer(64);
        Device.Buffer guarded = device.buffer(64, AccessFlag.LOCAL_WRITE.bit());
        remoteAccessError(WorkRequestOpcode.RDMA_WRITE, buffer.address(), buffer.key() ^ 1);
        remoteAccessError(WorkRequestOpcode.RDMA_WRITE, buffer.address() + 1, buffer.key());
        remoteAccessError(WorkRequestOpcode.RDMA_WRITE, buffer.address() - 1, buffer.key());
        remoteAccessError(WorkRequestOpcode.RDMA_WRITE, -1, buffer.key());
        remoteAccessError(WorkRequestOpcode.RDMA_WRITE, guarded.address(), guarded.key());
        remoteAccessError(WorkRequestOpcode.RDMA_READ, guarded.address(), guarded.key());
        remoteAccessError(WorkRequestOpcode.RDMA_READ, buffer.address(), 0);
    }

    private void remoteAccessError(WorkRequestOpcode opcode, long address, int key) {
        Endpoint one = device.endpoint();
        Endpoint other = device.endpoint();
        Endpoint.connect(one, other);
        one.rdma(1, opcode, address, key, sge(device.buffer(64)));
        fails(one, WorkCompletionStatus.REM_ACCESS_ERR);
        assertThat(other.queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void queuePairWithoutTheRightRefusesTheRequest() {
        right.options.access = 0;
        Endpoint.connect(left, right);
        Device.Buffer buffer = device.buffer(8);
        left.write(1, buffer, 0, sge(buffer));
        fails(left, WorkCompletionStatus.REM_INV_REQ_ERR);
    }

    @Test
    void foreignDomainIsAnAccessError() {
        Endpoint.connect(left, right);
        MemorySegment memory = device.arena.allocate(64, 64);
        HcaMemoryRegion region =
                device.hca.registerMemory(new HcaProtectionDomain(), memory, memory.address(), 64, Device.ALL_ACCESS);
        assertThat(region).isNotNull();
        left.rdma(1, WorkRequestOpcode.RDMA_WRITE, memory.address(), region.rkey(), sge(device.buffer(8)));
        fails(left, WorkCompletionStatus.REM_ACCESS_ERR);
    }

    @Test
    void ownMemoryThatMayNotBeTouchedIsAProtectionErrorAndTheReceiveStays() {
        Endpoint.connect(left, right);
        Device.Buffer good = device.buffer(8);
        right.receive(5, sge(good));
        left.send(1, new Endpoint.Sge(good.address(), 8, good.key() + 1));
        fails(left, WorkCompletionStatus.LOC_PROT_ERR);
        assertThat(right.received()).isEmpty();
        assertThat(right.queuePair.state()).isEqualTo(QueuePairState.RTS);
    }

    @Test
    void readIntoMemoryWithoutLocalWriteIsAProtectionError() {
        Endpoint.connect(left, right);
        Device.Buffer target = device.buffer(8, AccessFlag.REMOTE_READ.bit());
        left.read(1, device.buffer(8), 0, sge(target));
        fails(left, WorkCompletionStatus.LOC_PROT_ERR);
    }

    @Test
    void closedArenasEndInCompletions() {
        Device.Buffer gone;
        try (Arena arena = Arena.ofShared()) {
            gone = device.register(arena.allocate(64, 8), 64, Device.ALL_ACCESS);
        }
        Device.Buffer good = device.buffer(64);
        closedArena(WorkCompletionStatus.LOC_PROT_ERR, one -> one.write(1, good, 0, sge(gone)));
        closedArena(WorkCompletionStatus.REM_ACCESS_ERR, one -> one.write(1, gone, 0, sge(good)));
        closedArena(WorkCompletionStatus.LOC_PROT_ERR, one -> one.read(1, good, 0, sge(gone)));
        closedArena(WorkCompletionStatus.REM_ACCESS_ERR, one -> one.read(1, gone, 0, sge(good)));
        closedArena(
                WorkCompletionStatus.REM_ACCESS_ERR,
                one -> one.fetchAdd(1, gone.address(), gone.key(), 1, sge(good, 0, 8)));
        closedArena(WorkCompletionStatus.LOC_PROT_ERR, one -> one.send(1, sge(gone)), sge(good));
        closedArena(WorkCompletionStatus.REM_OP_ERR, one -> one.send(1, sge(good)), sge(gone));
    }

    private void closedArena(
            WorkCompletionStatus expected, java.util.function.Consumer<Endpoint> action, Endpoint.Sge... receive) {
        Endpoint one = device.endpoint();
        Endpoint other = device.endpoint();
        Endpoint.connect(one, other);
        if (receive.length > 0) {
            other.receive(1, receive);
        }
        action.accept(one);
        fails(one, expected);
    }

    @Test
    void deregisteredMemoryIsNotReached() {
        Endpoint.connect(left, right);
        Device.Buffer buffer = device.buffer(8);
        assertThat(buffer.region().deregister()).isZero();
        assertThat(buffer.region().deregister()).isNotZero();
        left.write(1, buffer, 0, sge(device.buffer(8)));
        fails(left, WorkCompletionStatus.REM_ACCESS_ERR);
    }

    @Test
    void unsignaledWorkCompletesSilentlyAndFailsLoudly() {
        Endpoint.connect(left, right);
        Device.Buffer buffer = device.buffer(8);
        long at = left.prepare(1, WorkRequestOpcode.RDMA_WRITE, 0, sge(buffer));
        dev.doorbell.kernel.abi.RxeRdmaWr.setRemoteAddr(left.sends.memory(), at, buffer.address());
        dev.doorbell.kernel.abi.RxeSendWqe.setIova(left.sends.memory(), at, buffer.address());
        dev.doorbell.kernel.abi.RxeRdmaWr.setRkey(left.sends.memory(), at, buffer.key());
        left.submit();
        assertThat(left.sent()).isEmpty();
        assertThat(left.sends.ring.consumerAcquire()).isEqualTo(1);
        left.prepare(2, WorkRequestOpcode.RDMA_WRITE, 0, sge(buffer));
        left.submit();
        fails(left, WorkCompletionStatus.REM_ACCESS_ERR);
    }

    @Test
    void hostileWorkRequestsFailWithoutTouchingThePeer() {
        hostile(WorkCompletionStatus.LOC_QP_OP_ERR, (ring, at) -> RxeSendWqe.setOpcode(ring, at, 77));
        hostile(WorkCompletionStatus.LOC_QP_OP_ERR, (ring, at) -> RxeSendWqe.setDmaNumSge(ring, at, 5));
        hostile(WorkCompletionStatus.LOC_QP_OP_ERR, (ring, at) -> RxeSendWqe.setDmaNumSge(ring, at, -1));
        hostile(WorkCompletionStatus.LOC_QP_OP_ERR, (ring, at) -> RxeSendWqe.setDmaLength(ring, at, 9));
        hostile(WorkCompletionStatus.LOC_QP_OP_ERR, (ring, at) -> {
            RxeSendWqe.setSendFlags(ring, at, SendFlag.INLINE.bit());
            RxeSendWqe.setDmaLength(ring, at, 65);
        });
        hostile(WorkCompletionStatus.LOC_LEN_ERR, (ring, at) -> RxeSendWqe.setDmaLength(ring, at, 0xffff_ffffL));
    }

    private void hostile(WorkCompletionStatus expected, java.util.function.BiConsumer<MemorySegment, Long> tamper) {
        Endpoint one = device.endpoint();
        Endpoint other = device.endpoint();
        Endpoint.connect(one, other);
        other.receive(1, sge(device.buffer(64)));
        long at = one.prepare(1, WorkRequestOpcode.SEND, 0, sge(device.buffer(8)));
        tamper.accept(one.sends.memory(), at);
        one.submit();
        fails(one, expected);
        assertThat(other.received()).isEmpty();
    }

    @Test
    void solicitedArmingWaitsForASolicitedMessage() {
        Endpoint.connect(left, right);
        Device.Buffer buffer = device.buffer(8);
        right.receiveQueue.arm(true);
        right.receive(1, sge(buffer));
        right.receive(2, sge(buffer));
        left.send(1, sge(buffer));
        assertThat(right.completionEvents).isZero();
        left.prepare(2, WorkRequestOpcode.SEND, SendFlag.SOLICITED.bit(), sge(buffer));
        left.submit();
        assertThat(right.completionEvents).isEqualTo(1);
    }

    @Test
    void aQueuePairMayTalkToItself() {
        Endpoint.connect(left, left);
        Device.Buffer source = device.buffer(100).fill(9);
        Device.Buffer target = device.buffer(100);
        left.receive(1, sge(target));
        left.send(2, sge(source));
        assertThat(left.sent()).extracting(Endpoint.Done::status).containsExactly(WorkCompletionStatus.SUCCESS);
        assertThat(left.received()).hasSize(1);
        same(source, target, 100);
        left.read(3, target, 1, sge(source));
        fails(left, WorkCompletionStatus.REM_ACCESS_ERR);
    }

    @Test
    void sequenceNumbersThatDoNotMeetEndInExhaustedRetries() {
        left.options.sendPsn = 10;
        right.options.receivePsn = 5;
        Endpoint.connect(left, right);
        right.receive(1, sge(device.buffer(8)));
        left.send(1, sge(device.buffer(8)));
        while (device.step()) {}
        fails(left, WorkCompletionStatus.RETRY_EXC_ERR);
        assertThat(right.received()).isEmpty();
        assertThat(device.hca.counters().get("rcvd_seq_err")).isEqualTo(1);
    }

    private static void fails(Endpoint endpoint, WorkCompletionStatus expected) {
        assertThat(endpoint.sent())
                .extracting(Endpoint.Done::status)
                .contains(expected)
                .hasSize(1);
        assertThat(endpoint.queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    private static void same(Device.Buffer source, Device.Buffer target, long bytes) {
        assertThat(MemorySegment.mismatch(source.memory(), 0, bytes, target.memory(), 0, bytes))
                .isEqualTo(-1);
    }
}
