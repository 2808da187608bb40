package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.doorbell.kernel.abi.GrhArea;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.memory.Be;
import dev.doorbell.soft.link.InMemoryNetwork;
import dev.doorbell.soft.link.IpFields;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Opcode;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkCompletionFlag;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.wire.Bth;
import dev.doorbell.wire.PacketView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams: whom they reach, what stands in front of them, and what is dropped (rules 3.13 and 3.14). */
@Timeout(60)
class DatagramTest {
    private static final int QKEY = new Endpoint.Options().qkey;
    private static final int ROOM = 4096 + GrhArea.SIZE;
    private static final Gid GROUP = Gid.ofIpv4(0xef01_0203);

    private final AtomicLong clock = new AtomicLong();
    private final InMemoryNetwork network = new InMemoryNetwork();
    private final Device left = device(1);
    private final Device right = device(2);
    private final Device third = device(3);
    private final Endpoint one = endpoint(left);
    private final Endpoint same = endpoint(left);
    private final Endpoint other = endpoint(right);

    private Device device(int number) {
        return new Device(number, clock, network.join(List.of(Device.gid(number))));
    }

    private static Endpoint endpoint(Device device) {
        return device.endpoint(Endpoint.Options.of(QueuePairType.UD)).open();
    }

    private void settle() {
        while (left.hca.doWork(clock.get()) || right.hca.doWork(clock.get()) || third.hca.doWork(clock.get())) {}
    }

