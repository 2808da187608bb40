package dev.doorbell.rxe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.RxeCqe;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.WorkCompletionFlag;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The cursor over a completion ring, and the queue's commands. */
class RxeCompletionQueueTest {
    private static final long NEW_KEY = 0x9000;

    private final Fixtures fixtures = new Fixtures();
    private final FakeChannel channel = fixtures.channel;

    private static Bytes completion(long id) {
        return Bytes.of(64).u64(0, id);
    }

    @Test
    void createSendsWhatWasAskedForAndMapsWhatWasGranted() {
        FakeRing ring = fixtures.offerCompletionRing(128);
        ProviderCompletionQueue queue = fixtures.context.createCompletionQueue(100, 1, -1, 0x1122334455667788L);
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(
                        UverbsCommand.CREATE_CQ,
                        Bytes.of(32)
                                .u64(8, 0x1122334455667788L)
                                .u32(16, 100)
                                .u32(20, 1)
                                .u32(24, -1),
                        8,
                        16));
        assertThat(queue.handle()).isEqualTo(Fixtures.CQ_HANDLE);
        assertThat(queue.capacity()).isEqualTo(127);
        assertThat(ring.consumer()).isZero();
    }

    @Test
    void everyFieldOfACompletion() {
        FakeRing ring = fixtures.offerCompletionRing(4);
        ProviderCompletionQueue queue = fixtures.context.createCompletionQueue(3, 0, 12, 0);
        ring.put(Bytes.of(64)
                .u64(0, 0x1122334455667788L)
                .u32(8, 12)
                .u32(12, 128)
                .u32(16, 77)
                .u32(20, (int) 0x8000_0010L)
                .be32(24, 0x01020304)
                .u32(28, 0x11)
                .u32(32, 0x22)
                .u32(36, 3)
                .u16(40, 0xfff1)
                .u16(42, 0xfff2)
                .u8(44, 0xf3)
                .u8(45, 0xf4)
                .u8(46, 1));
        assertThat(queue.next()).isTrue();
        assertThat(queue.id()).isEqualTo(0x1122334455667788L);
        assertThat(queue.status()).isEqualTo(12);
        assertThat(queue.opcode()).isEqualTo(128);
        assertThat(queue.vendorError()).isEqualTo(77);
        assertThat(queue.byteLength()).as("more than 2 GiB").isEqualTo(0x8000_0010L);
        assertThat(queue.immediate()).isEqualTo(0x01020304);
        assertThat(queue.queuePairNumber()).isEqualTo(0x11);
        assertThat(queue.sourceQueuePair()).isEqualTo(0x22);
        assertThat(queue.flags()).isEqualTo(3);
        assertThat(queue.pkeyIndex()).isEqualTo(0xfff1);
        assertThat(queue.slid()).isEqualTo(0xfff2);
        assertThat(queue.serviceLevel()).isEqualTo(0xf3);
        assertThat(queue.dlidPathBits()).isEqualTo(0xf4);
    }

    @Test
    void anInvalidatedKeyIsAHostNumber() {
        FakeRing ring = fixtures.offerCompletionRing(4);
        ProviderCompletionQueue queue = fixtures.context.createCompletionQueue(3, 0, -1, 0);
        ring.put(completion(1).u32(24, 0xabcd1234).u32(36, RxeCqe.WITH_INVALIDATE));
        assertThat(queue.next()).isTrue();
        assertThat(queue.flags()).isEqualTo(WorkCompletionFlag.WITH_INV.bit());
        assertThat(queue.immediate()).isEqualTo(0xabcd1234);
    }

    @Test
    void movingOnGivesTheSlotBack() {
        FakeRing ring = fixtures.offerCompletionRing(4);
        ProviderCompletionQueue queue = fixtures.context.createCompletionQueue(3, 0, -1, 0);
        ring.put(completion(1));
        ring.put(completion(2));
        assertThat(queue.next()).isTrue();
        assertThat(queue.id()).isEqualTo(1);
        assertThat(ring.consumer()).as("still under the cursor").isZero();
        assertThat(queue.next()).isTrue();
        assertThat(queue.id()).isEqualTo(2);
        assertThat(ring.consumer()).isEqualTo(1);
        assertThat(queue.next()).isFalse();
        assertThat(ring.consumer()).isEqualTo(2);
    }

    @Test
    void endGivesTheSlotBackOnce() {
        FakeRing ring = fixtures.offerCompletionRing(4);
        ProviderCompletionQueue queue = fixtures.context.createCompletionQueue(3, 0, -1, 0);
        queue.end();
        assertThat(ring.consumer()).isZero();
        ring.put(completion(1));
        queue.next();
        queue.end();
        queue.end();
        assertThat(ring.consumer()).isEqualTo(1);
        assertThat(queue.next()).isFalse();
        queue.end();
        assertThat(ring.consumer()).isEqualTo(1);
    }

    @Test
    void theRingWraps() {
        FakeRing ring = fixtures.offerCompletionRing(4);
        ProviderCompletionQueue queue = fixtures.context.createCompletionQueue(3, 0, -1, 0);
        for (long id = 0; id < 11; id++) {
            ring.put(completion(id));
            assertThat(queue.next()).isTrue();
            assertThat(queue.id()).isEqualTo(id);
            queue.end();
            assertThat(ring.consumer()).isEqualTo((int) (id + 1 & 3));
        }
    }

    @Test
    void theOtherIndexIsOnlyReadWhenTheQueueLooksEmpty() {
        FakeRing ring = fixtures.offerCompletionRing(8);
        ProviderCompletionQueue queue = fixtures.context.createCompletionQueue(7, 0, -1, 0);
        ring.put(completion(1));
        ring.put(completion(2));
        assertThat(queue.next()).isTrue();
        // Were it read again, the queue would seem empty.
        ring.producer(1);
        assertThat(queue.next()).isTrue();
        assertThat(queue.id()).isEqualTo(2);
    }

    @Test
    void anIndexOutOfRangeIsMasked() {
        FakeRing ring = fixtures.offerCompletionRing(4);
        ProviderCompletionQueue queue = fixtures.context.createCompletionQueue(3, 0, -1, 0);
        ring.producer(0x7fff_fff1);
        assertThat(queue.next()).isTrue();
        assertThat(queue.next()).isFalse();
        ring.producer(-1);
        assertThat(queue.next()).isTrue();
    }

    @Test
    void anEmptyQueueLendsItsThreadOnce() {
        AtomicInteger polls = new AtomicInteger();
        FakeRing ring = fixtures.offerCompletionRing(4);
        channel.progress = () -> {
            if (polls.incrementAndGet() == 2) {
                ring.put(completion(5));
            }
            return true;
        };
        ProviderCompletionQueue queue = fixtures.context.createCompletionQueue(3, 0, -1, 0);
        assertThat(queue.next()).isFalse();
        assertThat(polls).hasValue(1);
        assertThat(queue.next()).as("came while the thread was lent").isTrue();
        assertThat(queue.id()).isEqualTo(5);
        assertThat(polls).hasValue(2);
        ring.put(completion(6));
        assertThat(queue.next()).isTrue();
        assertThat(polls).as("not lent while there is something").hasValue(2);
    }

    @Test
    void armNamesTheQueueAndWhetherSolicited() {
        ProviderCompletionQueue queue = fixtures.completionQueue(4);
        channel.answer(UverbsCommand.REQ_NOTIFY_CQ, 0);
        queue.arm(false);
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(
                        UverbsCommand.REQ_NOTIFY_CQ, Bytes.of(8).u32(0, Fixtures.CQ_HANDLE), 0, 0));
        queue.arm(true);
        assertThat(channel.last().in())
                .isEqualTo(Bytes.of(8).u32(0, Fixtures.CQ_HANDLE).u32(4, 1));
        channel.answer(UverbsCommand.REQ_NOTIFY_CQ, Errno.EIO);
        assertThatThrownBy(() -> queue.arm(false))
                .isInstanceOf(VerbsFault.class)
                .hasMessage("REQ_NOTIFY_CQ: EIO");
    }

    @Test
    void resizeMapsTheNewRingBeforeItUnmapsTheOld() {
        FakeRing ring = fixtures.offerCompletionRing(4);
        ProviderCompletionQueue queue = fixtures.context.createCompletionQueue(3, 0, -1, 0);
        ring.put(completion(1));
        ring.put(completion(2));
        queue.next();
        FakeRing larger = channel.ring(NEW_KEY, 6, 32);
        channel.answer(UverbsCommand.RESIZE_CQ, (in, out, driverOut) -> {
            assertThat(ring.consumer()).as("given back before the kernel moves").isEqualTo(1);
            larger.put(ring.element(1));
            Bytes.of(8).u32(0, 31).copyTo(out, 0);
            larger.info(NEW_KEY).copyTo(driverOut, 0);
            return 0;
        });
        channel.log.clear();
        queue.resize(20);
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(
                        UverbsCommand.RESIZE_CQ,
                        Bytes.of(16).u32(8, Fixtures.CQ_HANDLE).u32(12, 20),
                        8,
                        16));
        assertThat(channel.log).containsExactly("RESIZE_CQ", "map " + NEW_KEY, "unmap");
        assertThat(queue.capacity()).isEqualTo(31);
        assertThat(queue.next()).isTrue();
        assertThat(queue.id()).isEqualTo(2);
        assertThat(queue.next()).isFalse();
        assertThat(larger.consumer()).isEqualTo(1);
    }

    @Test
    void aRefusedResizeLeavesTheQueueAsItWas() {
        FakeRing ring = fixtures.offerCompletionRing(4);
        ProviderCompletionQueue queue = fixtures.context.createCompletionQueue(3, 0, -1, 0);
        channel.answer(UverbsCommand.RESIZE_CQ, Errno.EINVAL);
        assertThatThrownBy(() -> queue.resize(1)).isInstanceOf(VerbsFault.class).hasMessage("RESIZE_CQ: EINVAL");
        ring.put(completion(1));
        assertThat(queue.next()).isTrue();
        assertThat(queue.capacity()).isEqualTo(3);
    }

    @Test
    void aRingThatCannotBeMappedIsLostUntilTheNextResize() {
        FakeRing ring = fixtures.offerCompletionRing(4);
        ProviderCompletionQueue queue = fixtures.context.createCompletionQueue(3, 0, -1, 0);
        ring.put(completion(1));
        FakeRing larger = channel.ring(NEW_KEY, 6, 32);
        channel.answer(UverbsCommand.RESIZE_CQ, (in, out, driverOut) -> {
            Bytes.of(8).u32(0, 31).copyTo(out, 0);
            larger.info(NEW_KEY + 0x1000).copyTo(driverOut, 0);
            return 0;
        });
        assertLost(() -> queue.resize(20));
        assertLost(queue::next);
        queue.end();
        assertThat(ring.consumer()).as("nothing is taken from the old ring").isZero();
        channel.answer(UverbsCommand.RESIZE_CQ, (in, out, driverOut) -> {
            larger.put(ring.element(0));
            Bytes.of(8).u32(0, 31).copyTo(out, 0);
            larger.info(NEW_KEY).copyTo(driverOut, 0);
            return 0;
        });
        queue.resize(20);
        assertThat(queue.next()).isTrue();
        assertThat(queue.id()).isEqualTo(1);
        assertThat(queue.next()).isFalse();
        queue.close();
        assertThat(channel.mapped()).isZero();
    }

    @Test
    void aQueueThatLostItsRingCloses() {
        FakeRing ring = fixtures.offerCompletionRing(4);
        ProviderCompletionQueue queue = fixtures.context.createCompletionQueue(3, 0, -1, 0);
        channel.answer(UverbsCommand.RESIZE_CQ, Bytes.of(8).u32(0, 31), ring.info(NEW_KEY));
        assertLost(() -> queue.resize(20));
        queue.close();
        assertThat(channel.mapped()).isZero();
        assertThat(queue.next()).isFalse();
    }

    private static void assertLost(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsFault.class,
                        fault -> assertThat(fault.isLostRing()).isTrue());
    }

    @Test
    void closeDestroysThenUnmaps() {
        ProviderCompletionQueue queue = fixtures.completionQueue(4);
        channel.log.clear();
        queue.close();
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(
                        UverbsCommand.DESTROY_CQ, Bytes.of(16).u32(8, Fixtures.CQ_HANDLE), 8, 0));
        assertThat(channel.log).containsExactly("DESTROY_CQ", "unmap");
        queue.close();
        assertThat(channel.log).hasSize(2);
        assertThat(queue.next()).isFalse();
        assertThat(queue.id()).isZero();
        queue.end();
    }

    @Test
    void aBusyQueueStaysOpen() {
        FakeRing ring = fixtures.offerCompletionRing(4);
        ProviderCompletionQueue queue = fixtures.context.createCompletionQueue(3, 0, -1, 0);
        channel.answer(UverbsCommand.DESTROY_CQ, Errno.EBUSY);
        assertThatThrownBy(queue::close).isInstanceOf(VerbsFault.class).hasMessage("DESTROY_CQ: EBUSY");
        ring.put(completion(1));
        assertThat(queue.next()).isTrue();
        channel.answer(UverbsCommand.DESTROY_CQ, 0);
        queue.close();
        assertThat(channel.mapped()).isZero();
    }

    @Test
    void aQueueOfALostDeviceIsLetGo() {
        ProviderCompletionQueue queue = fixtures.completionQueue(4);
        channel.answer(UverbsCommand.DESTROY_CQ, Errno.EIO);
        assertThatThrownBy(queue::close).isInstanceOf(VerbsFault.class);
        assertThat(channel.mapped()).isZero();
        queue.close();
        assertThat(queue.next()).isFalse();
    }

    @Test
    void onAClosedChannelThereIsNothingToUnmap() {
        ProviderCompletionQueue queue = fixtures.completionQueue(4);
        channel.answer(UverbsCommand.DESTROY_CQ, Errno.EBADF);
        channel.log.clear();
        assertThatThrownBy(queue::close).isInstanceOf(VerbsFault.class);
        assertThat(channel.log).containsExactly("DESTROY_CQ");
        assertThat(queue.next()).isFalse();
    }

    @Test
    void theKernelsRefusalOfACreateComesThrough() {
        channel.answer(UverbsCommand.CREATE_CQ, Errno.ENOMEM);
        assertThatThrownBy(() -> fixtures.context.createCompletionQueue(1, 0, -1, 0))
                .isInstanceOfSatisfying(
                        VerbsFault.class, fault -> assertThat(fault.errno()).isEqualTo(Errno.ENOMEM))
                .hasMessage("CREATE_CQ: ENOMEM");
    }
}
