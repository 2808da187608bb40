package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.doorbell.kernel.abi.GrhArea;
import dev.doorbell.soft.link.UdpPlan.Carrier;
import dev.doorbell.spec.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages without acknowledgement through sockets of this machine; the receiver has never sent anything. */
@Timeout(60)
class UdpFirstWordTest {
    private static final int[] SIZES = {0, 1, 3, 256, 1025, 4096};

    private static UdpPair pair(Carrier carrier) {
        return new UdpPair(UdpPair.plan().with(carrier), UdpPair.plan().with(carrier), UnaryOperator.identity());
    }

    private static Endpoint endpoint(Device device, QueuePairType type) {
        return device.endpoint(Endpoint.Options.of(type));
    }

    private static List<Endpoint.Done> received(UdpPair pair, Endpoint endpoint) {
        List<Endpoint.Done> done = new ArrayList<>();
        pair.until(() -> {
            done.addAll(endpoint.received());
            return !done.isEmpty();
        });
        return done;
    }

    @ParameterizedTest
    @EnumSource(Carrier.class)
    void datagramsOfEverySizeArriveWithTheirHeader(Carrier carrier) {
        try (UdpPair pair = pair(carrier)) {
            Endpoint one = endpoint(pair.left, QueuePairType.UD).open();
            Endpoint other = endpoint(pair.right, QueuePairType.UD);
            assertThat(other.init() + other.readyToReceive(one)).isZero();
            HcaAddressHandle handle = one.address(pair.right.gid);
            for (int size : SIZES) {
                Device.Buffer source = pair.left.buffer(size).fill(size);
                Device.Buffer inbox = pair.right.buffer(size + (long) GrhArea.SIZE);
                other.receive(1, sge(inbox));
                one.datagram(1, handle, other.queuePair.number(), other.options.qkey, sge(source, 0, size));
                assertThat(received(pair, other))
                        .as(pair::toString)
                        .extracting(Endpoint.Done::bytes, Endpoint.Done::source)
                        .containsExactly(tuple(size + (long) GrhArea.SIZE, one.queuePair.number()));
                assertThat(MemorySegment.mismatch(
                                source.memory(), 0, size, inbox.memory(), GrhArea.SIZE, size + (long) GrhArea.SIZE))
                        .isEqualTo(-1);
                assertThat(GrhArea.isIpv4(inbox.memory(), 0)).isTrue();
                assertThat(GrhArea.source(inbox.memory(), 0, true)).isEqualTo(pair.left.gid);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Carrier.class)
    void messagesOfAnUnreliableConnectionArrive(Carrier carrier) {
        try (UdpPair pair = pair(carrier)) {
            Endpoint one = endpoint(pair.left, QueuePairType.UC);
            Endpoint other = endpoint(pair.right, QueuePairType.UC);
            assertThat(one.init() + one.readyToReceive(other) + one.readyToSend())
                    .isZero();
            assertThat(other.init() + other.readyToReceive(one)).isZero();
            for (int size : SIZES) {
                Device.Buffer source = pair.left.buffer(10L * size).fill(size);
                Device.Buffer inbox = pair.right.buffer(10L * size);
                other.receive(1, sge(inbox, 0, 10L * size));
                one.send(1, sge(source, 0, 10L * size));
                assertThat(received(pair, other))
                        .as(pair::toString)
                        .extracting(Endpoint.Done::bytes)
                        .containsExactly(10L * size);
                assertThat(MemorySegment.mismatch(source.memory(), 0, 10L * size, inbox.memory(), 0, 10L * size))
                        .isEqualTo(-1);
            }
        }
    }
}
