package dev.doorbell.soft.cm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.soft.cm.Host.Answering;
import dev.doorbell.soft.cm.Host.Party;
import dev.doorbell.wire.cm.CmAttribute;
import dev.doorbell.wire.cm.CmMad;
import dev.doorbell.wire.cm.MadHeader;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections over cables that lose, duplicate and reorder messages; sides that vanish or close at any moment. */
@Timeout(120)
class FaultyCableTest {
    private static final long SECOND = 1_000_000_000;
    private static final int SEEDS = 100;

    /** Whatever happens to single messages, every attempt ends, both sides agree, and nothing is left. */
    @Test
    void lossDuplicationAndReordering() {
        int connected = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Cable cable = new Cable(seed);
            Random random = new Random(seed);
            cable.faults(random.nextDouble() * 0.3, random.nextDouble() * 0.4, 1 + random.nextLong(20_000_000));
            Host active = new Host(cable, 1);
            Host passive = new Host(cable, 2);
            for (int i = 0; i < 5; i++) {
                active.connect(passive);
            }
            cable.settle();
            for (Party party : List.copyOf(active.parties)) {
                assertThat(party.endpoint.state()).as("seed %d", seed).isEqualTo(CmState.ESTABLISHED);
                connected++;
                assertThat(party.events).as("seed %d", seed).containsExactly("reply");
            }
            assertThat(passive.parties).as("seed %d", seed).hasSize(5).allMatch(Party::isEstablished);
            for (Party party : List.copyOf(active.parties)) {
                party.endpoint.disconnect(cable.nowNs);
            }
            for (Party party : List.copyOf(passive.parties)) {
                if (random.nextBoolean()) {
                    party.endpoint.disconnect(cable.nowNs);
                }
            }
            cable.settle();
            assertThat(active.agent.remains()).as("seed %d", seed).isZero();
            assertThat(passive.agent.remains()).as("seed %d", seed).isZero();
            assertThat(active.parties).allMatch(party -> party.events.getLast().equals("over"));
            assertThat(passive.parties).allMatch(party -> party.events.getLast().equals("over"));
        }
        assertThat(connected).isEqualTo(5 * SEEDS);
    }

    /** One side is gone from the moment that the n-th message was sent; the other one gets to know, or never connected. */
    @Test
    void thePeerVanishesAtEachStep() {
        for (int step = 0; step <= 6; step++) {
            for (boolean activeVanishes : new boolean[] {true, false}) {
                Cable cable = new Cable(step);
                Host active = new Host(cable, 1);
                Host passive = new Host(cable, 2);
                int last = step;
                cable.swallow(mad -> cable.log().size() > last);
                active.connect(passive);
                cable.pass(SECOND);
                active.parties.forEach(party -> party.endpoint.disconnect(cable.nowNs));
                cable.pass(SECOND / 4);
                (activeVanishes ? active : passive).vanish();
                Host other = activeVanishes ? passive : active;
                cable.pass(200 * SECOND);
                other.parties.forEach(party -> party.endpoint.disconnect(cable.nowNs));
                cable.settle();
                assertThat(other.agent.remains())
                        .as("step %d, %s vanishes: %s", step, activeVanishes ? "active" : "passive", cable.log())
                        .isZero();
                assertThat(other.parties)
                        .allMatch(party ->
                                List.of("over", "unreachable", "rejected 4").contains(party.events.getLast()));
            }
        }
    }

    /** Closes one side in a state; nothing is left, and the other side is not left in the dark. */
    @ParameterizedTest
    @EnumSource(
            value = CmState.class,
            names = {"IDLE"},
            mode = EnumSource.Mode.EXCLUDE)
    void closeInEveryState(CmState state) {
        Cable cable = new Cable(1);
        Host active = new Host(cable, 1);
        Host passive = new Host(cable, 2);
        CmEndpoint closed = bring(state, cable, active, passive);
        assertThat(closed.state()).isEqualTo(state);
        closed.close(cable.nowNs);
        cable.swallow(mad -> false);
        cable.settle();
        List.of(active, passive)
                .forEach(host -> host.parties.forEach(party -> {
                    if (party.endpoint != closed) {
                        assertThat(party.isEstablished()).as("%s", party.events).isFalse();
                        party.endpoint.close(cable.nowNs);
                    }
                }));
        cable.settle();
        assertThat(active.agent.remains()).isZero();
        assertThat(passive.agent.remains()).isZero();
    }

    private static CmEndpoint bring(CmState state, Cable cable, Host active, Host passive) {
        boolean thinks = state == CmState.REQ_RECEIVED || state == CmState.REQ_SENT || state == CmState.MRA_RECEIVED;
        passive.answering = thinks ? Answering.THINK : Answering.ACCEPT;
        if (state == CmState.REP_SENT) {
            cable.swallow(CmAttribute.RTU);
        } else if (state == CmState.DISCONNECT_SENT) {
            cable.swallow(CmAttribute.DREP);
        }
        Party from = active.connect(passive);
        from.confirms = state != CmState.REP_RECEIVED;
        cable.pass(state == CmState.MRA_RECEIVED ? 10 * SECOND : SECOND);
        switch (state) {
            case DISCONNECT_SENT, TIME_WAIT -> from.endpoint.disconnect(cable.nowNs);
            case DISCONNECT_RECEIVED -> {
                passive.only().answersDisconnect = false;
                from.endpoint.disconnect(cable.nowNs);
            }
            case IDLE, REQ_SENT, MRA_RECEIVED, REQ_RECEIVED, REP_RECEIVED, REP_SENT, ESTABLISHED -> {}
        }
        cable.pass(SECOND / 10);
        return switch (state) {
            case REQ_RECEIVED, REP_SENT, DISCONNECT_RECEIVED -> passive.only().endpoint;
            case IDLE, REQ_SENT, MRA_RECEIVED, REP_RECEIVED, ESTABLISHED, DISCONNECT_SENT, TIME_WAIT -> from.endpoint;
        };
    }

    /** Messages that were bent on their way, and messages that came from nowhere, harm nobody. */
    @Test
    void bentMessages() {
        Random random = new Random(6);
        for (int round = 0; round < 100; round++) {
            Cable cable = new Cable(round);
            Host active = new Host(cable, 1);
            Host passive = new Host(cable, 2);
            active.connect(passive);
            for (int i = 0; i < 200; i++) {
                byte[] bytes = new byte[MadHeader.MAD_BYTES];
                MemorySegment segment = MemorySegment.ofArray(bytes);
                Party any = active.parties.get(random.nextInt(active.parties.size()));
                new CmMad(random.nextLong(), active.req(any.endpoint, active.queuePair())).write(segment, 0);
                bytes[17] = (byte) (0x10 + random.nextInt(11));
                for (int flips = random.nextInt(6); flips > 0; flips--) {
                    bytes[24 + random.nextInt(40)] ^= (byte) (1 << random.nextInt(8));
                }
                Host to = random.nextBoolean() ? active : passive;
                Host from = random.nextBoolean() ? active : passive;
                to.agent.receive(CmMad.read(segment, 0), from.address, to.address, cable.nowNs);
                cable.pass(random.nextLong(SECOND));
            }
            cable.settle();
            List.of(active, passive).forEach(host -> host.parties.forEach(party -> party.endpoint.close(cable.nowNs)));
            List.of(active, passive).forEach(host -> host.questions.forEach(question -> question.refuse(3)));
            cable.settle();
            assertThat(active.agent.remains()).as("round %d", round).isZero();
            assertThat(passive.agent.remains()).as("round %d", round).isZero();
        }
    }

    @Test
    void tenThousandConnections() {
        Cable cable = new Cable(1);
        Host active = new Host(cable, 1);
        Host passive = new Host(cable, 2);
        for (int i = 0; i < 10_000; i++) {
            active.connect(passive);
        }
        cable.settle();
        assertThat(active.parties).hasSize(10_000).allMatch(Party::isEstablished);
        assertThat(active.agent.size()).isEqualTo(10_000);
        active.parties.forEach(party -> party.endpoint.disconnect(cable.nowNs));
        cable.settle();
        assertThat(active.agent.remains()).isZero();
        assertThat(passive.agent.remains()).isZero();
    }
}
