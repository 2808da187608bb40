package dev.doorbell.rxe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.Rate;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.SendQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import org.junit.jupiter.api.Test;

/** The commands of a queue pair, byte for byte, and what they mean for its rings. */
class RxeQueuePairTest {
    private static final Gid PEER = new Gid(0xfe80000000000000L, 0x0102030405060708L);

    private final Fixtures fixtures = new Fixtures();
    private final FakeChannel channel = fixtures.channel;
    private final FakeRing send = fixtures.sendRing(8);
    private final FakeRing receive = fixtures.receiveRing(4);

    @Test
    void createSendsWhatWasAskedFor() {
        RxeQueuePair pair = fixtures.queuePair(send, receive);
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(
                        UverbsCommand.CREATE_QP,
                        Bytes.of(56)
                                .u64(8, 0xc00c1e)
                                .u32(16, 5)
                                .u32(20, Fixtures.CQ_HANDLE)
                                .u32(24, Fixtures.CQ_HANDLE)
                                .u32(32, 7)
                                .u32(36, 3)
                                .u32(40, 4)
                                .u32(44, 2)
                                .u32(48, 64)
                                .u8(52, 1)
                                .u8(53, 2),
                        32,
                        32));
        assertThat(pair.handle()).isEqualTo(Fixtures.QP_HANDLE);
        assertThat(pair.number()).isEqualTo(Fixtures.QP_NUMBER);
        assertThat(pair.capacity()).isEqualTo(new QueuePairCapacity(7, 3, 4, 2, 64));
    }

    @Test
    void capacityIsWhatTheRingsHoldWhereTheKernelOnlyRepeatsTheRequest() {
        channel.answer(
                UverbsCommand.CREATE_QP,
                Bytes.of(32).u32(8, 5).u32(12, 2).u32(16, 4).u32(20, 2).u32(24, 64),
                send.info(receive.info(Bytes.of(32), 0, Fixtures.RQ_KEY), 16, Fixtures.SQ_KEY));
        var pair = fixtures.context.createQueuePair(Fixtures.request(fixtures.completionQueue(8)));
        assertThat(pair.capacity()).isEqualTo(new QueuePairCapacity(7, 3, 4, 2, 64));
    }

    @Test
    void queuesOfNoElements() {
        FakeRing none = channel.ring(0x7000, 7, 1);
        channel.answer(
                UverbsCommand.CREATE_QP,
                Bytes.of(32).u32(8, 7).u32(16, 4).u32(24, 64),
                send.info(none.info(Bytes.of(32), 0, 0x7000), 16, Fixtures.SQ_KEY));
        var pair = fixtures.context.createQueuePair(Fixtures.request(fixtures.completionQueue(8)));
        assertThat(pair.capacity().maxReceiveRequests()).isZero();
        pair.receiveQueue().begin();
        assertThat(pair.receiveQueue().request(1)).isFalse();
    }

    @Test
    void aRefusedDoorbellLeavesNothingBehind() {
        fixtures.offerQueuePair(send, receive);
        var request = Fixtures.request(fixtures.completionQueue(8));
        channel.refuseDoorbells = true;
        channel.log.clear();
        assertThatThrownBy(() -> fixtures.context.createQueuePair(request))
                .isInstanceOf(VerbsFault.class)
                .hasMessage("CREATE_QP: EBADF");
        assertThat(channel.log).containsExactly("CREATE_QP", "DESTROY_QP");
    }

    @Test
    void modifyNamesWhatIsSetAndNothingElse() {
        RxeQueuePair pair = fixtures.queuePair(send, receive);
        channel.answer(UverbsCommand.MODIFY_QP, 0);
        pair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(0x102)
                .port(1)
                .access(7)
                .build());
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(
                        UverbsCommand.MODIFY_QP,
                        Bytes.of(112)
                                .u32(64, Fixtures.QP_HANDLE)
                                .u32(68, 1 | 1 << 3 | 1 << 4 | 1 << 5)
                                .u32(88, 7)
                                .u16(92, 0x102)
                                .u8(96, 1)
                                .u8(104, 1),
                        0,
                        0));
    }

    @Test
    void modifyCarriesEveryAttribute() {
        RxeQueuePair pair = fixtures.queuePair(send, receive);
        channel.answer(UverbsCommand.MODIFY_QP, 0);
        pair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTS)
                .currentState(QueuePairState.SQD)
                .sqdAsyncNotify(true)
                .qkey(0x11111111)
                .address(new AddressVector(PEER, 2, 0xabcde, 63, 0x20, 1, 3, 0x1234, true, 0x21, Rate.GBPS_10))
                .pathMtu(Mtu.MTU_4096)
                .timeout(14)
                .retryCount(6)
                .rnrRetry(7)
                .receivePsn(0x123456)
                .sendPsn(0x654321)
                .maxReadAtomic(16)
                .maxDestReadAtomic(8)
                .minRnrTimer(12)
                .destinationQueuePair(0xabcdef)
                .build());
        assertThat(channel.last().in())
                .isEqualTo(Bytes.of(112)
                        .be64(0, PEER.high())
                        .be64(8, PEER.low())
                        .u32(16, 0xabcde)
                        .u16(20, 0x1234)
                        .u8(24, 2)
                        .u8(25, 63)
                        .u8(26, 0x20)
                        .u8(27, 3)
                        .u8(28, 0x21)
                        .u8(29, Rate.GBPS_10.code())
                        .u8(30, 1)
                        .u8(31, 1)
                        .u32(64, Fixtures.QP_HANDLE)
                        .u32(68, 0b1_0011_1011_1111_1100_0111)
                        .u32(72, 0x11111111)
                        .u32(76, 0x123456)
                        .u32(80, 0x654321)
                        .u32(84, 0xabcdef)
                        .u8(96, 3)
                        .u8(97, 4)
                        .u8(98, 5)
                        .u8(100, 1)
                        .u8(101, 16)
                        .u8(102, 8)
                        .u8(103, 12)
                        .u8(105, 14)
                        .u8(106, 6)
                        .u8(107, 7));
    }

    @Test
    void theKernelsRefusalOfAModifyComesThrough() {
        RxeQueuePair pair = fixtures.queuePair(send, receive);
        channel.answer(UverbsCommand.MODIFY_QP, Errno.EINVAL);
        QueuePairAttributes toReady =
                QueuePairAttributes.builder().state(QueuePairState.RTS).build();
        assertThatThrownBy(() -> pair.modify(toReady))
                .isInstanceOf(VerbsFault.class)
                .hasMessage("MODIFY_QP: EINVAL");
    }

    private static void post(SendQueue queue, int count) {
        queue.begin();
        for (int i = 0; i < count; i++) {
            assertThat(queue.request(i, 2)).isTrue();
            queue.seal();
        }
        queue.commit();
    }

    /** One kernel lets the consumer catch up; another starts over at 0. Both leave an empty ring. */
    @Test
    void resetTakesTheIndicesAsTheKernelLeavesThem() {
        RxeQueuePair pair = fixtures.queuePair(send, receive);
        SendQueue queue = pair.sendQueue();
        QueuePairAttributes reset =
                QueuePairAttributes.builder().state(QueuePairState.RESET).build();

        post(queue, 5);
        channel.answer(UverbsCommand.MODIFY_QP, (in, out, driverOut) -> {
            send.consumer(send.producer());
            return 0;
        });
        pair.modify(reset);
        assertThat(queue.outstanding()).isZero();
        post(queue, 7);
        assertThat(send.producer()).isEqualTo(4);

        channel.answer(UverbsCommand.MODIFY_QP, (in, out, driverOut) -> {
            send.consumer(0);
            send.producer(0);
            receive.consumer(0);
            receive.producer(0);
            return 0;
        });
        pair.receiveQueue().begin();
        pair.receiveQueue().request(1);
        pair.receiveQueue().seal();
        pair.receiveQueue().commit();
        pair.modify(reset);
        assertThat(queue.outstanding()).isZero();
        assertThat(pair.receiveQueue().outstanding()).isZero();
        post(queue, 7);
        assertThat(send.producer()).isEqualTo(7);
    }

    @Test
    void otherStatesLeaveTheIndicesAlone() {
        RxeQueuePair pair = fixtures.queuePair(send, receive);
        channel.answer(UverbsCommand.MODIFY_QP, 0);
        post(pair.sendQueue(), 2);
        send.producer(0);
        pair.modify(QueuePairAttributes.builder().state(QueuePairState.ERROR).build());
        assertThat(pair.sendQueue().outstanding()).isEqualTo(2);
    }

    private static Bytes queried() {
        return Bytes.of(128)
                .be64(0, PEER.high())
                .be64(8, PEER.low())
                .u32(16, 0xabcde)
                .u16(20, 0x1234)
                .u8(24, 2)
                .u8(25, 63)
                .u8(26, 0x20)
                .u8(27, 3)
                .u8(28, 0x21)
                .u8(29, Rate.GBPS_10.code())
                .u8(30, 1)
                .u8(31, 1)
                .u32(64, 1)
                .u32(68, 2)
                .u32(72, 3)
                .u32(76, 4)
                .u32(80, 5)
                .u32(84, 0x11111111)
                .u32(88, 0x123456)
                .u32(92, 0x654321)
                .u32(96, 0xabcdef)
                .u32(100, 15)
                .u16(104, 0x102)
                .u8(108, 3)
                .u8(109, 4)
                .u8(110, 5)
                .u8(112, 1)
                .u8(113, 16)
                .u8(114, 8)
                .u8(115, 12)
                .u8(116, 1)
                .u8(117, 14)
                .u8(118, 6)
                .u8(119, 7);
    }

    @Test
    void queryReadsEveryAttribute() {
        RxeQueuePair pair = fixtures.queuePair(send, receive);
        channel.answer(UverbsCommand.QUERY_QP, queried(), Bytes.of(0));
        QueuePairAttributes attributes = pair.query();
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(
                        UverbsCommand.QUERY_QP,
                        Bytes.of(16).u32(8, Fixtures.QP_HANDLE).u32(12, 0x1fffff),
                        128,
                        0));
        assertThat(attributes.state()).isEqualTo(QueuePairState.RTS);
        assertThat(attributes.currentState()).isEqualTo(QueuePairState.SQD);
        assertThat(attributes.access()).isEqualTo(15);
        assertThat(attributes.pkeyIndex()).isEqualTo(0x102);
        assertThat(attributes.port()).isEqualTo(1);
        assertThat(attributes.qkey()).isEqualTo(0x11111111);
        assertThat(attributes.address())
                .isEqualTo(new AddressVector(PEER, 2, 0xabcde, 63, 0x20, 1, 3, 0x1234, true, 0x21, Rate.GBPS_10));
        assertThat(attributes.pathMtu()).isEqualTo(Mtu.MTU_4096);
        assertThat(attributes.timeout()).isEqualTo(14);
        assertThat(attributes.retryCount()).isEqualTo(6);
        assertThat(attributes.rnrRetry()).isEqualTo(7);
        assertThat(attributes.receivePsn()).isEqualTo(0x123456);
        assertThat(attributes.sendPsn()).isEqualTo(0x654321);
        assertThat(attributes.maxReadAtomic()).isEqualTo(16);
        assertThat(attributes.maxDestReadAtomic()).isEqualTo(8);
        assertThat(attributes.minRnrTimer()).isEqualTo(12);
        assertThat(attributes.destinationQueuePair()).isEqualTo(0xabcdef);
        assertThat(attributes.sqDraining()).isTrue();
    }

    @Test
    void aPathMtuThatIsNotSetYetIsLeftOut() {
        RxeQueuePair pair = fixtures.queuePair(send, receive);
        channel.answer(UverbsCommand.QUERY_QP, queried().u8(110, 0), Bytes.of(0));
        assertThat(pair.query().has(QueuePairAttribute.PATH_MTU)).isFalse();
    }

    @Test
    void nonsenseInAQueryIsRefused() {
        RxeQueuePair pair = fixtures.queuePair(send, receive);
        channel.answer(UverbsCommand.QUERY_QP, queried().u8(108, 9), Bytes.of(0));
        assertThatThrownBy(pair::query).isInstanceOf(VerbsFault.class).hasMessage("QUERY_QP: state 9: EIO");
        channel.answer(UverbsCommand.QUERY_QP, queried().u8(110, 6), Bytes.of(0));
        assertThatThrownBy(pair::query).isInstanceOf(VerbsFault.class).hasMessage("QUERY_QP: path MTU code 6: EIO");
    }

    @Test
    void multicast() {
        RxeQueuePair pair = fixtures.queuePair(send, receive);
        channel.answer(UverbsCommand.ATTACH_MCAST, 0).answer(UverbsCommand.DETACH_MCAST, 0);
        Bytes expected = Bytes.of(24)
                .be64(0, PEER.high())
                .be64(8, PEER.low())
                .u32(16, Fixtures.QP_HANDLE)
                .u16(20, 0xc001);
        pair.attachMulticast(PEER, 0xc001);
        assertThat(channel.last()).isEqualTo(new FakeChannel.Call(UverbsCommand.ATTACH_MCAST, expected, 0, 0));
        pair.detachMulticast(PEER, 0xc001);
        assertThat(channel.last()).isEqualTo(new FakeChannel.Call(UverbsCommand.DETACH_MCAST, expected, 0, 0));
    }

    @Test
    void closeDestroysThenUnmapsBothRings() {
        RxeQueuePair pair = fixtures.queuePair(send, receive);
        channel.log.clear();
        pair.close();
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(
                        UverbsCommand.DESTROY_QP, Bytes.of(16).u32(8, Fixtures.QP_HANDLE), 4, 0));
        assertThat(channel.log).containsExactly("DESTROY_QP", "unmap", "unmap");
        pair.close();
        assertThat(channel.log).hasSize(3);
    }

    @Test
    void aBusyPairStaysWhole() {
        RxeQueuePair pair = fixtures.queuePair(send, receive);
        channel.answer(UverbsCommand.DESTROY_QP, Errno.EBUSY);
        assertThatThrownBy(pair::close).isInstanceOf(VerbsFault.class).hasMessage("DESTROY_QP: EBUSY");
        post(pair.sendQueue(), 1);
        assertThat(send.producer()).isEqualTo(1);
    }
}