    private static void send(Endpoint from, Endpoint to, int qkey, Endpoint.Sge data) {
        from.datagram(1, from.address(to.device.gid), to.queuePair.number(), qkey, data);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 255, 256, 1025, 4095, 4096})
    void datagramsArriveBehindTheirHeader(int bytes) {
        for (Endpoint to : List.of(other, same, one)) {
            Device.Buffer source = left.buffer(4096).fill(bytes);
            Device.Buffer inbox = to.device.buffer(ROOM);
            to.receive(7, sge(inbox, 0, 30), sge(inbox, 30, ROOM - 30));
            send(one, to, QKEY, sge(source, 0, bytes));
            settle();
            assertThat(one.sent())
                    .extracting(Endpoint.Done::status, Endpoint.Done::opcode)
                    .containsExactly(tuple(WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.SEND));
            assertThat(to.received())
                    .containsExactly(new Endpoint.Done(
                            7,
                            WorkCompletionStatus.SUCCESS,
                            WorkCompletionOpcode.RECV,
                            GrhArea.SIZE + (long) bytes,
                            WorkCompletionFlag.GRH.bit(),
                            0,
                            one.queuePair.number()));
            assertThat(MemorySegment.mismatch(
                            source.memory(), 0, bytes, inbox.memory(), GrhArea.SIZE, GrhArea.SIZE + (long) bytes))
                    .isEqualTo(-1);
            header(inbox.memory(), bytes, to.device.gid);
        }
    }

    private static void header(MemorySegment inbox, int bytes, Gid destination) {
        assertThat(GrhArea.isIpv4(inbox, 0)).isTrue();
        assertThat(GrhArea.isChecksumRight(inbox, 0)).isTrue();
        assertThat(GrhArea.isIpv6(inbox, 0)).isFalse();
        assertThat(inbox.asSlice(0, 20).mismatch(MemorySegment.ofArray(new byte[20])))
                .isEqualTo(-1);
        assertThat(GrhArea.source(inbox, 0, true)).isEqualTo(Device.gid(1));
        assertThat(GrhArea.destination(inbox, 0, true)).isEqualTo(destination);
        int padded = bytes + 3 & ~3;
        assertThat(Be.getUnsignedShort(inbox, 22)).as("total length").isEqualTo(20 + 8 + 12 + 8 + padded + 4);
        assertThat(Be.getUnsignedByte(inbox, 29)).as("protocol").isEqualTo(17);
        Be.setByte(inbox, 33, Be.getUnsignedByte(inbox, 33) ^ 1);
        assertThat(GrhArea.isChecksumRight(inbox, 0)).as("of a changed header").isFalse();
        assertThat(GrhArea.isIpv4(inbox, 0)).as("as Soft-RoCE leaves it").isTrue();
        Be.setByte(inbox, 0, 0x60);
        assertThat(GrhArea.isIpv4(inbox, 0))
                .as("with the version of another before it")
                .isFalse();
    }

    @Test
    void theHeaderOfIpv6IsAWholeOne() {
        Gid from = new Gid(0xfd00_0000_0000_0001L, 5);
        Gid to = new Gid(0xfd00_0000_0000_0001L, 6);
        Hca sending = hca(from);
        Hca receiving = hca(to);
        Device.Buffer inbox = right.buffer(ROOM);
        MemorySegment memory = inbox.memory();
        InboundDatagram datagram = new InboundDatagram(receiving.regions());
        datagram.payloadBytes = 10;
        datagram.hasImmediate = true;
        datagram.address(from, to, IpFields.USUAL);
        MemorySegment.copy(datagram.header, 0, memory, 0, GrhArea.SIZE);
        assertThat(GrhArea.isIpv6(memory, 0)).isTrue();
        assertThat(GrhArea.isIpv4(memory, 0)).isFalse();
        assertThat(GrhArea.source(memory, 0, false)).isEqualTo(from);
        assertThat(GrhArea.destination(memory, 0, false)).isEqualTo(to);
        assertThat(GrhArea.hopLimit(memory, 0, false)).isEqualTo(64);
        assertThat(Be.getUnsignedShort(memory, 4)).as("bytes behind it").isEqualTo(8 + 12 + 8 + 4 + 12 + 4);
        sending.close();
        receiving.close();
    }

    private Hca hca(Gid address) {
        return new Hca(
                HcaLimits.DEFAULT,
                clock::get,
                new SplittableRandom(1),
                network.join(List.of(address)),
                List.of(address),
                left);
    }

    @Test
    void immediateSolicitedAndInlineTravel() {
        for (Endpoint to : List.of(other, same)) {
            to.receive(1, sge(to.device.buffer(ROOM)));
            to.receiveQueue.arm(true);
            long at = one.prepareDatagram(
                    1, WorkRequestOpcode.SEND_WITH_IMM, one.address(to.device.gid), to.queuePair.number(), QKEY);
            RxeSendWqe.setImmData(one.sends.memory(), at, 0x0a0b_0c0d);
            RxeSendWqe.setSendFlags(
                    one.sends.memory(), at, SendFlag.INLINE.bit() | SendFlag.SOLICITED.bit() | Endpoint.SIGNALED);
            RxeSendWqe.setDmaLength(one.sends.memory(), at, 5);
            one.submit();
            settle();
            assertThat(to.received())
                    .extracting(Endpoint.Done::bytes, Endpoint.Done::hasImmediate, Endpoint.Done::immediate)
                    .containsExactly(tuple(45L, true, 0x0a0b_0c0d));
            assertThat(to.completionEvents).isEqualTo(1);
        }
    }

    @Test
    void aWrongQkeyIsDropped() {
        for (Endpoint to : List.of(other, same)) {
            to.receive(1, sge(to.device.buffer(ROOM)));
            send(one, to, QKEY + 1, sge(left.buffer(8)));
            settle();
            assertThat(to.received()).isEmpty();
            assertThat(to.device.hca.counters()).containsEntry("dropped_qkey_mismatch", 1L);
            assertThat(one.sent()).extracting(Endpoint.Done::status).containsExactly(WorkCompletionStatus.SUCCESS);
        }
    }

    @Test
    void aPrivilegedQkeyStandsForTheSendersOwn() {
        for (Endpoint to : List.of(other, same)) {
            to.receive(1, sge(to.device.buffer(ROOM)));
            send(one, to, 0x8000_0000, sge(left.buffer(8)));
            settle();
            assertThat(to.received()).hasSize(1);
        }
    }

    @Test
    void withoutAReceiveOrRoomInItADatagramIsDroppedAndTheReceiveStays() {
        for (Endpoint to : List.of(other, same)) {
            send(one, to, QKEY, sge(left.buffer(8)));
            settle();
            to.receive(1, sge(to.device.buffer(60)));
            send(one, to, QKEY, sge(left.buffer(21)));
            settle();
            assertThat(to.received()).isEmpty();
            send(one, to, QKEY, sge(left.buffer(20)));
            settle();
            assertThat(to.received()).extracting(Endpoint.Done::bytes).containsExactly(60L);
            assertThat(to.device.hca.counters())
                    .containsEntry("dropped_no_receive", 1L)
                    .containsEntry("dropped_request", 1L);
            assertThat(one.sent()).extracting(Endpoint.Done::status).containsOnly(WorkCompletionStatus.SUCCESS);
        }
    }

    @Test
    void unknownQueuePairsAndOtherServicesGetNothing() {
        Endpoint reliable = left.endpoint();
        Endpoint.connect(reliable, reliable);
        reliable.receive(1, sge(left.buffer(ROOM)));
        one.datagram(1, one.address(left.gid), 0x777777, QKEY, sge(left.buffer(8)));
        send(one, reliable, QKEY, sge(left.buffer(8)));
        assertThat(reliable.received()).isEmpty();
        assertThat(one.sent()).extracting(Endpoint.Done::status).containsOnly(WorkCompletionStatus.SUCCESS);
    }

    @Test
    void whatIsLongerThanThePortsMtuIsNotSentAndNothingIsSaid() {
        other.receive(1, sge(right.buffer(2L * ROOM)));
        send(one, other, QKEY, sge(left.buffer(4097)));
        settle();
        assertThat(one.sent()).extracting(Endpoint.Done::status).containsExactly(WorkCompletionStatus.SUCCESS);
        assertThat(other.received()).isEmpty();
        assertThat(left.hca.counters()).containsEntry("sent_pkts", 0L);
    }

    @Test
    void anAddressHandleThatIsGoneOrForeignFails() {
        HcaAddressHandle gone = one.address(right.gid);
        gone.destroy();
        gone.destroy();
        one.datagram(1, gone, 5, QKEY, sge(left.buffer(8)));
        assertThat(one.sent()).extracting(Endpoint.Done::status).containsExactly(WorkCompletionStatus.LOC_QP_OP_ERR);
        HcaAddressHandle foreign =
                Objects.requireNonNull(left.hca.createAddressHandle(new HcaProtectionDomain(), 0, right.gid));
        same.datagram(1, foreign, 5, QKEY, sge(left.buffer(8)));
        assertThat(same.sent()).extracting(Endpoint.Done::status).containsExactly(WorkCompletionStatus.LOC_QP_OP_ERR);
    }

    @Test
    void onlySendsAreDatagrams() {
        for (WorkRequestOpcode opcode : List.of(
                WorkRequestOpcode.RDMA_WRITE,
                WorkRequestOpcode.RDMA_READ,
                WorkRequestOpcode.ATOMIC_FETCH_AND_ADD,
                WorkRequestOpcode.SEND_WITH_INV)) {
            Endpoint from = endpoint(left);
            from.prepareDatagram(1, opcode, from.address(right.gid), 5, QKEY, sge(left.buffer(8)));
            from.submit();
            assertThat(from.sent())
                    .extracting(Endpoint.Done::status)
                    .containsExactly(WorkCompletionStatus.LOC_QP_OP_ERR);
            assertThat(from.queuePair.state()).isEqualTo(QueuePairState.SQE);
        }
    }

    @Test
    void memoryThatMayNotBeTouchedBreaksItsOwnerAlone() {
        for (Endpoint to : List.of(other, same)) {
            to.receive(1, new Endpoint.Sge(64, 100, 5));
            to.receive(2, sge(to.device.buffer(ROOM)));
            to.sends.publish();
            send(one, to, QKEY, sge(left.buffer(8)));
            settle();
            assertThat(to.received())
                    .extracting(Endpoint.Done::status)
                    .containsExactly(WorkCompletionStatus.LOC_PROT_ERR, WorkCompletionStatus.WR_FLUSH_ERR);
            assertThat(to.sent())
                    .as("the send queue too")
                    .extracting(Endpoint.Done::status)
                    .containsExactly(WorkCompletionStatus.WR_FLUSH_ERR);
            assertThat(to.queuePair.state()).isEqualTo(QueuePairState.ERROR);
            assertThat(one.queuePair.state()).isEqualTo(QueuePairState.RTS);
        }
        send(one, other, QKEY, new Endpoint.Sge(64, 64, 99));
        send(endpoint(left), same, QKEY, new Endpoint.Sge(64, 64, 99));
        assertThat(one.sent().getLast().status()).isEqualTo(WorkCompletionStatus.LOC_PROT_ERR);
    }

    @Test
    void packetsAreBitExact() {
        Puppet puppet = new Puppet(Endpoint.Options.of(QueuePairType.UD));
        Endpoint from = puppet.endpoint;
        Device.Buffer data = puppet.device.buffer(3).fill(1);
        from.datagram(1, from.address(Device.gid(2)), 0x4d, 0xcafe, sge(data));
        from.datagram(2, from.address(Device.gid(2)), 0x4d, 0x8000_0001, sge(data, 0, 0));
        from.datagram(3, from.address(Device.gid(9)), 0x4d, 1, sge(data));
        List<PacketView> packets = puppet.work();
        assertThat(packets).hasSize(2);
        assertThat(packets.getFirst())
                .hasToString("UD SEND ONLY qp=0x4d psn=0003e8 pad=1 | DETH qkey=0x0000cafe from=0x%x | 3 bytes"
                        .formatted(from.queuePair.number()));
        assertThat(packets.getFirst().ackRequested()).isFalse();
        assertThat(packets.getLast().qkey()).as("the queue pair's own").isEqualTo(QKEY);
        assertThat(packets.getLast().psn()).isEqualTo(1001);
        MemorySegment bytes = packets.getFirst().segment();
        assertThat(bytes.byteSize()).isEqualTo(12 + 8 + 4);
        assertThat(Be.getUnsignedByte(bytes, 23)).as("pad").isZero();
        assertThat(Be.getUnsignedByte(bytes, 16)).as("reserved").isZero();
    }

    @Test
    void aPacketFromAnywhereIsTakenWhateverItsNumber() {
        Puppet puppet = new Puppet(Endpoint.Options.of(QueuePairType.UD));
        Device.Buffer inbox = puppet.device.buffer(ROOM);
        for (int psn : new int[] {5, 900, 5}) {
            puppet.endpoint.receive(psn, sge(inbox));
            assertThat(puppet.packet(Opcode.UD_SEND_ONLY_IMM, psn, 12)
                            .datagram(QKEY, 0xabc)
                            .fill(1)
                            .send())
                    .isEmpty();
        }
        assertThat(puppet.endpoint.received())
                .extracting(Endpoint.Done::id, Endpoint.Done::bytes, Endpoint.Done::source)
                .containsExactly(tuple(5L, 52L, 0xabc), tuple(900L, 52L, 0xabc), tuple(5L, 52L, 0xabc));
    }

    @Test
    void groupsReachEveryMemberOfEveryDeviceAndTheSenderToo() {
        Endpoint far = endpoint(third);
        List<Endpoint> members = new ArrayList<>(List.of(one, same, other, far));
        for (Endpoint member : members) {
            assertThat(member.queuePair.attach(GROUP)).isZero();
            assertThat(member.queuePair.attach(GROUP)).as("twice").isZero();
        }
        Endpoint outside = endpoint(right);
        members.add(outside);
        Device.Buffer source = left.buffer(100).fill(3);
        for (Endpoint member : members) {
            member.receive(1, sge(member.device.buffer(ROOM)));
        }
        one.datagram(9, one.address(GROUP), Bth.MULTICAST_QP, QKEY, sge(source));
        settle();
        assertThat(outside.received()).isEmpty();
        for (Endpoint member : members.subList(0, 4)) {
            assertThat(member.received())
                    .extracting(Endpoint.Done::bytes, Endpoint.Done::source)
                    .containsExactly(tuple(140L, one.queuePair.number()));
        }
        assertThat(one.sent()).extracting(Endpoint.Done::id).containsExactly(9L);
        assertThat(left.hca.counters()).containsEntry("sent_pkts", 1L);
    }

    @Test
    void whoHasLeftAGroupGetsNothingAndTheLinkForgetsIt() {
        assertThat(other.queuePair.attach(GROUP)).isZero();
        assertThat(other.queuePair.detach(GROUP)).isZero();
        assertThat(other.queuePair.detach(GROUP)).isEqualTo(dev.doorbell.kernel.Errno.EINVAL);
        other.receive(1, sge(right.buffer(ROOM)));
        one.datagram(1, one.address(GROUP), Bth.MULTICAST_QP, QKEY, sge(left.buffer(8)));
        settle();
        assertThat(other.received()).isEmpty();
        assertThat(right.hca.counters()).containsEntry("rcvd_pkts", 0L).containsEntry("dropped_unknown_qp", 0L);
        assertThat(other.queuePair.attach(GROUP)).isZero();
        other.queuePair.destroy();
        one.datagram(2, one.address(GROUP), Bth.MULTICAST_QP, QKEY, sge(left.buffer(8)));
        settle();
        assertThat(right.hca.counters()).containsEntry("dropped_unknown_qp", 0L);
    }

    @Test
    void aSharedReceiveThatIsTooShortFailsAndNothingElseDoes() {
        for (Device device : List.of(left, right)) {
            SharedQueue shared = new SharedQueue(device, 16);
            Endpoint to = shared.endpoint(Endpoint.Options.of(QueuePairType.UD)).open();
            shared.post(1, sge(device.buffer(47)));
            shared.post(2, sge(device.buffer(48)));
            send(one, to, QKEY + 1, sge(left.buffer(8)));
            send(one, to, QKEY, sge(left.buffer(8)));
            send(one, to, QKEY, sge(left.buffer(8)));
            settle();
            assertThat(to.received())
                    .extracting(Endpoint.Done::id, Endpoint.Done::status)
                    .containsExactly(
                            tuple(1L, WorkCompletionStatus.REM_INV_REQ_ERR), tuple(2L, WorkCompletionStatus.SUCCESS));
            assertThat(to.queuePair.state()).isEqualTo(QueuePairState.RTS);
        }
    }

    @Test
    void groupsHaveLimitsAndRules() {
        assertThat(left.endpoint().queuePair.attach(GROUP)).as("RC").isEqualTo(dev.doorbell.kernel.Errno.EINVAL);
        assertThat(one.queuePair.attach(Device.gid(5))).as("no group").isEqualTo(dev.doorbell.kernel.Errno.EINVAL);
        for (int member = 0; member < HcaLimits.DEFAULT.maxMulticastMembers(); member++) {
            assertThat(endpoint(left).queuePair.attach(GROUP)).isZero();
        }
        assertThat(one.queuePair.attach(GROUP)).isEqualTo(dev.doorbell.kernel.Errno.ENOMEM);
        for (int group = 0; group < HcaLimits.DEFAULT.maxMulticastGroups(); group++) {
            assertThat(other.queuePair.attach(Gid.ofIpv4(0xe100_0000 + group))).isZero();
        }
        assertThat(other.queuePair.attach(GROUP)).isEqualTo(dev.doorbell.kernel.Errno.ENOMEM);
    }

    @Test
    void severalMembersMayBreakAtOnceAndAllSettle() {
        List<Endpoint> members = List.of(endpoint(left), endpoint(left), endpoint(left));
        for (Endpoint member : members) {
            assertThat(member.queuePair.attach(GROUP)).isZero();
            member.receive(1, new Endpoint.Sge(64, 100, 5));
            member.sends.publish();
        }
        one.datagram(1, one.address(GROUP), Bth.MULTICAST_QP, QKEY, sge(left.buffer(8)));
        for (Endpoint member : members) {
            assertThat(member.received())
                    .extracting(Endpoint.Done::status)
                    .containsExactly(WorkCompletionStatus.LOC_PROT_ERR);
            assertThat(member.sent())
                    .extracting(Endpoint.Done::status)
                    .containsExactly(WorkCompletionStatus.WR_FLUSH_ERR);
        }
        assertThat(one.sent()).extracting(Endpoint.Done::status).containsExactly(WorkCompletionStatus.SUCCESS);
    }

    /** On both ways, by copy and by packet. */
    @Test
    void theHeaderSaysWhatTheAddressAskedFor() {
        for (Endpoint to : List.of(same, other)) {
            long fields = IpFields.toSend(0xb8, 0, 33, false);
            HcaAddressHandle handle =
                    Objects.requireNonNull(left.hca.createAddressHandle(left.domain, 0, to.device.gid, fields));
            Device.Buffer inbox = to.device.buffer(ROOM);
            to.receive(1, sge(inbox));
            one.datagram(1, handle, to.queuePair.number(), QKEY, sge(left.buffer(8)));
            settle();
            assertThat(to.received()).hasSize(1);
            assertThat(GrhArea.trafficClass(inbox.memory(), 0, true)).isEqualTo(0xb8);
            assertThat(GrhArea.hopLimit(inbox.memory(), 0, true)).isEqualTo(33);
            assertThat(GrhArea.isChecksumRight(inbox.memory(), 0)).isTrue();
            one.datagram(2, one.address(to.device.gid), to.queuePair.number(), QKEY, sge(left.buffer(8)));
            to.receive(2, sge(inbox));
            one.datagram(3, one.address(to.device.gid), to.queuePair.number(), QKEY, sge(left.buffer(8)));
            settle();
            assertThat(GrhArea.trafficClass(inbox.memory(), 0, true)).isZero();
            assertThat(GrhArea.hopLimit(inbox.memory(), 0, true)).isEqualTo(64);
        }
    }
}
