package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.memory.Host;
import dev.doorbell.soft.fault.FaultInjector;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.Opcode;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.Syndrome;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.spec.WorkRequestOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two devices that talk by packets. */
@Timeout(60)
class WireTest extends FaultyWire {
    private static final int MTU = 1024;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, MTU - 1, MTU, MTU + 1, 2 * MTU, 5 * MTU + 7, 200 * MTU, 1_000_001})
    void sendsOfEverySizeArrive(int size) {
        Endpoint.connect(one, other);
        Device.Buffer source = wire.left.buffer(size).fill(1);
        Device.Buffer target = wire.right.buffer(size);
        other.receive(5, sge(target, 0, size));
        one.send(6, sge(source, 0, size));
        wire.settle();
        assertThat(other.received()).singleElement().satisfies(done -> {
            assertThat(done.status()).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(done.bytes()).isEqualTo(size);
        });
        succeeded(6);
        same(source, target, size);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, MTU - 1, MTU, MTU + 1, 63 * MTU, 64 * MTU, 65 * MTU, 300 * MTU + 5})
    void writesAndReadsOfEverySizeArrive(int size) {
        Endpoint.connect(one, other);
        Device.Buffer source = wire.left.buffer(size + 1).fill(2);
        Device.Buffer target = wire.right.buffer(size + 1);
        Device.Buffer back = wire.left.buffer(size + 1);
        one.write(1, target, 1, sge(source, 1, size));
        one.read(2, target, 1, sge(back, 1, size));
        wire.settle();
        succeeded(1, 2);
        assertThat(MemorySegment.mismatch(source.memory(), 1, size + 1L, back.memory(), 1, size + 1L))
                .isEqualTo(-1);
        assertThat(wire.count(wire.left, "completer_retry_err")).isZero();
    }

    @Test
    void messagesGatherAndScatterAcrossPackets() {
        Endpoint.connect(one, other);
        Device.Buffer source = wire.left.buffer(5000).fill(3);
        Device.Buffer target = wire.right.buffer(5000);
        other.receive(1, sge(target, 0, 1000), sge(target, 1000, 3001), sge(target, 4001, 999));
        one.send(1, sge(source, 0, 1), sge(source, 1, 2500), sge(source, 2501, 2499));
        wire.settle();
        succeeded(1);
        same(source, target, 5000);
    }

    @Test
    void immediateDataSolicitedAndInlineTravel() {
        Endpoint.connect(one, other);
        Device.Buffer target = wire.right.buffer(3000);
        other.receive(1, sge(target));
        other.receive(2, sge(target));
        other.receive(3);
        one.sendInline(1, new byte[] {5});
        other.receiveQueue.arm(true);
        one.sendImmediate(2, 77, sge(wire.left.buffer(2000)));
        wire.settle();
        assertThat(other.completionEvents).isZero();
        assertThat(other.received()).extracting(Endpoint.Done::immediate).containsExactly(0, 77);
        long at = one.prepare(
                3, WorkRequestOpcode.RDMA_WRITE_WITH_IMM, SendFlag.SOLICITED.bit(), sge(wire.left.buffer(1500)));
        dev.doorbell.kernel.abi.RxeRdmaWr.setRemoteAddr(one.sends.memory(), at, target.address());
        dev.doorbell.kernel.abi.RxeSendWqe.setIova(one.sends.memory(), at, target.address());
        dev.doorbell.kernel.abi.RxeRdmaWr.setRkey(one.sends.memory(), at, target.key());
        one.submit();
        wire.settle();
        assertThat(other.completionEvents).isEqualTo(1);
        assertThat(other.received()).singleElement().satisfies(done -> {
            assertThat(done.opcode()).isEqualTo(WorkCompletionOpcode.RECV_RDMA_WITH_IMM);
            assertThat(done.bytes()).isEqualTo(1500);
        });
    }

    @Test
    void atomicsAnswerWhatWasThere() {
        Endpoint.connect(one, other);
        Device.Buffer target = wire.right.buffer(8);
        Device.Buffer result = wire.left.buffer(16);
        Host.setLong(target.memory(), 0, 0x1122334455667788L);
        one.fetchAdd(1, target.address(), target.key(), 1, sge(result, 0, 8));
        one.compareSwap(2, target.address(), target.key(), 0x1122334455667789L, 7, sge(result, 8, 8));
        wire.settle();
        succeeded(1, 2);
        assertThat(Host.getLong(result.memory(), 0)).isEqualTo(0x1122334455667788L);
        assertThat(Host.getLong(result.memory(), 8)).isEqualTo(0x1122334455667789L);
        assertThat(Host.getLong(target.memory(), 0)).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({"0xFFFFFE", "0xFFFFFF", "0xFFFFC0", "0x7FFFFF", "0x7FFFF0", "0"})
    void sequenceNumbersWrap(String first) {
        int psn = Integer.decode(first);
        one.options.sendPsn = psn;
        other.options.receivePsn = psn;
        Endpoint.connect(one, other);
        Device.Buffer source = wire.left.buffer(100 * MTU).fill(4);
        Device.Buffer target = wire.right.buffer(100 * MTU);
        Device.Buffer back = wire.left.buffer(100 * MTU);
        Device.Buffer result = wire.left.buffer(8);
        one.write(1, target, 0, sge(source));
        one.read(2, target, 0, sge(back));
        one.fetchAdd(3, target.address(), target.key(), 1, sge(result));
        wire.settle();
        succeeded(1, 2, 3);
        same(source, back, 100 * MTU);
        assertThat(Host.getLong(result.memory(), 0)).isEqualTo(Host.getLong(source.memory(), 0));
    }

    @Test
    void receiverNotReadyIsTriedAgainAfterItsTimer() {
        Endpoint.connect(one, other);
        Device.Buffer source = wire.left.buffer(4 * MTU).fill(10);
        Device.Buffer target = wire.right.buffer(4 * MTU);
        one.send(1, sge(source));
        one.send(2, sge(source));
        wire.settle();
        assertThat(wire.count(wire.left, "rcvd_rnr_err")).isEqualTo(1);
        other.receive(1, sge(target));
        other.receive(2, sge(target));
        wire.settle();
        assertThat(one.sent()).as("before the timer").isEmpty();
        wire.finish();
        succeeded(1, 2);
        same(source, target, 4 * MTU);
    }

    @Test
    void refusalsNameTheirReasonAndEarlierWorkSucceeds() {
        refused(
                WorkCompletionStatus.REM_ACCESS_ERR,
                remote -> one.rdma(
                        2, WorkRequestOpcode.RDMA_WRITE, remote.address(), remote.key() + 1, sge(wire.left.buffer(8))));
        assertThat(wire.right.events).containsExactly(AsyncEventType.QP_ACCESS_ERR);
        refused(
                WorkCompletionStatus.REM_ACCESS_ERR,
                remote -> one.rdma(
                        2, WorkRequestOpcode.RDMA_READ, remote.address() + 64, remote.key(), sge(wire.left.buffer(8))));
        refused(
                WorkCompletionStatus.REM_INV_REQ_ERR,
                remote -> one.fetchAdd(2, remote.address() + 1, remote.key(), 1, sge(wire.left.buffer(8))));
        refused(WorkCompletionStatus.REM_INV_REQ_ERR, remote -> {
            other.receive(1, sge(remote, 0, 4));
            one.send(2, sge(wire.left.buffer(8)));
        });
        refused(WorkCompletionStatus.REM_OP_ERR, remote -> {
            other.receive(1, new Endpoint.Sge(remote.address(), 8, remote.key() + 1));
            one.send(2, sge(wire.left.buffer(8)));
        });
    }

    private void refused(WorkCompletionStatus expected, Consumer<Device.Buffer> action) {
        one = wire.left.endpoint();
        other = wire.right.endpoint();
        Endpoint.connect(one, other);
        Device.Buffer remote = wire.right.buffer(64);
        one.write(1, remote, 0, sge(wire.left.buffer(64)));
        action.accept(remote);
        one.write(3, remote, 0, sge(wire.left.buffer(64)));
        wire.settle();
        assertThat(one.sent())
                .extracting(Endpoint.Done::status)
                .containsExactly(WorkCompletionStatus.SUCCESS, expected, WorkCompletionStatus.WR_FLUSH_ERR);
        assertThat(other.queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void ownFaultyMemoryFailsAfterEarlierWorkIsDone() {
        Endpoint.connect(one, other);
        Device.Buffer remote = wire.right.buffer(64);
        Device.Buffer local = wire.left.buffer(64);
        one.write(1, remote, 0, sge(local));
        one.write(2, remote, 0, new Endpoint.Sge(local.address(), 64, local.key() + 1));
        one.write(3, remote, 0, sge(local));
        assertThat(one.sent()).isEmpty();
        wire.settle();
        assertThat(one.sent())
                .extracting(Endpoint.Done::status)
                .containsExactly(
                        WorkCompletionStatus.SUCCESS,
                        WorkCompletionStatus.LOC_PROT_ERR,
                        WorkCompletionStatus.WR_FLUSH_ERR);
        assertThat(other.queuePair.state()).isEqualTo(QueuePairState.RTS);
    }

    @Test
    void aReadWhoseMemoryGoesAwayIsRefused() {
        Endpoint.connect(one, other);
        Device.Buffer gone;
        try (Arena arena = Arena.ofShared()) {
            gone = wire.right.register(arena.allocate(64, 8), 64, Device.ALL_ACCESS);
        }
        one.read(1, gone, 0, sge(wire.left.buffer(64)));
        wire.settle();
        failed(WorkCompletionStatus.REM_ACCESS_ERR);
        assertThat(other.queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void fencedWorkWaitsForEarlierReads() {
        faults(FaultInjector.seeded(1).drop(1, code(Opcode.RC_READ_RESPONSE_ONLY)), none());
        Endpoint.connect(one, other);
        Device.Buffer remote = wire.right.buffer(8).fill(11);
        Device.Buffer copy = wire.right.buffer(8);
        Device.Buffer local = wire.left.buffer(8);
        one.read(1, remote, 0, sge(local));
        long at = one.prepare(2, WorkRequestOpcode.RDMA_WRITE, Endpoint.SIGNALED | SendFlag.FENCE.bit(), sge(local));
        dev.doorbell.kernel.abi.RxeRdmaWr.setRemoteAddr(one.sends.memory(), at, copy.address());
        dev.doorbell.kernel.abi.RxeSendWqe.setIova(one.sends.memory(), at, copy.address());
        dev.doorbell.kernel.abi.RxeRdmaWr.setRkey(one.sends.memory(), at, copy.key());
        one.submit();
        wire.finish();
        succeeded(1, 2);
        same(remote, copy, 8);
    }

    @Test
    void noMoreReadsAreOutstandingThanAgreed() {
        one.options.depth = 3;
        Endpoint.connect(one, other);
        Device.Buffer remote = wire.right.buffer(8);
        for (int index = 0; index < 10; index++) {
            one.read(index, remote, 0, sge(wire.left.buffer(8)));
        }
        assertThat(wire.count(wire.left, "sent_pkts")).isEqualTo(3);
        wire.settle();
        assertThat(one.sent()).hasSize(10);
    }

    @Test
    void readsWithoutDepthFail() {
        one.options.depth = 0;
        Endpoint.connect(one, other);
        one.read(1, wire.right.buffer(8), 0, sge(wire.left.buffer(8)));
        failed(WorkCompletionStatus.LOC_QP_OP_ERR);
    }

    @Test
    void acknowledgementsCoalesce() {
        Endpoint.connect(one, other);
        Device.Buffer remote = wire.right.buffer(8);
        Device.Buffer local = wire.left.buffer(8);
        for (int index = 0; index < 50; index++) {
            one.write(index, remote, 0, sge(local));
        }
        wire.settle();
        assertThat(one.sent()).hasSize(50);
        assertThat(wire.count(wire.right, "sent_pkts")).isEqualTo(1);
    }

    @Test
    void theWindowKeepsASmallQueueFromOverflowing() {
        wire = new Wire(none(), none(), 128);
        one = wire.left.endpoint();
        other = wire.right.endpoint();
        Endpoint.connect(one, other);
        Device.Buffer source = wire.left.buffer(1000 * MTU).fill(12);
        Device.Buffer target = wire.right.buffer(1000 * MTU);
        Device.Buffer back = wire.left.buffer(1000 * MTU);
        one.write(1, target, 0, sge(source));
        one.read(2, target, 0, sge(back));
        wire.settle();
        succeeded(1, 2);
        same(source, back, 1000 * MTU);
        assertThat(wire.count(wire.left, "completer_retry_err")).isZero();
    }

    @Test
    void aTinyQueueLosesPacketsButNoMessage() {
        wire = new Wire(none(), none(), 16);
        one = wire.left.endpoint();
        other = wire.right.endpoint();
        Endpoint.connect(one, other);
        Device.Buffer source = wire.left.buffer(300 * MTU).fill(13);
        Device.Buffer target = wire.right.buffer(300 * MTU);
        Device.Buffer back = wire.left.buffer(300 * MTU);
        one.write(1, target, 0, sge(source));
        one.read(2, target, 0, sge(back));
        wire.finish();
        succeeded(1, 2);
        same(source, back, 300 * MTU);
    }

    @Test
    void bothDirectionsRunAtOnce() {
        faults(FaultInjector.seeded(3).loss(0.05), FaultInjector.seeded(4).loss(0.05));
        Endpoint.connect(one, other);
        Device.Buffer left = wire.left.buffer(50 * MTU).fill(14);
        Device.Buffer right = wire.right.buffer(50 * MTU).fill(15);
        Device.Buffer toLeft = wire.left.buffer(50 * MTU);
        Device.Buffer toRight = wire.right.buffer(50 * MTU);
        for (int index = 0; index < 20; index++) {
            one.write(index, toRight, 0, sge(left));
            other.read(index, left, 0, sge(toRight));
            other.write(100 + index, toLeft, 0, sge(right));
        }
        wire.finish();
        assertThat(one.sent()).hasSize(20).extracting(Endpoint.Done::status).containsOnly(WorkCompletionStatus.SUCCESS);
        assertThat(other.sent())
                .hasSize(40)
                .extracting(Endpoint.Done::status)
                .containsOnly(WorkCompletionStatus.SUCCESS);
        same(right, toLeft, 50 * MTU);
        same(left, toRight, 50 * MTU);
    }

    @Test
    void answersThatWereNeverAskedForAreIgnored() {
        assertThat(Syndrome.isAck(Syndrome.ACK)).isTrue();
        Endpoint.connect(one, other);
        Device.Buffer remote = wire.right.buffer(8);
        one.write(1, remote, 0, sge(wire.left.buffer(8)));
        wire.settle();
        succeeded(1);
        assertThat(wire.count(wire.left, "dropped_ghost_answer")).isZero();
    }

    private void succeeded(long... ids) {
        Endpoint.Done[] done = one.sent().toArray(Endpoint.Done[]::new);
        assertThat(done).extracting(Endpoint.Done::status).containsOnly(WorkCompletionStatus.SUCCESS);
        assertThat(done)
                .extracting(Endpoint.Done::id)
                .containsExactly(java.util.Arrays.stream(ids).boxed().toArray(Long[]::new));
    }

    private void failed(WorkCompletionStatus status) {
        assertThat(one.sent()).extracting(Endpoint.Done::status).containsExactly(status);
        assertThat(one.queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    private static void same(Device.Buffer source, Device.Buffer target, long bytes) {
        assertThat(MemorySegment.mismatch(source.memory(), 0, bytes, target.memory(), 0, bytes))
                .isEqualTo(-1);
    }
}
