package dev.doorbell.soft.cm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.soft.cm.Host.Answering;
import dev.doorbell.soft.cm.Host.Party;
import dev.doorbell.spec.RejectReason;
import dev.doorbell.wire.cm.CmAttribute;
import dev.doorbell.wire.cm.CmQueuePair;
import dev.doorbell.wire.cm.CmRej;
import dev.doorbell.wire.cm.PrivateData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections between two agents, under virtual time; at the end nothing is left of any. */
@Timeout(60)
class ConnectionTest {
    private static final long SECOND = 1_000_000_000;
    private static final long LINGER = 512_000_000;

    private final Cable cable = new Cable(1);
    private final Host active = new Host(cable, 1);
    private final Host passive = new Host(cable, 2);

    @AfterEach
    void nothingIsLeft() {
        for (Host host : new Host[] {active, passive}) {
            host.parties.forEach(party -> party.endpoint.close(cable.nowNs));
        }
        cable.settle();
        assertThat(active.agent.remains()).isZero();
        assertThat(passive.agent.remains()).isZero();
    }

    @Test
    void aConnectionIsMadeAndEnded() {
        CmQueuePair queuePair = active.queuePair();
        Party from = active.connect(passive, queuePair);
        cable.settle();
        Party to = passive.only();
        assertThat(from.events).containsExactly("reply");
        assertThat(to.events).containsExactly("request", "established");
        assertThat(from.isEstablished()).isTrue();
        assertThat(to.isEstablished()).isTrue();
        assertThat(cable.log()).containsExactly("REQ", "REP", "RTU");

        CmParameters left = from.endpoint.parameters();
        CmParameters right = to.endpoint.parameters();
        assertThat(right.remoteQpn()).isEqualTo(queuePair.qpn());
        assertThat(left.receivePsn()).isEqualTo(queuePair.startingPsn()).isEqualTo(right.sendPsn());
        assertThat(right.receivePsn()).isEqualTo(left.sendPsn());
        assertThat(left.initiatorDepth()).isEqualTo(4);
        assertThat(left.responderResources()).isEqualTo(2);
        assertThat(left.ackTimeout()).isEqualTo(17).isEqualTo(right.ackTimeout());
        assertThat(right.path().localGid()).isEqualTo(passive.address);

        from.endpoint.disconnect(cable.nowNs);
        cable.settle();
        assertThat(from.events).containsExactly("reply", "disconnected", "over");
        assertThat(to.events).containsExactly("request", "established", "disconnected", "over");
        assertThat(cable.log()).containsExactly("REQ", "REP", "RTU", "DREQ", "DREP");
    }

