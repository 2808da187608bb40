package dev.doorbell.soft.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.memory.Be;
import dev.doorbell.soft.link.InMemoryNetwork;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Opcode;
import dev.doorbell.wire.Bth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbered packets between two links of which one suffers: which of them arrive, and when. */
final class FaultInjectorTest {
    private static final Gid HERE = Gid.ofIpv4(0x7f000001);
    private static final Gid THERE = Gid.ofIpv4(0x7f000002);
    private static final int BYTES = Bth.SIZE + 16;

    private final AtomicLong clock = new AtomicLong(1000);
    private final InMemoryNetwork network = new InMemoryNetwork(4096);
    private final PacketLink plain = network.join(List.of(HERE));
    private final List<Integer> atHere = new ArrayList<>();
    private final List<Integer> atThere = new ArrayList<>();

    private PacketLink faulty(FaultInjector injector) {
        return injector.on(network.join(List.of(THERE)), clock::get);
    }

    private static void send(PacketLink link, Gid source, Gid destination, int psn, int opcode) {
        Transmitter transmitter = link.newTransmitter();
        long at = transmitter.claim();
        Bth.write(transmitter.memory(), at, opcode, 0, 17, psn);
        Be.setInt(transmitter.memory(), at + Bth.SIZE, psn);
        transmitter.send(BYTES, source, destination);
        transmitter.flush();
    }

    private void toThere(int from, int to) {
        for (int psn = from; psn <= to; psn++) {
            send(plain, HERE, THERE, psn, Opcode.RC_SEND_ONLY);
        }
    }

    private void toHere(PacketLink link, int from, int to) {
        for (int psn = from; psn <= to; psn++) {
            send(link, THERE, HERE, psn, Opcode.RC_SEND_ONLY);
        }
    }

    private void receive(PacketLink link) {
        while (link.receive(
                        (memory, at, length, source, destination) -> atThere.add(Bth.psn(memory, at)), clock.get(), 64)
                > 0) {}
        while (plain.receive(
                        (memory, at, length, source, destination) -> atHere.add(Bth.psn(memory, at)), clock.get(), 64)
                > 0) {}
    }

    @Test
    void scriptsTakeTheNthPacketOfTheirKindInEitherDirection() {
        PacketLink link =
                faulty(FaultInjector.parse("drop=2@received,duplicate=1-2@sent/SEND,reorder=1@psn=5/received"));
        toThere(1, 6);
        toHere(link, 11, 14);
        receive(link);
        assertThat(atThere).containsExactly(1, 3, 4, 6);
        assertThat(atHere).containsExactly(11, 12, 13, 14);
        clock.addAndGet(1_000_000);
        receive(link);
        assertThat(atThere).containsExactly(1, 3, 4, 6, 5);
        assertThat(atHere).containsExactlyInAnyOrder(11, 12, 13, 14, 11, 12);
        assertThat(link.counters())
                .containsEntry("faults_lost", 1L)
                .containsEntry("faults_duplicated", 2L)
                .containsEntry("faults_reordered", 1L)
                .containsEntry("faults_passed", 6L);
    }

    @Test
    void everyPacketIsDelayedAndKeepsItsPlace() {
        PacketLink link = faulty(FaultInjector.seeded(1).delay(Duration.ofMillis(2)));
        AtomicInteger woken = new AtomicInteger();
        link.onArrival(woken::incrementAndGet);
        toThere(1, 3);
        toHere(link, 11, 13);
        receive(link);
        assertThat(atThere).isEmpty();
        assertThat(atHere).isEmpty();
        assertThat(link.nextDeadlineNs()).isEqualTo(2_001_000);
        assertThat(woken)
                .as("three arrivals, and one who has something to send later")
                .hasValue(4);
        clock.set(2_000_999);
        receive(link);
        assertThat(atThere).isEmpty();
        clock.set(2_001_000);
        receive(link);
        assertThat(atThere).containsExactly(1, 2, 3);
        assertThat(atHere).containsExactly(11, 12, 13);
        assertThat(link.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"loss", "duplicate", "reorder", "corrupt"})
    void chanceIsTheSameForTheSameSeedAndAboutAsOftenAsAsked(String fault) {
        List<List<Integer>> runs = new ArrayList<>();
        for (int seed : new int[] {7, 7, 8}) {
            atThere.clear();
            FaultInjector injector = FaultInjector.parse(fault + "=10%,seed=" + seed);
            try (PacketLink link = faulty(injector)) {
                toThere(1, 2000);
                receive(link);
                clock.addAndGet(1_000_000);
                receive(link);
            }
            runs.add(List.copyOf(atThere));
            assertThat(injector.counters().get("faults_passed")).isBetween(1700L, 1900L);
        }
        assertThat(runs.get(0)).isEqualTo(runs.get(1)).isNotEqualTo(runs.get(2));
        int arrived = runs.getFirst().size();
        switch (fault) {
            case "loss" -> assertThat(arrived).isBetween(1700, 1900);
            case "duplicate" -> assertThat(arrived).isBetween(2100, 2300);
            case "reorder" -> assertThat(arrived).isEqualTo(2000);
            default ->
                assertThat(arrived)
                        .as("a bit in the masked byte goes unnoticed")
                        .isBetween(1700, 1930);
        }
    }

