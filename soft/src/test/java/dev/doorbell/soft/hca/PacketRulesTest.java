package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.memory.Host;
import dev.doorbell.spec.Opcode;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.Syndrome;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.wire.PacketView;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One device against hand-written packets: what it answers, packet by packet. */
@Timeout(30)
class PacketRulesTest {
    private static final int MTU = 1024;

    private final Puppet puppet = new Puppet();
    private final Endpoint endpoint = puppet.endpoint;
    private final Device.Buffer buffer = puppet.device.buffer(16 * MTU);

    @Test
    void onlyWhatAsksIsAcknowledged() {
        assertThat(write(0).send()).isEmpty();
        answer(write(1).ask().send(), 1, Syndrome.ACK);
    }

    @Test
    void aGapIsRefusedOnceWithTheExpectedNumber() {
        answer(write(3).ask().send(), 0, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(write(4).ask().send()).isEmpty();
        assertThat(write(0).send()).isEmpty();
        answer(write(2).ask().send(), 1, Syndrome.NAK_PSN_SEQUENCE);
    }

    @Test
    void duplicatesAreAnsweredWithTheLastSendOrWriteAndNeverWithARead() {
        answer(write(0).ask().send(), 0, Syndrome.ACK);
        assertThat(read(1, 0, 8).send())
                .singleElement()
                .satisfies(packet -> assertThat(packet.opcode()).isEqualTo(Opcode.RC_READ_RESPONSE_ONLY));
        puppet.packet(Opcode.RC_FETCH_ADD, 2, 0)
                .add(buffer.address(), buffer.key(), 1)
                .send();
        answer(write(0).send(), 0, Syndrome.ACK);
    }

    @Test
    void aDuplicateBeforeAnythingWasExecutedNamesTheNumberBeforeTheFirst() {
        answer(write(-5).ask().send(), -1, Syndrome.ACK);
    }

    @ParameterizedTest
    @CsvSource({"1, 1024", "2, 8", "7, 1024", "8, 8"})
    void aMessageCannotBeginInTheMiddle(int opcode, int payload) {
        endpoint.receive(1, sge(buffer));
        refused(puppet.packet(opcode, 0, payload), Syndrome.NAK_INVALID_REQUEST);
    }

    @ParameterizedTest
    @CsvSource({"0, 1024", "4, 8", "7, 1024", "8, 8", "12, 0", "20, 0"})
    void aMessageMustEndBeforeTheNextBegins(int opcode, int payload) {
        endpoint.receive(1, sge(buffer));
        endpoint.receive(2, sge(buffer));
        assertThat(puppet.packet(Opcode.RC_SEND_FIRST, 0, MTU).send()).isEmpty();
        answer(puppet.packet(opcode, 1, payload).send(), 1, Syndrome.NAK_INVALID_REQUEST);
        assertThat(endpoint.received())
                .extracting(Endpoint.Done::status)
                .containsExactly(WorkCompletionStatus.REM_INV_REQ_ERR, WorkCompletionStatus.WR_FLUSH_ERR);
    }

    @ParameterizedTest
    @CsvSource({"0, 1023", "0, 1028", "4, 1025", "4, 2048"})
    void sendsMustHaveTheLengthOfTheirKind(int opcode, int payload) {
        endpoint.receive(1, sge(buffer));
        refused(puppet.packet(opcode, 0, payload), Syndrome.NAK_INVALID_REQUEST);
    }

    @Test
    void anEmptyLastIsRefused() {
        endpoint.receive(1, sge(buffer));
        puppet.packet(Opcode.RC_SEND_FIRST, 0, MTU).send();
        answer(puppet.packet(Opcode.RC_SEND_LAST, 1, 0).send(), 1, Syndrome.NAK_INVALID_REQUEST);
    }

    @ParameterizedTest
    @CsvSource({"7", "9", "0"})
    void aWriteMustCarryWhatItPromised(long promised) {
        refused(
                puppet.packet(Opcode.RC_WRITE_ONLY, 0, 8).rdma(buffer.address(), buffer.key(), promised),
                Syndrome.NAK_INVALID_REQUEST);
    }

    @Test
    void aWriteThatGoesOnBeyondItsPromiseIsRefused() {
        puppet.packet(Opcode.RC_WRITE_FIRST, 0, MTU)
                .rdma(buffer.address(), buffer.key(), MTU + 8L)
                .send();
        answer(puppet.packet(Opcode.RC_WRITE_MIDDLE, 1, MTU).send(), 1, Syndrome.NAK_INVALID_REQUEST);
    }

    @Test
    void aRangeThatLeavesTheRegionIsRefusedAtTheFirstPacket() {
        refused(
                puppet.packet(Opcode.RC_WRITE_FIRST, 0, MTU)
                        .rdma(buffer.address(), buffer.key(), 16L * MTU + 1)
                        .fill(9),
                Syndrome.NAK_REMOTE_ACCESS);
        assertThat(Host.getUnsignedByte(buffer.memory(), 0)).isZero();
    }

    @Test
    void nothingIsReadOrWrittenUnderAnyKey() {
        answer(puppet.packet(Opcode.RC_WRITE_ONLY, 0, 0).rdma(1, 2, 0).ask().send(), 0, Syndrome.ACK);
        assertThat(puppet.packet(Opcode.RC_READ_REQUEST, 1, 0).rdma(1, 2, 0).send())
                .singleElement()
                .satisfies(packet -> assertThat(packet.payloadLength()).isZero());
    }

    @Test
    void theReceiverThatIsNotReadySaysForHowLongAndOnlyOnce() {
        answer(puppet.packet(Opcode.RC_SEND_ONLY, 0, 8).ask().send(), 0, Syndrome.rnr(endpoint.options.rnrTimer));
        assertThat(puppet.packet(Opcode.RC_SEND_ONLY, 1, 8).ask().send()).isEmpty();
        endpoint.receive(1, sge(buffer));
        answer(puppet.packet(Opcode.RC_SEND_ONLY, 0, 8).ask().send(), 0, Syndrome.ACK);
    }

    @Test
    void aReadIsAnsweredInPacketsOfTheMtu() {
        List<PacketView> answers = read(0, 0, 2 * MTU + 5).send();
        assertThat(answers)
                .extracting(PacketView::opcode)
                .containsExactly(
                        Opcode.RC_READ_RESPONSE_FIRST, Opcode.RC_READ_RESPONSE_MIDDLE, Opcode.RC_READ_RESPONSE_LAST);
        assertThat(answers).extracting(PacketView::psn).containsExactly(Puppet.PSN, Puppet.PSN + 1, Puppet.PSN + 2);
        assertThat(answers).extracting(PacketView::payloadLength).containsExactly(MTU, MTU, 5);
        answer(write(3).ask().send(), 3, Syndrome.ACK);
    }

    @Test
    void aReadMayBeResumedInTheMiddleButNotWidened() {
        read(0, MTU, 4 * MTU).send();
        assertThat(read(2, 3 * MTU, 2 * MTU).send())
                .extracting(PacketView::psn)
                .containsExactly(Puppet.PSN + 2, Puppet.PSN + 3);
        assertThat(read(2, 3 * MTU, 3 * MTU).send()).as("too long").isEmpty();
        assertThat(read(0, 0, 4 * MTU).send()).as("starts before").isEmpty();
        assertThat(read(0, 2 * MTU, 4 * MTU).send()).as("ends behind").isEmpty();
        assertThat(puppet.packet(Opcode.RC_READ_REQUEST, 0, 0)
                        .rdma(buffer.address() + MTU, buffer.key() + 1, MTU)
                        .send())
                .as("another key")
                .isEmpty();
        assertThat(endpoint.queuePair.state()).isEqualTo(QueuePairState.RTS);
        assertThat(puppet.device.hca.counters()).containsEntry("dropped_unknown_duplicate", 4L);
    }

    /** However much a peer asks for, one round of work is short; what it asks for meanwhile is done, and answered in its turn. */
    @Test
    void aLongReadHoldsUpNobody() {
        int packets = 1000;
        Device.Buffer big = puppet.device.buffer((long) packets * MTU);
        for (int read = 0; read < 2; read++) {
            puppet.packet(Opcode.RC_READ_REQUEST, read * packets, 0)
                    .rdma(big.address(), big.key(), (long) packets * MTU)
                    .post();
        }
        puppet.packet(Opcode.RC_FETCH_ADD, 2 * packets, 0)
                .add(buffer.address(), buffer.key(), 1)
                .post();
        for (int index = 1; index <= 2; index++) {
            puppet.packet(Opcode.RC_WRITE_ONLY, 2 * packets + index, 8)
                    .rdma(buffer.address(), buffer.key(), 8)
                    .ask()
                    .post();
        }
        List<PacketView> answers = new ArrayList<>();
        for (int step = 0; step < 100; step++) {
            List<PacketView> some = puppet.step();
            assertThat(some).as("packets of step %d", step).hasSizeLessThanOrEqualTo(130);
            answers.addAll(some);
        }
        assertThat(answers)
                .extracting(packet -> packet.psn() - Puppet.PSN)
                .isSorted()
                .hasSize(2 * packets + 2);
        assertThat(answers.get(2 * packets).opcode()).isEqualTo(Opcode.RC_ATOMIC_ACKNOWLEDGE);
        assertThat(answers.getLast().opcode()).isEqualTo(Opcode.RC_ACKNOWLEDGE);
        assertThat(answers.getLast().psn()).isEqualTo(Puppet.PSN + 2 * packets + 2);
        assertThat(answers.get(packets - 1).msn()).isEqualTo(1);
        assertThat(answers.getLast().msn()).isEqualTo(5);
    }

    @Test
    void aLongReadIsAnsweredInBurstsThatLaterRequestsDoNotOvertake() {
        Device.Buffer big = puppet.device.buffer(100 * MTU);
        puppet.packet(Opcode.RC_READ_REQUEST, 0, 0).rdma(big.address(), big.key(), 100 * MTU);
        List<PacketView> answers = puppet.packet(Opcode.RC_READ_REQUEST, 0, 0)
                .rdma(big.address(), big.key(), 100 * MTU)
                .send();
        assertThat(answers).hasSize(100);
        assertThat(answers.getLast().psn()).isEqualTo(Puppet.PSN + 99);
    }

    @Test
    void aDuplicateAtomicGetsItsSavedAnswer() {
        Host.setLong(buffer.memory(), 0, 5);
        for (int round = 0; round < 3; round++) {
            assertThat(puppet.packet(Opcode.RC_FETCH_ADD, 0, 0)
                            .add(buffer.address(), buffer.key(), 10)
                            .send())
                    .singleElement()
                    .satisfies(packet -> assertThat(packet.original()).isEqualTo(5));
        }
        assertThat(Host.getLong(buffer.memory(), 0)).isEqualTo(15);
    }

    @Test
    void messagesAreCounted() {
        write(0).send();
        read(1, 0, 8).send();
        assertThat(write(2).ask().send())
                .singleElement()
                .satisfies(packet -> assertThat(packet.msn()).isEqualTo(3));
    }

    @Test
    void aPlainAcknowledgementNeverCompletesAReadOrAnAtomic() {
        endpoint.rdma(1, dev.doorbell.spec.WorkRequestOpcode.RDMA_READ, 1, 2, sge(buffer, 0, 8));
        endpoint.fetchAdd(2, 8, 2, 1, sge(buffer, 0, 8));
        puppet.work();
        puppet.acknowledge(0, Syndrome.ACK);
        assertThat(endpoint.sent()).isEmpty();
        puppet.packet(Opcode.RC_READ_RESPONSE_ONLY, 0, 8).syndrome(Syndrome.ACK).send();
        assertThat(endpoint.sent()).extracting(Endpoint.Done::id).containsExactly(1L);
        puppet.acknowledge(1, Syndrome.ACK);
        assertThat(endpoint.sent()).isEmpty();
    }

    @Test
    void ghostsAndAnswersToTheFutureAreIgnored() {
        endpoint.rdma(1, dev.doorbell.spec.WorkRequestOpcode.RDMA_WRITE, 1, 2, sge(buffer, 0, 8));
        puppet.acknowledge(-1, Syndrome.ACK);
        puppet.acknowledge(1, Syndrome.ACK);
        puppet.acknowledge(1, Syndrome.NAK_REMOTE_ACCESS);
        puppet.acknowledge(-1, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(endpoint.sent()).isEmpty();
        assertThat(puppet.device.hca.counters()).containsEntry("dropped_ghost_answer", 4L);
        puppet.acknowledge(0, Syndrome.ACK);
        assertThat(endpoint.sent()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"97, REM_INV_REQ_ERR", "98, REM_ACCESS_ERR", "99, REM_OP_ERR", "100, REM_OP_ERR", "127, REM_OP_ERR"})
    void refusalsHaveTheirStatus(int syndrome, WorkCompletionStatus expected) {
        endpoint.rdma(1, dev.doorbell.spec.WorkRequestOpcode.RDMA_WRITE, 1, 2, sge(buffer, 0, 8));
        puppet.acknowledge(0, syndrome);
        assertThat(endpoint.sent()).extracting(Endpoint.Done::status).containsExactly(expected);
    }

    @Test
    void aSequenceRefusalRestartsInTheMiddleOfAMessage() {
        endpoint.rdma(1, dev.doorbell.spec.WorkRequestOpcode.RDMA_WRITE, 1, 2, sge(buffer, 0, 4 * MTU));
        puppet.work();
        List<PacketView> again = puppet.acknowledge(2, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(again).extracting(PacketView::opcode).containsExactly(Opcode.RC_WRITE_MIDDLE, Opcode.RC_WRITE_LAST);
        assertThat(again.getFirst().psn()).isEqualTo(Puppet.PSN + 2);
        assertThat(puppet.acknowledge(2, Syndrome.NAK_PSN_SEQUENCE))
                .as("told twice")
                .isEmpty();
    }

    @Test
    void aSequenceRefusalBehindReceiverNotReadyIsIgnored() {
        endpoint.send(1, sge(buffer, 0, 8));
        endpoint.send(2, sge(buffer, 0, 8));
        puppet.work();
        assertThat(puppet.acknowledge(0, Syndrome.rnr(20))).isEmpty();
        assertThat(puppet.acknowledge(0, Syndrome.NAK_PSN_SEQUENCE)).isEmpty();
        assertThat(puppet.later()).extracting(PacketView::psn).containsExactly(Puppet.PSN, Puppet.PSN + 1);
        assertThat(puppet.device.hca.counters()).containsEntry("completer_retry_err", 0L);
    }

    @Test
    void aReadTakesItsAnswersByNumberAndResumesAtAHole() {
        endpoint.rdma(1, dev.doorbell.spec.WorkRequestOpcode.RDMA_READ, 4096, 2, sge(buffer, 0, 4 * MTU));
        puppet.work();
        puppet.packet(Opcode.RC_READ_RESPONSE_MIDDLE, 0, MTU).fill(1).send();
        List<PacketView> again =
                puppet.packet(Opcode.RC_READ_RESPONSE_MIDDLE, 2, MTU).fill(3).send();
        assertThat(again).singleElement().satisfies(packet -> {
            assertThat(packet.opcode()).isEqualTo(Opcode.RC_READ_REQUEST);
            assertThat(packet.psn()).isEqualTo(Puppet.PSN + 1);
            assertThat(packet.va()).isEqualTo(4096 + MTU);
            assertThat(packet.dmaLength()).isEqualTo(3 * MTU);
        });
        puppet.packet(Opcode.RC_READ_RESPONSE_FIRST, 1, MTU)
                .syndrome(Syndrome.ACK)
                .fill(2)
                .send();
        puppet.packet(Opcode.RC_READ_RESPONSE_MIDDLE, 2, MTU).fill(3).send();
        puppet.packet(Opcode.RC_READ_RESPONSE_LAST, 3, MTU)
                .syndrome(Syndrome.ACK)
                .fill(4)
                .send();
        assertThat(endpoint.sent()).extracting(Endpoint.Done::status).containsExactly(WorkCompletionStatus.SUCCESS);
        for (int index = 0; index < 4; index++) {
            assertThat(Host.getUnsignedByte(buffer.memory(), (long) index * MTU))
                    .isEqualTo(index + 1);
        }
    }

    @ParameterizedTest
    @CsvSource({"16, 7", "16, 12", "18, 0"})
    void answersOfTheWrongKindOrLengthFailTheRead(int opcode, int payload) {
        endpoint.rdma(1, dev.doorbell.spec.WorkRequestOpcode.RDMA_READ, 4096, 2, sge(buffer, 0, 8));
        puppet.work();
        puppet.packet(opcode, 0, payload).syndrome(Syndrome.ACK).send();
        assertThat(endpoint.sent())
                .extracting(Endpoint.Done::status)
                .containsExactly(WorkCompletionStatus.BAD_RESP_ERR);
    }

    @Test
    void anAcknowledgementIsAskedForAtTheEndAndEveryThirtyTwoPackets() {
        endpoint.rdma(1, dev.doorbell.spec.WorkRequestOpcode.RDMA_WRITE, 1, 2, sge(buffer));
        assertThat(puppet.work())
                .filteredOn(PacketView::ackRequested)
                .extracting(PacketView::psn)
                .containsExactly(Puppet.PSN + 15);
        puppet.acknowledge(15, Syndrome.ACK);
        Device.Buffer big = puppet.device.buffer(200 * MTU);
        endpoint.rdma(2, dev.doorbell.spec.WorkRequestOpcode.RDMA_WRITE, 1, 2, sge(big));
        List<PacketView> window = puppet.work();
        // Two, and three times 32 that leave together; there is no room for another 32.
        assertThat(window).hasSize(98);
        assertThat(window)
                .filteredOn(PacketView::ackRequested)
                .extracting(PacketView::psn)
                .containsExactly(Puppet.PSN + 16 + 31, Puppet.PSN + 16 + 63, Puppet.PSN + 16 + 95);
    }

    @Test
    void packetsFromElsewhereAreDroppedAndCounted() {
        Puppet.Packet packet = write(0).ask();
        assertThat(packet.send()).hasSize(1);
        assertThat(puppet.device.hca.counters()).containsEntry("rcvd_pkts", 1L);
        puppet.packet(Opcode.UD_SEND_ONLY, 1, 8).send();
        puppet.packet(Opcode.CNP, 1, 16).send();
        assertThat(puppet.device.hca.counters())
                .containsEntry("dropped_transport_mismatch", 1L)
                .containsEntry("dropped_cnp", 1L)
                .containsEntry("rcvd_pkts", 1L);
    }

    private Puppet.Packet write(int index) {
        return puppet.packet(Opcode.RC_WRITE_ONLY, index, 8).rdma(buffer.address(), buffer.key(), 8);
    }

    private Puppet.Packet read(int index, long offset, long bytes) {
        return puppet.packet(Opcode.RC_READ_REQUEST, index, 0).rdma(buffer.address() + offset, buffer.key(), bytes);
    }

    private void refused(Puppet.Packet packet, int syndrome) {
        answer(packet.send(), 0, syndrome);
        assertThat(endpoint.queuePair.state()).isEqualTo(QueuePairState.ERROR);
        assertThat(write(1).ask().send()).as("silent in error").isEmpty();
    }

    private static void answer(List<PacketView> packets, int index, int syndrome) {
        assertThat(packets).singleElement().satisfies(packet -> {
            assertThat(packet.opcode()).isEqualTo(Opcode.RC_ACKNOWLEDGE);
            assertThat(packet.psn()).isEqualTo(Puppet.PSN + index);
            assertThat(packet.syndrome()).isEqualTo(syndrome);
        });
    }
}