    @Test
    void aSilentAddressIsAskedSixteenTimes() {
        cable.unplug(passive.address);
        Party from = active.connect(passive);
        cable.pass(73 * SECOND);
        assertThat(from.events).isEmpty();
        cable.pass(SECOND);
        assertThat(from.events).containsExactly("unreachable");
        assertThat(cable.sent(CmAttribute.REQ)).isEqualTo(16);
        assertThat(cable.sent(CmAttribute.REJ)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = RejectReason.class,
            names = {"UNKNOWN"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyReasonArrivesAsItself(RejectReason reason) {
        passive.answering = Answering.REFUSE;
        passive.refusal = reason;
        Party from = active.connect(passive);
        cable.settle();
        assertThat(from.events).containsExactly("rejected " + reason.code());
        assertThat(passive.agent.remains()).isZero();
    }

    @Test
    void theProgramRefuses() {
        passive.answering = Answering.REJECT;
        Party from = active.connect(passive);
        cable.settle();
        assertThat(from.events).containsExactly("rejected 28");
    }

    @Test
    void aThinkingProgramIsGivenTime() {
        passive.answering = Answering.THINK;
        Party from = active.connect(passive);
        cable.pass(60 * SECOND);
        assertThat(from.endpoint.state()).isEqualTo(CmState.MRA_RECEIVED);
        assertThat(cable.sent(CmAttribute.REQ)).isEqualTo(2);
        assertThat(passive.parties).hasSize(1);
        passive.accept(passive.only());
        cable.settle();
        assertThat(from.isEstablished()).isTrue();
    }

    @Test
    void aSlowActiveProgramIsGivenTimeToo() {
        Party from = active.connect(passive);
        from.confirms = false;
        cable.pass(60 * SECOND);
        assertThat(from.endpoint.state()).isEqualTo(CmState.REP_RECEIVED);
        assertThat(cable.sent(CmAttribute.REP)).isEqualTo(2);
        assertThat(from.endpoint.ready(PrivateData.zero(224))).isTrue();
        cable.settle();
        assertThat(passive.only().isEstablished()).isTrue();
    }

    @Test
    void aLostRequestIsRepeated() {
        losesTheFirst(CmAttribute.REQ, 4_608_000_000L);
    }

    @Test
    void aLostReplyIsRepeated() {
        losesTheFirst(CmAttribute.REP, 4_096_000_000L);
    }

    @Test
    void aLostConfirmationIsRepeatedWhenTheReplyComesAgain() {
        losesTheFirst(CmAttribute.RTU, 4_096_000_000L);
    }

    private void losesTheFirst(CmAttribute kind, long repairNs) {
        cable.swallow(mad -> mad.message().attribute() == kind && cable.sent(kind) == 1);
        Party from = active.connect(passive);
        cable.pass(repairNs - 1_000_000);
        assertThat(passive.parties.stream().anyMatch(Party::isEstablished)).isFalse();
        cable.pass(3_000_000);
        cable.settle();
        assertThat(from.isEstablished()).isTrue();
        assertThat(passive.only().isEstablished()).isTrue();
    }

    @Test
    void aPacketStandsForTheConfirmation() {
        cable.swallow(CmAttribute.RTU);
        active.connect(passive);
        cable.pass(SECOND);
        Party to = passive.only();
        assertThat(to.endpoint.state()).isEqualTo(CmState.REP_SENT);
        assertThat(to.endpoint.establish()).isTrue();
        assertThat(to.events).containsExactly("request", "established");
        cable.settle();
        assertThat(cable.sent(CmAttribute.REP)).isEqualTo(1);
    }

    @Test
    void bothDisconnectAtOnce() {
        Party from = active.connect(passive);
        cable.settle();
        Party to = passive.only();
        from.endpoint.disconnect(cable.nowNs);
        to.endpoint.disconnect(cable.nowNs);
        cable.pass(LINGER / 2);
        assertThat(from.endpoint.state()).isEqualTo(CmState.TIME_WAIT);
        assertThat(to.endpoint.state()).isEqualTo(CmState.TIME_WAIT);
        cable.settle();
        assertThat(from.events).endsWith("disconnected", "over");
        assertThat(to.events).endsWith("disconnected", "over");
        assertThat(cable.sent(CmAttribute.DREQ)).isEqualTo(2);
        assertThat(cable.sent(CmAttribute.DREP)).isEqualTo(2);
    }

    @Test
    void aDisconnectThatNobodyAnswersEndsTooAndSaysSo() {
        Party from = active.connect(passive);
        cable.settle();
        cable.swallow(CmAttribute.DREP);
        from.endpoint.disconnect(cable.nowNs);
        cable.settle();
        assertThat(from.events).endsWith("disconnected, timed out", "over");
        assertThat(cable.sent(CmAttribute.DREQ)).isEqualTo(16);
        assertThat(passive.only().events).endsWith("disconnected", "over");
    }

    @Test
    void whatIsGoneAnswersADisconnect() {
        Party from = active.connect(passive);
        cable.settle();
        passive.restart();
        from.endpoint.disconnect(cable.nowNs);
        cable.pass(LINGER / 2);
        assertThat(from.events).endsWith("disconnected");
    }

    @Test
    void whoeverRestartedIsStaleOnceAndThenConnects() {
        CmQueuePair queuePair = active.queuePair();
        active.connect(passive, queuePair);
        cable.settle();
        active.restart();
        Party again = active.connect(passive, queuePair);
        cable.pass(LINGER / 2);
        assertThat(again.events).containsExactly("rejected 10");
        assertThat(passive.only().events).endsWith("disconnected");
        cable.settle();
        Party third = active.connect(passive, queuePair);
        cable.settle();
        assertThat(third.isEstablished()).isTrue();
    }

    @Test
    void aQueuePairMayConnectAgainWhileTheOldConnectionLingers() {
        CmQueuePair queuePair = active.queuePair();
        Party first = active.connect(passive, queuePair);
        cable.settle();
        first.endpoint.disconnect(cable.nowNs);
        cable.pass(LINGER / 2);
        assertThat(first.endpoint.state()).isEqualTo(CmState.TIME_WAIT);
        Party second = active.connect(passive, queuePair);
        cable.pass(LINGER / 4);
        assertThat(second.isEstablished()).isTrue();
    }

    @Test
    void aConnectionToOneself() {
        Party from = active.connect(active);
        cable.settle();
        assertThat(from.isEstablished()).isTrue();
        assertThat(active.parties).hasSize(2).allMatch(Party::isEstablished);
        from.endpoint.disconnect(cable.nowNs);
    }

    @Test
    void aRejectionAfterTheReplyEndsThePassiveSide() {
        Party from = active.connect(passive);
        from.confirms = false;
        cable.pass(SECOND);
        from.endpoint.reject(RejectReason.CONSUMER_DEFINED, PrivateData.zero(CmRej.PRIVATE_DATA));
        cable.settle();
        assertThat(passive.only().events).containsExactly("request", "rejected 28");
    }
}
