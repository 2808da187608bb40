package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.abi.GrhArea;
import dev.doorbell.soft.link.IpFields;
import dev.doorbell.soft.link.UdpPlan;
import dev.doorbell.soft.link.UdpPlan.Carrier;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.spec.WorkRequestOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Datagrams and unreliable connections through sockets of this machine. */
@Timeout(60)
class UdpDatagramTest {
    private static final int QKEY = new Endpoint.Options().qkey;
    private static final int ROOM = 4096 + GrhArea.SIZE;

    private static UdpPair pair(Carrier carrier) {
        UdpPlan left = UdpPair.plan().with(carrier);
        UdpPlan right = UdpPair.plan().with(carrier);
        return new UdpPair(left, right, UnaryOperator.identity());
    }

    private static Endpoint endpoint(Device device) {
        return device.endpoint(Endpoint.Options.of(QueuePairType.UD)).open();
    }

    @ParameterizedTest
    @EnumSource(Carrier.class)
    void datagramsOfOneSubmitShareASend(Carrier carrier) {
        try (UdpPair pair = pair(carrier)) {
            Endpoint one = endpoint(pair.left);
            Endpoint other = endpoint(pair.right);
            HcaAddressHandle to = one.address(pair.right.gid);
            Device.Buffer source = pair.left.buffer(1000).fill(7);
            for (int index = 0; index < 30; index++) {
                other.receive(index, sge(pair.right.buffer(ROOM)));
                one.prepareDatagram(index, WorkRequestOpcode.SEND, to, other.queuePair.number(), QKEY, sge(source));
                one.sends.publish();
            }
            one.queuePair.ring();
            List<Endpoint.Done> received = new ArrayList<>();
            pair.until(() -> received.addAll(other.received()) && received.size() == 30);
            assertThat(received).extracting(Endpoint.Done::bytes).containsOnly(1000L + GrhArea.SIZE);
            assertThat(one.sent()).hasSize(30);
            assertThat(pair.leftLink.counters()).containsEntry("link_sends", carrier == Carrier.PORTABLE ? 30L : 1L);
        }
    }

    @ParameterizedTest
    @EnumSource(Carrier.class)
    void groupsAreReceivedOnceByEachMember(Carrier carrier) {
        Gid group = Gid.ofIpv4(0xefff_0000 | (int) ProcessHandle.current().pid() & 0xffff);
        try (UdpPair pair = pair(carrier)) {
            Endpoint one = endpoint(pair.left);
            Endpoint other = endpoint(pair.right);
            assertThat(one.queuePair.attach(group)).isZero();
            assertThat(other.queuePair.attach(group)).isZero();
            Device.Buffer source = pair.left.buffer(100).fill(7);
            for (int round = 0; round < 10; round++) {
                one.receive(round, sge(pair.left.buffer(ROOM)));
                other.receive(round, sge(pair.right.buffer(ROOM)));
                one.datagram(round, one.address(group), 0xff_ffff, QKEY, sge(source));
            }
            List<Endpoint.Done> there = new ArrayList<>();
            pair.until(() -> there.addAll(other.received()) && there.size() == 10);
            assertThat(there).extracting(Endpoint.Done::status).containsOnly(WorkCompletionStatus.SUCCESS);
            assertThat(one.received())
                    .as("its own, by copy, and no second time")
                    .hasSize(10);

            assertThat(other.queuePair.detach(group)).isZero();
            other.receive(11, sge(pair.right.buffer(ROOM)));
            one.datagram(11, one.address(group), 0xff_ffff, QKEY, sge(source));
            one.datagram(12, one.address(pair.right.gid), other.queuePair.number(), QKEY, sge(source));
            pair.until(() -> there.addAll(other.received()));
            assertThat(there).hasSize(11);
        }
    }

    @ParameterizedTest
    @EnumSource(Carrier.class)
    void unreliableConnectionsCarry(Carrier carrier) {
        try (UdpPair pair = pair(carrier)) {
            Endpoint one = pair.left.endpoint(Endpoint.Options.of(QueuePairType.UC));
            Endpoint other = pair.right.endpoint(Endpoint.Options.of(QueuePairType.UC));
            Endpoint.connect(one, other);
            Device.Buffer source = pair.left.buffer(20_000).fill(3);
            Device.Buffer target = pair.right.buffer(20_000);
            other.receive(5, sge(target));
            one.send(4, sge(source));
            List<Endpoint.Done> received = new ArrayList<>();
            pair.until(() -> received.addAll(other.received()));
            assertThat(received).extracting(Endpoint.Done::bytes).containsExactly(20_000L);
            assertThat(source.memory().mismatch(target.memory())).isEqualTo(-1);
        }
    }

    /** Each message of a send has the same header, so other fields begin another send. */
    @Test
    void theHeaderSaysWhatTheAddressAskedFor() {
        try (UdpPair pair = pair(Carrier.LINUX)) {
            Endpoint one = endpoint(pair.left);
            Endpoint other = endpoint(pair.right);
            Device.Buffer source = pair.left.buffer(100).fill(7);
            Device.Buffer inbox = pair.right.buffer(6 * ROOM);
            for (int index = 0; index < 6; index++) {
                long fields = IpFields.toSend(index / 2 * 4, 0, 10 + index / 2, false);
                HcaAddressHandle to = Objects.requireNonNull(
                        pair.left.hca.createAddressHandle(pair.left.domain, 0, pair.right.gid, fields));
                other.receive(index, sge(inbox, (long) index * ROOM, ROOM));
                one.prepareDatagram(index, WorkRequestOpcode.SEND, to, other.queuePair.number(), QKEY, sge(source));
                one.sends.publish();
            }
            one.queuePair.ring();
            List<Endpoint.Done> received = new ArrayList<>();
            pair.until(() -> received.addAll(other.received()) && received.size() == 6);
            for (int index = 0; index < 6; index++) {
                long at = (long) index * ROOM;
                assertThat(GrhArea.trafficClass(inbox.memory(), at, true)).isEqualTo(index / 2 * 4);
                assertThat(GrhArea.hopLimit(inbox.memory(), at, true)).isEqualTo(10 + index / 2);
            }
            assertThat(pair.leftLink.counters()).containsEntry("link_sends", 3L);
        }
    }
}
