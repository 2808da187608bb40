package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.memory.Host;
import dev.doorbell.soft.fault.FaultInjector;
import dev.doorbell.spec.Opcode;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.wire.PacketView;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Unreliable connections: what arrives, what is dropped in silence, and what is refused (rule 3.12). */
@Timeout(60)
class UnreliableTest {
    private static final int MTU = 1024;
    private static final int BYTES = 300_000;

    private Device left = new Device(1, new AtomicLong(), null);
    private Device right = left;
    private Endpoint one = left.endpoint(Endpoint.Options.of(QueuePairType.UC));
    private Endpoint other = one;
    private Wire wire = new Wire();

    private void overWire(FaultInjector toRight) {
        wire = new Wire(FaultInjector.seeded(1), toRight);
        connect(wire.left, wire.right);
    }

    private void connect(Device from, Device to) {
        left = from;
        right = to;
        one = from.endpoint(Endpoint.Options.of(QueuePairType.UC));
        other = to.endpoint(Endpoint.Options.of(QueuePairType.UC));
        Endpoint.connect(one, other);
    }

    private void finish() {
        wire.finish();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 4096, BYTES})
    void sendsAndWritesArriveOnBothWays(int bytes) {
        connect(new Device(1, new AtomicLong(), null), new Device(1, new AtomicLong(), null));
        connect(left, left);
        arrives(bytes);
        overWire(FaultInjector.seeded(2));
        arrives(bytes);
    }

    private void arrives(int bytes) {
        Device.Buffer source = left.buffer(BYTES).fill(7);
        Device.Buffer inbox = right.buffer(BYTES);
        Device.Buffer target = right.buffer(BYTES);
        other.receive(1, sge(inbox));
        other.receive(2);
        one.sendImmediate(10, 0x0102_0304, sge(source, 0, bytes));
        one.write(11, target, 0, sge(source, 0, bytes));
        one.writeImmediate(12, 5, target, sge(source, 0, bytes));
        finish();
        assertThat(one.sent())
                .extracting(Endpoint.Done::id, Endpoint.Done::status)
                .containsExactly(
                        tuple(10L, WorkCompletionStatus.SUCCESS),
                        tuple(11L, WorkCompletionStatus.SUCCESS),
                        tuple(12L, WorkCompletionStatus.SUCCESS));
        assertThat(other.received())
                .extracting(Endpoint.Done::id, Endpoint.Done::opcode, Endpoint.Done::bytes, Endpoint.Done::immediate)
                .containsExactly(
                        tuple(1L, WorkCompletionOpcode.RECV, (long) bytes, 0x0102_0304),
                        tuple(2L, WorkCompletionOpcode.RECV_RDMA_WITH_IMM, (long) bytes, 5));
        assertThat(MemorySegment.mismatch(source.memory(), 0, bytes, inbox.memory(), 0, bytes))
                .isEqualTo(-1);
        assertThat(MemorySegment.mismatch(source.memory(), 0, bytes, target.memory(), 0, bytes))
                .isEqualTo(-1);
    }

    @Test
    void aSendCompletesWithoutAReceiverAndIsLost() {
        overWire(FaultInjector.seeded(2));
        Device.Buffer buffer = left.buffer(3 * MTU);
        one.send(1, sge(buffer));
        finish();
        assertThat(one.sent()).extracting(Endpoint.Done::status).containsExactly(WorkCompletionStatus.SUCCESS);
        other.receive(2, sge(right.buffer(3 * MTU)));
        one.send(3, sge(buffer));
        finish();
        assertThat(other.received()).extracting(Endpoint.Done::id).containsExactly(2L);
        assertThat(wire.count(right, "dropped_no_receive")).isEqualTo(1);
        assertThat(one.queuePair.state()).isEqualTo(QueuePairState.RTS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aMessageThatLostAPartIsDroppedAndItsReceiveServesTheNext(int lost) {
        overWire(FaultInjector.seeded(2).drop(lost, packet -> true));
        Device.Buffer first = left.buffer(3 * MTU).fill(1);
        Device.Buffer second = left.buffer(3 * MTU).fill(2);
        Device.Buffer inbox = right.buffer(3 * MTU);
        other.receive(1, sge(inbox));
        one.send(1, sge(first));
        one.send(2, sge(second));
        finish();
        assertThat(other.received()).extracting(Endpoint.Done::id).containsExactly(1L);
        assertThat(second.memory().mismatch(inbox.memory())).isEqualTo(-1);
        assertThat(one.sent()).extracting(Endpoint.Done::status).containsOnly(WorkCompletionStatus.SUCCESS);
        assertThat(wire.count(right, "out_of_seq_request")).isPositive();
        assertThat(wire.count(right, "sent_pkts")).as("answers").isZero();
    }

    @Test
    void aSharedReceiveOfALostMessageServesTheNextAndOneThatIsTooShortFails() {
        wire = new Wire(FaultInjector.seeded(1), FaultInjector.seeded(2).drop(2, packet -> true));
        left = wire.left;
        right = wire.right;
        SharedQueue shared = new SharedQueue(right, 16);
        one = left.endpoint(Endpoint.Options.of(QueuePairType.UC));
        other = shared.endpoint(Endpoint.Options.of(QueuePairType.UC));
        Endpoint.connect(one, other);
        Device.Buffer source = left.buffer(3 * MTU).fill(2);
        shared.post(1, sge(right.buffer(3 * MTU)));
        shared.post(2, sge(right.buffer(MTU)));
        shared.post(3, sge(right.buffer(3 * MTU)));
        for (int id = 1; id <= 4; id++) {
            one.send(id, sge(source));
        }
        finish();
        assertThat(other.received())
                .extracting(Endpoint.Done::id, Endpoint.Done::status)
                .containsExactly(
                        tuple(1L, WorkCompletionStatus.SUCCESS),
                        tuple(2L, WorkCompletionStatus.REM_INV_REQ_ERR),
                        tuple(3L, WorkCompletionStatus.SUCCESS));
        assertThat(other.queuePair.state()).isEqualTo(QueuePairState.RTS);
    }

    @Test
    void aMessageWithoutARightOrAKeyIsDropped() {
        overWire(FaultInjector.seeded(2));
        Device.Buffer source = left.buffer(3 * MTU).fill(1);
        Device.Buffer readOnly = right.buffer(3 * MTU, 0);
        Device.Buffer target = right.buffer(3 * MTU);
        one.write(1, readOnly, 0, sge(source));
        one.rdma(2, WorkRequestOpcode.RDMA_WRITE, target.address(), target.key() ^ 0xff, sge(source));
        one.write(3, target, 8, sge(source));
        one.write(4, target, 0, sge(source));
        finish();
        assertThat(one.sent()).extracting(Endpoint.Done::status).containsOnly(WorkCompletionStatus.SUCCESS);
        assertThat(readOnly.memory().mismatch(source.memory())).isZero();
        assertThat(target.memory().mismatch(source.memory())).isEqualTo(-1);
        assertThat(wire.count(right, "dropped_request")).isGreaterThanOrEqualTo(3);
        assertThat(other.queuePair.state()).isEqualTo(QueuePairState.RTS);
    }

    @Test
    void aSendThatIsTooLongIsDroppedAndItsReceiveStays() {
        for (boolean packets : new boolean[] {false, true}) {
            if (packets) {
                overWire(FaultInjector.seeded(2));
            } else {
                connect(new Device(1, new AtomicLong(), null), new Device(1, new AtomicLong(), null));
                connect(left, left);
            }
            Device.Buffer source = left.buffer(3 * MTU).fill(1);
            other.receive(1, sge(right.buffer(2 * MTU)));
            one.send(1, sge(source));
            one.send(2, sge(source, 0, MTU));
            finish();
            assertThat(other.received()).extracting(Endpoint.Done::bytes).containsExactly((long) MTU);
            assertThat(other.queuePair.state()).isEqualTo(QueuePairState.RTS);
        }
    }

    @Test
    void memoryThatTheReceiverMayNotTouchBreaksTheReceiverAlone() {
        overWire(FaultInjector.seeded(2));
        other.receive(1, new Endpoint.Sge(0, 64, 0x1234));
        other.receive(2);
        one.send(1, sge(left.buffer(64)));
        finish();
        assertThat(other.received())
                .extracting(Endpoint.Done::status)
                .containsExactly(WorkCompletionStatus.LOC_PROT_ERR, WorkCompletionStatus.WR_FLUSH_ERR);
        assertThat(other.queuePair.state()).isEqualTo(QueuePairState.ERROR);
        assertThat(one.queuePair.state()).isEqualTo(QueuePairState.RTS);
    }

    @ParameterizedTest
    @EnumSource(
            value = WorkRequestOpcode.class,
            names = {"RDMA_READ", "ATOMIC_CMP_AND_SWP", "ATOMIC_FETCH_AND_ADD", "SEND_WITH_INV"})
    void whatTheWireHasNoCodesForFails(WorkRequestOpcode opcode) {
        connect(left, left);
        one.prepare(1, opcode, Endpoint.SIGNALED, sge(left.buffer(8)));
        one.submit();
        assertThat(one.sent()).extracting(Endpoint.Done::status).containsExactly(WorkCompletionStatus.LOC_QP_OP_ERR);
        assertThat(one.queuePair.state()).isEqualTo(QueuePairState.SQE);
    }

    @Test
    void ownMemoryThatMayNotBeReadFailsAndFlushesTheRest() {
        for (boolean packets : new boolean[] {false, true}) {
            if (packets) {
                overWire(FaultInjector.seeded(2));
            } else {
                connect(left, left);
            }
            one.prepare(1, WorkRequestOpcode.SEND, Endpoint.SIGNALED, new Endpoint.Sge(64, 64, 99));
            one.sends.publish();
            one.send(2, sge(left.buffer(8)));
            assertThat(one.sent())
                    .extracting(Endpoint.Done::status)
                    .containsExactly(WorkCompletionStatus.LOC_PROT_ERR, WorkCompletionStatus.WR_FLUSH_ERR);
            assertThat(other.queuePair.state()).isEqualTo(QueuePairState.RTS);
        }
    }

    @Test
    void packetsCarryTheCodesOfTheServiceAndAskForNothing() {
        Puppet puppet = new Puppet(Endpoint.Options.of(QueuePairType.UC));
        Device.Buffer buffer = puppet.device.buffer(3 * MTU).fill(3);
        puppet.endpoint.write(1, buffer, 0, sge(buffer));
        puppet.endpoint.sendImmediate(2, 0xabcd, sge(buffer, 0, 3));
        List<PacketView> packets = puppet.work();
        assertThat(packets)
                .extracting(PacketView::opcode)
                .containsExactly(
                        Opcode.UC_WRITE_FIRST, Opcode.UC_WRITE_MIDDLE, Opcode.UC_WRITE_LAST, Opcode.UC_SEND_ONLY_IMM);
        assertThat(packets).extracting(PacketView::ackRequested).containsOnly(false);
        assertThat(packets)
                .extracting(PacketView::psn)
                .containsExactly(Puppet.PSN, Puppet.PSN + 1, Puppet.PSN + 2, Puppet.PSN + 3);
        assertThat(packets.get(3))
                .hasToString("UC SEND ONLY IMMEDIATE qp=0x4d psn=0003eb pad=1 | ImmDt 0x0000abcd | 3 bytes");
        assertThat(puppet.endpoint.sent()).hasSize(2);
    }

    @Test
    void aMessageMayBeginBeforeTheLastHasEnded() {
        Puppet puppet = new Puppet(Endpoint.Options.of(QueuePairType.UC));
        Device.Buffer inbox = puppet.device.buffer(4 * MTU);
        puppet.endpoint.receive(1, sge(inbox));
        assertThat(puppet.packet(Opcode.UC_SEND_MIDDLE, 0, MTU).send()).isEmpty();
        assertThat(puppet.packet(Opcode.UC_SEND_FIRST, 5, MTU).fill(1).send()).isEmpty();
        assertThat(puppet.packet(Opcode.UC_SEND_FIRST, 6, MTU).fill(2).send()).isEmpty();
        assertThat(puppet.packet(Opcode.UC_WRITE_LAST, 7, MTU).send()).isEmpty();
        assertThat(puppet.packet(Opcode.UC_SEND_LAST, 8, MTU).send()).isEmpty();
        assertThat(puppet.endpoint.received()).isEmpty();
        puppet.packet(Opcode.UC_SEND_FIRST, 20, MTU).fill(3).send();
        puppet.packet(Opcode.UC_SEND_LAST, 21, 8).fill(4).send();
        assertThat(puppet.endpoint.received()).extracting(Endpoint.Done::bytes).containsExactly(MTU + 8L);
        assertThat(Host.getLong(inbox.memory(), 0)).isEqualTo(0x0303_0303_0303_0303L);
        assertThat(Host.getLong(inbox.memory(), MTU)).isEqualTo(0x0404_0404_0404_0404L);
    }

    @Test
    void lengthsThatNoMessageHasAreDropped() {
        Puppet puppet = new Puppet(Endpoint.Options.of(QueuePairType.UC));
        puppet.endpoint.receive(1, sge(puppet.device.buffer(4 * MTU)));
        puppet.packet(Opcode.UC_SEND_FIRST, 0, MTU - 4).send();
        puppet.packet(Opcode.UC_SEND_ONLY, 0, MTU + 4).send();
        puppet.packet(Opcode.UC_SEND_FIRST, 0, MTU).send();
        puppet.packet(Opcode.UC_SEND_LAST, 1, 0).send();
        assertThat(puppet.endpoint.received()).isEmpty();
        assertThat(puppet.endpoint.queuePair.state()).isEqualTo(QueuePairState.RTS);
    }

    @Test
    void nobodyAnswersAnAnswer() {
        Puppet puppet = new Puppet(Endpoint.Options.of(QueuePairType.UC));
        assertThat(puppet.packet(Opcode.RC_ACKNOWLEDGE, 0, 0).send()).isEmpty();
        assertThat(puppet.device.hca.counters()).containsEntry("dropped_transport_mismatch", 1L);
    }

    @Test
    void aLongMessageWaitsForASlowReceiver() {
        overWire(FaultInjector.seeded(2));
        Device.Buffer source = left.buffer(BYTES).fill(9);
        Device.Buffer target = right.buffer(BYTES);
        one.write(1, target, 0, sge(source));
        assertThat(one.sent()).as("more packets than the link holds").isEmpty();
        finish();
        assertThat(one.sent()).hasSize(1);
        assertThat(target.memory().mismatch(source.memory())).isEqualTo(-1);
    }

    @Test
    void aReceiverThatIsStuckIsNotWaitedForForEver() {
        overWire(FaultInjector.seeded(2));
        Device.Buffer source = left.buffer(BYTES);
        one.write(1, right.buffer(BYTES), 0, sge(source));
        for (int step = 0; step < 3000 && one.sends.ring.consumerAcquire() == 0; step++) {
            left.step();
        }
        assertThat(one.sent()).hasSize(1);
    }

    @Test
    void errorStateFlushesWhatWaitsForTheLink() {
        overWire(FaultInjector.seeded(2));
        one.write(1, right.buffer(BYTES), 0, sge(left.buffer(BYTES)));
        one.send(2, sge(left.buffer(8)));
        one.queuePair.modify(state(QueuePairState.ERROR), Endpoint.mask(dev.doorbell.spec.QueuePairAttribute.STATE));
        assertThat(one.sent())
                .extracting(Endpoint.Done::status)
                .containsExactly(WorkCompletionStatus.WR_FLUSH_ERR, WorkCompletionStatus.WR_FLUSH_ERR);
    }

    private static QueuePairSettings state(QueuePairState state) {
        QueuePairSettings settings = new QueuePairSettings();
        settings.state = state.code();
        return settings;
    }

    @Test
    void drainingEndsAtAWorkRequestsEnd() {
        overWire(FaultInjector.seeded(2));
        one.write(1, right.buffer(BYTES), 0, sge(left.buffer(BYTES)));
        one.prepare(2, WorkRequestOpcode.SEND, Endpoint.SIGNALED, sge(left.buffer(8)));
        one.sends.publish();
        assertThat(one.to(QueuePairState.SQD)).isZero();
        assertThat(one.queuePair.query().draining).isTrue();
        finish();
        assertThat(one.sent()).extracting(Endpoint.Done::id).containsExactly(1L);
        assertThat(one.queuePair.query().draining).isFalse();
        assertThat(RxeSendWqe.wrId(one.sends.memory(), one.sends.ring.offset(1)))
                .isEqualTo(2);
    }
}