    @Test
    void oneDirectionCanBeLeftAlone() {
        PacketLink link = faulty(FaultInjector.parse("loss=100%,only=sent"));
        toThere(1, 3);
        toHere(link, 11, 13);
        receive(link);
        assertThat(atThere).containsExactly(1, 2, 3);
        assertThat(atHere).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "READ_RESPONSE, 0x0e, true",
        "read-response, 0x10, true",
        "READ_RESPONSE_LAST, 0x0e, false",
        "READ_RESPONSE_LAST, 0x0f, true",
        "SEND, 0x16, true",
        "SEND, 0x24, true",
        "RC_SEND, 0x24, false",
        "UC_WRITE_ONLY, 0x2a, true",
        "ACKNOWLEDGE, 0x12, false",
        "ATOMIC_ACKNOWLEDGE, 0x12, true",
        "0x11, 0x11, true",
        "any, 0x00, true",
        "qp=17/psn=9/peer=127.0.0.1, 0x04, true",
        "qp=18, 0x04, false",
        "peer=127.0.0.9, 0x04, false",
        "sent/any, 0x04, false",
    })
    void packetsAreDescribed(String text, String opcode, boolean meant) {
        PacketLink link = faulty(FaultInjector.parse("drop=1@" + text));
        send(plain, HERE, THERE, 9, Integer.decode(opcode));
        receive(link);
        assertThat(atThere.isEmpty()).isEqualTo(meant);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "loss=1%,duplicate=0.5%,reorder=1%,corrupt=0.1%,delay=2ms,seed=42",
                "delay=1500us,hold=1s,only=sent,seed=-3",
                "drop=3@READ_RESPONSE,duplicate=1-2@sent/ACKNOWLEDGE,seed=0"
            })
    void whatItSaysOfItselfCanBeReadAgain(String text) {
        assertThat(FaultInjector.parse(text)).hasToString(text);
    }

    @Test
    void withoutASeedOneIsChosenAndTold() {
        FaultInjector injector = FaultInjector.parse("loss=1%");
        assertThat(injector).hasToString("loss=1%,seed=" + injector.seed());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "lost=1% | 'lost' is no fault; there are loss, duplicate",
                "loss | 'loss' is no fault; there are",
                "loss=101% | 'loss=101%': it takes 0% to 100%, or 0 to 1",
                "loss=-1 | it takes 0% to 100%",
                "loss=60%,reorder=50% | add up to 110%",
                "delay=2 | 'delay=2': it takes a time such as 500ns",
                "seed=x | a seed is a whole number",
                "only=up | it takes sent or received",
                "drop=1% | 'drop=1%' does not say which packet, such as drop=3@READ_RESPONSE",
                "drop=0@any | packets are counted from 1",
                "drop=3-2@any | packets are counted from 1",
                "drop=1@READS | 'READS' describes no packet; there are any, sent",
                "drop=1@psn=16777216 | is not a number from 0 to 16777215",
                "drop=1@lid=1 | packets have no 'lid'",
                "drop=1@peer=nobody | 'nobody' is not an IP address",
                "loss=1%, | '' is no fault"
            })
    void whatMakesNoSenseIsRefusedWithAReason(String text, String reason) {
        assertThatThrownBy(() -> FaultInjector.parse(Objects.requireNonNull(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }
}
