package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.memory.Host;
import dev.doorbell.soft.fault.FaultInjector;
import dev.doorbell.spec.Opcode;
import dev.doorbell.spec.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What gets lost, comes twice or leaves a gap on the wire is repaired (rules 3.4 and 3.6). */
@Timeout(60)
class RepairTest extends FaultyWire {
    private static final int MTU = 1024;

    @ParameterizedTest
    @ValueSource(ints = {Opcode.RC_SEND_FIRST, Opcode.RC_SEND_MIDDLE, Opcode.RC_SEND_LAST, Opcode.RC_SEND_ONLY})
    void lostPartsOfASendAreSentAgain(int opcode) {
        faults(none(), FaultInjector.seeded(1).drop(1, code(opcode)));
        sendsTwoMessages();
        assertThat(wire.count(wire.right, "rcvd_pkts")).isGreaterThan(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {Opcode.RC_SEND_FIRST, Opcode.RC_SEND_MIDDLE, Opcode.RC_SEND_LAST, Opcode.RC_SEND_ONLY})
    void duplicatedPartsOfASendAreNotExecutedTwice(int opcode) {
        faults(none(), FaultInjector.seeded(1).duplicate(1, code(opcode)));
        sendsTwoMessages();
        assertThat(wire.count(wire.right, "duplicate_request")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void lostAcknowledgementsAreAskedForAgain(int nth) {
        faults(FaultInjector.seeded(1).drop(nth, code(Opcode.RC_ACKNOWLEDGE)), none());
        sendsTwoMessages();
    }

    private void sendsTwoMessages() {
        Endpoint.connect(one, other);
        Device.Buffer source = wire.left.buffer(3 * MTU).fill(5);
        Device.Buffer target = wire.right.buffer(3 * MTU);
        Device.Buffer small = wire.right.buffer(8);
        other.receive(1, sge(target));
        other.receive(2, sge(small));
        one.send(1, sge(source));
        wire.settle();
        one.send(2, sge(source, 0, 8));
        wire.finish();
        succeeded(1, 2);
        assertThat(other.received()).extracting(Endpoint.Done::id).containsExactly(1L, 2L);
        same(source, target, 3 * MTU);
        same(source, small, 8);
    }

    @ParameterizedTest
    @ValueSource(ints = {Opcode.RC_WRITE_FIRST, Opcode.RC_WRITE_MIDDLE, Opcode.RC_WRITE_LAST})
    void lostPartsOfAWriteAreSentAgain(int opcode) {
        faults(none(), FaultInjector.seeded(1).drop(1, code(opcode)));
        Endpoint.connect(one, other);
        Device.Buffer source = wire.left.buffer(10 * MTU).fill(6);
        Device.Buffer target = wire.right.buffer(10 * MTU);
        one.write(1, target, 0, sge(source));
        wire.finish();
        succeeded(1);
        same(source, target, 10 * MTU);
    }

    @ParameterizedTest
    @CsvSource({"13, 1", "14, 1", "14, 2", "15, 1", "16, 1"})
    void lostReadResponsesAreAskedForAgain(int opcode, int nth) {
        faults(FaultInjector.seeded(1).drop(nth, code(opcode)), none());
        readsBack();
    }

    @Test
    void lostReadRequestIsSentAgain() {
        faults(none(), FaultInjector.seeded(1).drop(1, code(Opcode.RC_READ_REQUEST)));
        readsBack();
    }

    @ParameterizedTest
    @ValueSource(ints = {Opcode.RC_READ_RESPONSE_FIRST, Opcode.RC_READ_RESPONSE_MIDDLE, Opcode.RC_READ_RESPONSE_LAST})
    void duplicatedReadResponsesAreIgnored(int opcode) {
        faults(FaultInjector.seeded(1).duplicate(1, code(opcode)), none());
        readsBack();
    }

    @Test
    void duplicatedReadRequestIsAnsweredAgain() {
        faults(none(), FaultInjector.seeded(1).duplicate(1, code(Opcode.RC_READ_REQUEST)));
        readsBack();
        assertThat(wire.count(wire.right, "duplicate_request")).isEqualTo(1);
    }

    private void readsBack() {
        Endpoint.connect(one, other);
        Device.Buffer remote = wire.right.buffer(70 * MTU).fill(7);
        Device.Buffer big = wire.left.buffer(70 * MTU);
        Device.Buffer small = wire.left.buffer(10);
        one.read(1, remote, 0, sge(big));
        one.read(2, remote, 0, sge(small));
        one.write(3, wire.right.buffer(10), 0, sge(small));
        wire.finish();
        succeeded(1, 2, 3);
        same(remote, big, 70 * MTU);
        same(remote, small, 10);
    }

    @Test
    void lostAtomicAnswerIsReplayedAndNotExecutedAgain() {
        faults(FaultInjector.seeded(1).drop(1, code(Opcode.RC_ATOMIC_ACKNOWLEDGE)), none());
        addsThreeTimes();
        assertThat(wire.count(wire.right, "duplicate_request")).isPositive();
    }

    @Test
    void duplicatedAtomicRequestIsNotExecutedAgain() {
        faults(none(), FaultInjector.seeded(1).duplicate(2, code(Opcode.RC_FETCH_ADD)));
        addsThreeTimes();
    }

    @Test
    void lostAtomicRequestIsSentAgain() {
        faults(none(), FaultInjector.seeded(1).drop(1, code(Opcode.RC_FETCH_ADD)));
        addsThreeTimes();
    }

    private void addsThreeTimes() {
        Endpoint.connect(one, other);
        Device.Buffer target = wire.right.buffer(8);
        Device.Buffer results = wire.left.buffer(24);
        for (int index = 0; index < 3; index++) {
            one.fetchAdd(index, target.address(), target.key(), 10, sge(results, 8L * index, 8));
        }
        wire.finish();
        succeeded(0, 1, 2);
        assertThat(Host.getLong(target.memory(), 0)).isEqualTo(30);
        assertThat(Host.getLong(results.memory(), 0)).isZero();
        assertThat(Host.getLong(results.memory(), 8)).isEqualTo(10);
        assertThat(Host.getLong(results.memory(), 16)).isEqualTo(20);
    }

    @Test
    void aReadWhoseAnswersAreLostIsAskedForAgainWhenALaterAcknowledgementComes() {
        faults(FaultInjector.seeded(1).drop(1, code(Opcode.RC_READ_RESPONSE_ONLY)), none());
        Endpoint.connect(one, other);
        Device.Buffer remote = wire.right.buffer(8).fill(8);
        Device.Buffer local = wire.left.buffer(8);
        other.receive(1, sge(wire.right.buffer(8)));
        one.read(1, remote, 0, sge(local));
        one.send(2, sge(local));
        wire.settle();
        succeeded(1, 2);
        same(remote, local, 8);
        assertThat(wire.count(wire.left, "completer_retry_err"))
                .as("without the timer")
                .isEqualTo(1);
    }

    @Test
    void gapsAreRefusedOnceAndRepairedWithoutTheTimer() {
        faults(none(), FaultInjector.seeded(1).drop(2, code(Opcode.RC_WRITE_MIDDLE)));
        Endpoint.connect(one, other);
        Device.Buffer source = wire.left.buffer(40 * MTU).fill(9);
        Device.Buffer target = wire.right.buffer(40 * MTU);
        one.write(1, target, 0, sge(source));
        wire.settle();
        succeeded(1);
        same(source, target, 40 * MTU);
        assertThat(wire.count(wire.left, "rcvd_seq_err")).isEqualTo(1);
        assertThat(wire.count(wire.left, "completer_retry_err")).isEqualTo(1);
    }

    private void succeeded(long... ids) {
        Endpoint.Done[] done = one.sent().toArray(Endpoint.Done[]::new);
        assertThat(done).extracting(Endpoint.Done::status).containsOnly(WorkCompletionStatus.SUCCESS);
        assertThat(done)
                .extracting(Endpoint.Done::id)
                .containsExactly(java.util.Arrays.stream(ids).boxed().toArray(Long[]::new));
    }

    private static void same(Device.Buffer source, Device.Buffer target, long bytes) {
        assertThat(MemorySegment.mismatch(source.memory(), 0, bytes, target.memory(), 0, bytes))
                .isEqualTo(-1);
    }

    /** Nothing follows by which the peer would notice, and the timeout is a second. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aLostTailIsAskedForLongBeforeTheTimeout(int lostAgain) {
        FaultInjector losses = FaultInjector.seeded(1);
        for (int copy = 0; copy <= lostAgain; copy++) {
            losses.drop(9, code(Opcode.RC_SEND_ONLY));
        }
        faults(none(), losses);
        one.options.timeout = 18;
        Endpoint.connect(one, other);
        Device.Buffer source = wire.left.buffer(8).fill(1);
        Device.Buffer target = wire.right.buffer(8);
        for (int index = 1; index <= 9; index++) {
            other.receive(index, sge(target));
            one.send(index, sge(source));
            wire.settle();
        }
        assertThat(one.sent()).hasSize(8);
        long start = wire.clock.get();
        List<Endpoint.Done> last = List.of();
        while (last.isEmpty()) {
            wire.left.step();
            wire.settle();
            last = one.sent();
        }
        assertThat(last).extracting(Endpoint.Done::status).containsExactly(WorkCompletionStatus.SUCCESS);
        assertThat(wire.clock.get() - start).isLessThanOrEqualTo(1_000_000L << lostAgain);
        assertThat(wire.count(wire.left, "tail_probes")).isEqualTo(1 + lostAgain);
        assertThat(wire.count(wire.left, "resent_pkts")).isEqualTo(1 + lostAgain);
    }
}
