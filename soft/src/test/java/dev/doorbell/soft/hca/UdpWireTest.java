package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.memory.Host;
import dev.doorbell.soft.fault.FaultInjector;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.soft.link.UdpPlan;
import dev.doorbell.soft.link.UdpPlan.Carrier;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.spec.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two devices that talk through sockets of this machine. */
@Timeout(120)
class UdpWireTest {
    private static final int[] SIZES = {0, 1, 255, 256, 257, 4095, 4096, 4097, 65_536, 1_000_003};

    /** The code of a timeout of a second: no packet is lost in these tests, and the machine may be slow. */
    private static final int PATIENT = 18;

    private static UdpPlan with(UdpPlan plan, String how) {
        return switch (how) {
            case "segments" -> plan;
            case "singles" -> plan.withSegmentation(false);
            default -> plan.with(Carrier.PORTABLE);
        };
    }

    private static UdpPair pair(String left, String right) {
        return new UdpPair(with(UdpPair.plan(), left), with(UdpPair.plan(), right), UnaryOperator.identity());
    }

    @ParameterizedTest
    @CsvSource({
        "segments, segments, 1",
        "segments, segments, 2",
        "segments, segments, 3",
        "segments, segments, 4",
        "segments, segments, 5",
        "segments, singles, 3",
        "singles, segments, 5",
        "singles, singles, 3",
        "portable, segments, 3",
        "segments, portable, 5",
        "portable, portable, 3"
    })
    void everyOperationOfEverySizeArrives(String left, String right, int mtu) {
        try (UdpPair pair = pair(left, right)) {
            converse(pair, mtu);
        }
    }

    private static void converse(UdpPair pair, int mtu) {
        Endpoint.Options options = new Endpoint.Options();
        options.mtu = mtu;
        options.timeout = 14;
        Endpoint one = pair.left.endpoint(options);
        Endpoint other = pair.right.endpoint(options);
        Endpoint.connect(one, other);
        for (int size : SIZES) {
            Device.Buffer source = pair.left.buffer(size).fill(size);
            Device.Buffer sent = pair.right.buffer(size);
            Device.Buffer written = pair.right.buffer(size);
            Device.Buffer back = pair.left.buffer(size);
            other.receive(1, sge(sent, 0, size));
            one.send(1, sge(source, 0, size));
            one.write(2, written, 0, sge(source, 0, size));
            one.read(3, written, 0, sge(back, 0, size));
            complete(pair, one, 3);
            assertThat(other.received()).extracting(Endpoint.Done::bytes).containsExactly((long) size);
            same(source, sent, size);
            same(source, written, size);
            same(source, back, size);
        }
        Device.Buffer number = pair.right.buffer(8);
        Device.Buffer result = pair.left.buffer(16);
        one.fetchAdd(1, number.address(), number.key(), 5, sge(result, 0, 8));
        one.compareSwap(2, number.address(), number.key(), 5, 9, sge(result, 8, 8));
        complete(pair, one, 2);
        assertThat(Host.getLong(number.memory(), 0)).isEqualTo(9);
        assertThat(Host.getLong(result.memory(), 8)).isEqualTo(5);
    }

    private static void complete(UdpPair pair, Endpoint one, int count) {
        List<Endpoint.Done> done = new ArrayList<>();
        pair.until(() -> {
            done.addAll(one.sent());
            return done.size() >= count;
        });
        assertThat(done)
                .as(pair::toString)
                .extracting(Endpoint.Done::status)
                .containsOnly(WorkCompletionStatus.SUCCESS);
    }

    private static void same(Device.Buffer source, Device.Buffer target, long bytes) {
        assertThat(MemorySegment.mismatch(source.memory(), 0, bytes, target.memory(), 0, bytes))
                .isEqualTo(-1);
    }

    @Test
    void packetsOfAMessageShareASend() {
        try (UdpPair pair = pair("segments", "segments")) {
            Endpoint.Options options = new Endpoint.Options();
            options.timeout = PATIENT;
            Endpoint one = pair.left.endpoint(options);
            Endpoint other = pair.right.endpoint(options);
            Endpoint.connect(one, other);
            Device.Buffer source = pair.left.buffer(62 * 1024).fill(1);
            Device.Buffer target = pair.right.buffer(62 * 1024);
            one.write(1, target, 0, sge(source));
            complete(pair, one, 1);
            same(source, target, 62 * 1024);
            Map<String, Long> counters = pair.leftLink.counters();
            assertThat(counters).containsEntry("link_sent_packets", 62L);
            assertThat(counters.get("link_sends")).isLessThanOrEqualTo(3);
            assertThat(pair.rightLink.counters())
                    .containsEntry("link_received_packets", 62L)
                    .doesNotContainKey("dropped_bad_icrc")
                    .doesNotContainKey("link_recovered_identifications");
        }
    }

