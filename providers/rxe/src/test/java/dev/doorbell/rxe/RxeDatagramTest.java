package dev.doorbell.rxe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.Rate;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.SharedReceiveQueueAttributes;
import dev.doorbell.verbs.spi.ProviderAddressHandle;
import dev.doorbell.verbs.spi.ProviderContext.QueuePairRequest;
import dev.doorbell.verbs.spi.ProviderQueuePair;
import dev.doorbell.verbs.spi.ProviderSharedReceiveQueue;
import dev.doorbell.verbs.spi.ReceiveQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Address handles and shared receive queues. */
class RxeDatagramTest {
    private static final long SRQ_KEY = 0x8000;
    private static final Gid PEER = new Gid(0xfe80000000000000L, 0x0102030405060708L);

    private final Fixtures fixtures = new Fixtures();
    private final FakeChannel channel = fixtures.channel;

    @Test
    void addressHandles() {
        channel.answer(
                UverbsCommand.CREATE_AH, Bytes.of(4).u32(0, 6), Bytes.of(8).u32(0, 0x1f));
        ProviderAddressHandle handle = fixtures.context.createAddressHandle(
                5, new AddressVector(PEER, 2, 0xabcde, 63, 0x20, 1, 3, 0x1234, true, 0x21, Rate.GBPS_10));
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(
                        UverbsCommand.CREATE_AH,
                        Bytes.of(56)
                                .u32(16, 5)
                                .be64(24, PEER.high())
                                .be64(32, PEER.low())
                                .u32(40, 0xabcde)
                                .u8(44, 2)
                                .u8(45, 63)
                                .u8(46, 0x20)
                                .u16(48, 0x1234)
                                .u8(50, 3)
                                .u8(51, 0x21)
                                .u8(52, Rate.GBPS_10.code())
                                .u8(53, 1)
                                .u8(54, 1),
                        4,
                        8));
        assertThat(handle.number()).isEqualTo(0x1f);
        channel.answer(UverbsCommand.DESTROY_AH, 0);
        handle.close();
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(
                        UverbsCommand.DESTROY_AH, Bytes.of(4).u32(0, 6), 0, 0));
    }

    @Test
    void aKernelThatNumbersNoHandlesIsNotSupported() {
        channel.answer(UverbsCommand.CREATE_AH, Bytes.of(4).u32(0, 6), Bytes.of(0));
        channel.answer(UverbsCommand.DESTROY_AH, 0);
        assertThatThrownBy(() -> fixtures.context.createAddressHandle(5, AddressVector.roce(PEER, 1, 0)))
                .isInstanceOf(VerbsFault.class)
                .hasMessage("CREATE_AH: EOPNOTSUPP");
        assertThat(channel.last().command()).isEqualTo(UverbsCommand.DESTROY_AH);
    }

    private FakeRing offerShared() {
        FakeRing ring = channel.ring(SRQ_KEY, 6, 8);
        channel.answer(
                UverbsCommand.CREATE_SRQ,
                Bytes.of(16).u32(0, 3).u32(4, 7).u32(8, 1),
                ring.info(Bytes.of(24), 0, SRQ_KEY).u32(16, 77));
        return ring;
    }

    @Test
    void sharedReceiveQueue() {
        FakeRing ring = offerShared();
        ProviderSharedReceiveQueue shared = fixtures.context.createSharedReceiveQueue(5, 6, 1, 2, 0x77);
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(
                        UverbsCommand.CREATE_SRQ,
                        Bytes.of(32)
                                .u64(8, 0x77)
                                .u32(16, 5)
                                .u32(20, 6)
                                .u32(24, 1)
                                .u32(28, 2),
                        16,
                        24));
        assertThat(shared.handle()).isEqualTo(3);
        assertThat(shared.receiveQueue().capacity()).isEqualTo(7);
        assertThat(shared.receiveQueue().maxSge()).isEqualTo(1);
        shared.receiveQueue().begin();
        assertThat(shared.receiveQueue().request(5)).isTrue();
        shared.receiveQueue().sge(0x1000, 9, 2);
        shared.receiveQueue().seal();
        shared.receiveQueue().commit();
        assertThat(ring.element(0))
                .isEqualTo(Bytes.of(64)
                        .u64(0, 5)
                        .u32(16, 9)
                        .u32(20, 9)
                        .u32(28, 1)
                        .u64(40, 0x1000)
                        .u32(48, 9)
                        .u32(52, 2));
        channel.answer(UverbsCommand.DESTROY_SRQ, 0);
        channel.log.clear();
        shared.close();
        assertThat(channel.log).containsExactly("DESTROY_SRQ", "unmap");
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(
                        UverbsCommand.DESTROY_SRQ, Bytes.of(16).u32(8, 3), 4, 0));
        assertThat(shared.receiveQueue().request(6)).isFalse();
    }

    @Test
    void theLimitOfASharedQueueIsModifiedAndRead() {
        offerShared();
        ProviderSharedReceiveQueue shared = fixtures.context.createSharedReceiveQueue(5, 6, 1, 2, 0x77);
        channel.answer(UverbsCommand.MODIFY_SRQ, 0);
        shared.arm(4);
        assertThat(channel.last().in())
                .isEqualTo(Bytes.of(16).u32(0, 3).u32(4, 2).u32(12, 4));
        channel.answer(UverbsCommand.QUERY_SRQ, Bytes.of(16).u32(0, 7).u32(4, 1).u32(8, 4), Bytes.of(0));
        assertThat(shared.query()).isEqualTo(new SharedReceiveQueueAttributes(7, 1, 4));
        assertThat(channel.last().in()).isEqualTo(Bytes.of(16).u32(8, 3));
        channel.answer(UverbsCommand.MODIFY_SRQ, Errno.EINVAL);
        assertThatThrownBy(() -> shared.arm(99)).isInstanceOf(VerbsFault.class).hasMessage("MODIFY_SRQ: EINVAL");
    }

    @Test
    void aResizedSharedQueueGoesOnInItsNewRing() {
        offerShared();
        ProviderSharedReceiveQueue shared = fixtures.context.createSharedReceiveQueue(5, 6, 1, 2, 0x77);
        ReceiveQueue queue = shared.receiveQueue();
        post(queue, 1);
        post(queue, 2);
        FakeRing larger = channel.ring(SRQ_KEY + 1, 6, 32);
        channel.answer(UverbsCommand.MODIFY_SRQ, (in, out, driver) -> {
            larger.info(Bytes.of(16), 0, SRQ_KEY + 1).copyTo(driver, 0);
            // As a kernel does: what waits comes first.
            larger.producer(2);
            return 0;
        });
        channel.log.clear();
        shared.resize(20);
        assertThat(channel.log).containsExactly("MODIFY_SRQ", "map " + (SRQ_KEY + 1), "unmap");
        assertThat(channel.last().in())
                .isEqualTo(Bytes.of(16).u32(0, 3).u32(4, 1).u32(8, 20));
        assertThat(shared.receiveQueue()).isSameAs(queue);
        assertThat(queue.capacity()).isEqualTo(31);
        assertThat(queue.outstanding()).isEqualTo(2);
        post(queue, 3);
        assertThat(larger.element(2)).isEqualTo(Bytes.of(64).u64(0, 3));
    }

    @Test
    void aSharedQueueWhoseNewRingCannotBeMappedIsLostUntilTheNextResize() {
        offerShared();
        ProviderSharedReceiveQueue shared = fixtures.context.createSharedReceiveQueue(5, 6, 1, 2, 0x77);
        ReceiveQueue queue = shared.receiveQueue();
        post(queue, 1);
        post(queue, 2);
        FakeRing larger = channel.ring(SRQ_KEY + 1, 6, 32);
        channel.answer(UverbsCommand.MODIFY_SRQ, (in, out, driver) -> {
            larger.info(Bytes.of(16), 0, SRQ_KEY + 2).copyTo(driver, 0);
            return 0;
        });
        assertLost(() -> shared.resize(20));
        queue.begin();
        assertLost(() -> queue.request(3));
        channel.log.clear();
        assertThatThrownBy(() -> shared.resize(1)).hasMessage("MODIFY_SRQ: EINVAL");
        assertThat(channel.log).as("it may still hold two").isEmpty();
        channel.answer(UverbsCommand.MODIFY_SRQ, (in, out, driver) -> {
            larger.info(Bytes.of(16), 0, SRQ_KEY + 1).copyTo(driver, 0);
            larger.producer(2);
            return 0;
        });
        shared.resize(20);
        assertThat(queue.outstanding()).isEqualTo(2);
        post(queue, 3);
        assertThat(larger.element(2)).isEqualTo(Bytes.of(64).u64(0, 3));
    }

    private static void assertLost(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsFault.class,
                        fault -> assertThat(fault.isLostRing()).isTrue());
    }

    @Test
    void aSharedQueueThatWouldNotHoldWhatWaitsIsRefusedWithoutTheKernel() {
        offerShared();
        ProviderSharedReceiveQueue shared = fixtures.context.createSharedReceiveQueue(5, 6, 1, 2, 0x77);
        post(shared.receiveQueue(), 1);
        post(shared.receiveQueue(), 2);
        channel.log.clear();

        assertThatThrownBy(() -> shared.resize(1))
                .isInstanceOf(VerbsFault.class)
                .hasMessage("MODIFY_SRQ: EINVAL");

        assertThat(channel.log).isEmpty();
    }

    private static void post(ReceiveQueue queue, long id) {
        queue.begin();
        assertThat(queue.request(id)).isTrue();
        queue.seal();
        queue.commit();
    }

    @Test
    void aQueuePairOnASharedQueueMapsNoReceiveRing() {
        offerShared();
        ProviderSharedReceiveQueue shared = fixtures.context.createSharedReceiveQueue(5, 6, 1, 2, 0x77);
        FakeRing send = fixtures.sendRing(8);
        channel.answer(
                UverbsCommand.CREATE_QP,
                Bytes.of(32).u32(0, Fixtures.QP_HANDLE).u32(8, 7).u32(12, 3).u32(16, 4),
                send.info(Bytes.of(32).u64(0, 0xbad).u32(8, 0xbad), 16, Fixtures.SQ_KEY));
        var queue = fixtures.completionQueue(8);
        ProviderQueuePair pair = fixtures.context.createQueuePair(new QueuePairRequest(
                5, QueuePairType.UD, queue, queue, shared, new QueuePairCapacity(7, 0, 4, 0, 0), false, 0));
        assertThat(channel.last().in())
                .isEqualTo(Bytes.of(56)
                        .u32(16, 5)
                        .u32(20, Fixtures.CQ_HANDLE)
                        .u32(24, Fixtures.CQ_HANDLE)
                        .u32(28, 3)
                        .u32(32, 7)
                        .u32(40, 4)
                        .u8(53, 4)
                        .u8(54, 1));
        assertThat(pair.capacity()).isEqualTo(new QueuePairCapacity(7, 0, 4, 0, 0));
        assertThatThrownBy(pair::receiveQueue)
                .isInstanceOfSatisfying(
                        VerbsFault.class, fault -> assertThat(fault.errno()).isEqualTo(Errno.EINVAL));
        channel.log.clear();
        pair.close();
        assertThat(channel.log).containsExactly("DESTROY_QP", "unmap");
    }
}