    @Test
    void longMessagesFillTheirSends() {
        try (UdpPair pair = pair("segments", "segments")) {
            Endpoint.Options options = new Endpoint.Options();
            options.mtu = 5;
            options.timeout = PATIENT;
            Endpoint one = pair.left.endpoint(options);
            Endpoint other = pair.right.endpoint(options);
            Endpoint.connect(one, other);
            Device.Buffer source = pair.left.buffer(1 << 20).fill(1);
            Device.Buffer target = pair.right.buffer(1 << 20);
            one.write(1, target, 0, sge(source));
            complete(pair, one, 1);
            same(source, target, 1 << 20);
            // 256 packets: two in the first send, since the first packet is longer, and then 15 in each.
            assertThat(pair.leftLink.counters())
                    .containsEntry("link_sent_packets", 256L)
                    .containsEntry("link_sends", 18L);
            assertThat(pair.rightLink.counters().get("link_sends")).isLessThanOrEqualTo(9);
        }
    }

    @Test
    void messagesOfOneSubmitShareASend() {
        try (UdpPair pair = pair("segments", "segments")) {
            Endpoint.Options options = new Endpoint.Options();
            options.timeout = PATIENT;
            Endpoint one = pair.left.endpoint(options);
            Endpoint other = pair.right.endpoint(options);
            Endpoint.connect(one, other);
            Device.Buffer source = pair.left.buffer(64).fill(1);
            for (int index = 0; index < 20; index++) {
                other.receive(index, sge(pair.right.buffer(64)));
                one.prepare(index, WorkRequestOpcode.SEND, Endpoint.SIGNALED, sge(source));
                one.sends.publish();
            }
            one.queuePair.ring();
            complete(pair, one, 20);
            assertThat(pair.leftLink.counters())
                    .containsEntry("link_sent_packets", 20L)
                    .containsEntry("link_sends", 1L);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void lossDuplicationAndReorderingAreRepaired(int mtu) {
        UnaryOperator<PacketLink> faulty = link -> FaultInjector.seeded(mtu)
                .loss(0.01)
                .duplication(0.01)
                .reordering(0.01)
                .corruption(0.01)
                .on(link, System::nanoTime);
        try (UdpPair pair = new UdpPair(UdpPair.plan(), UdpPair.plan(), faulty)) {
            Endpoint.Options options = new Endpoint.Options();
            options.mtu = mtu;
            Endpoint one = pair.left.endpoint(options);
            Endpoint other = pair.right.endpoint(options);
            Endpoint.connect(one, other);
            int bytes = 1 << 20;
            Device.Buffer source = pair.left.buffer(bytes).fill(mtu);
            Device.Buffer target = pair.right.buffer(bytes);
            Device.Buffer back = pair.left.buffer(bytes);
            one.write(1, target, 0, sge(source));
            one.read(2, target, 0, sge(back));
            complete(pair, one, 2);
            same(source, back, bytes);
        }
    }

    /** The buffer holds less than a window: packets are lost, progress is not. */
    @Test
    void aSmallSocketBufferLosesNoMessage() {
        try (UdpPair pair = new UdpPair(
                UdpPair.plan().withBufferBytes(16 << 10),
                UdpPair.plan().withBufferBytes(16 << 10),
                UnaryOperator.identity())) {
            Endpoint.Options options = new Endpoint.Options();
            options.mtu = 5;
            options.timeout = 12;
            Endpoint one = pair.left.endpoint(options);
            Endpoint other = pair.right.endpoint(options);
            Endpoint.connect(one, other);
            int bytes = 4 << 20;
            Device.Buffer source = pair.left.buffer(bytes).fill(3);
            Device.Buffer target = pair.right.buffer(bytes);
            one.write(1, target, 0, sge(source));
            complete(pair, one, 1);
            same(source, target, bytes);
            assertThat(pair.rightLink.counters()).containsKey("dropped_receive_buffer_full");
        }
    }
}
