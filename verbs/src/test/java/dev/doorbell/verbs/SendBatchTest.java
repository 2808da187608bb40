package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.verbs.fake.FakeSendQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class SendBatchTest {
    private static final int ALL =
            AccessFlag.REMOTE_WRITE.bit() | AccessFlag.REMOTE_READ.bit() | AccessFlag.REMOTE_ATOMIC.bit();
    private static final RemoteMemory REMOTE = new RemoteMemory(0x10000, 64, 0x77, ALL);

    private final Fixture fixture = new Fixture();
    private final QueuePair queuePair = fixture.connected();
    private final FakeSendQueue queue = fixture.fake().sends;
    private final MemorySlice slice = fixture.region.slice(0, 8);

    @AfterEach
    void close() {
        fixture.close();
    }

    private FakeSendQueue.Request post(Consumer<SendBatch> description) {
        try (SendBatch batch = queuePair.batch()) {
            description.accept(batch);
            assertThat(batch.submit()).isEqualTo(1);
        }
        queue.execute();
        return queue.posted(queue.count() - 1);
    }

    @Test
    void eachOperationReachesTheDriverAsItIs() {
        assertThat(WorkRequestOpcode.of(post(batch -> batch.send(1).sge(slice)).opcode))
                .isEqualTo(WorkRequestOpcode.SEND);
        FakeSendQueue.Request immediate = post(batch -> batch.sendWithImmediate(2, 0x01020304));
        assertThat(WorkRequestOpcode.of(immediate.opcode)).isEqualTo(WorkRequestOpcode.SEND_WITH_IMM);
        assertThat(immediate.immediate).isEqualTo(0x01020304);
        FakeSendQueue.Request write = post(batch -> batch.write(3, 0x5000, 9).sge(slice));
        assertThat(WorkRequestOpcode.of(write.opcode)).isEqualTo(WorkRequestOpcode.RDMA_WRITE);
        assertThat(write.address).isEqualTo(0x5000);
        assertThat(write.rkey).isEqualTo(9);
        assertThat(write.lastAddress).isEqualTo(slice.address());
        assertThat(write.lastLkey).isEqualTo(slice.lkey());
        FakeSendQueue.Request writeImmediate =
                post(batch -> batch.writeWithImmediate(4, REMOTE, 56, 7).sge(slice));
        assertThat(WorkRequestOpcode.of(writeImmediate.opcode)).isEqualTo(WorkRequestOpcode.RDMA_WRITE_WITH_IMM);
        assertThat(writeImmediate.address).isEqualTo(0x10038);
        assertThat(post(batch -> batch.writeWithImmediate(5, 0x5000, 9, -1)).immediate)
                .isEqualTo(-1);
        assertThat(WorkRequestOpcode.of(post(batch -> batch.read(6, 0x5000, 9).sge(slice)).opcode))
                .isEqualTo(WorkRequestOpcode.RDMA_READ);
        FakeSendQueue.Request swap =
                post(batch -> batch.compareAndSwap(7, REMOTE, 8, 11, 12).sge(slice));
        assertThat(WorkRequestOpcode.of(swap.opcode)).isEqualTo(WorkRequestOpcode.ATOMIC_CMP_AND_SWP);
        assertThat(swap.compareOrAdd).isEqualTo(11);
        assertThat(swap.swap).isEqualTo(12);
        FakeSendQueue.Request add =
                post(batch -> batch.fetchAndAdd(8, 0x5000, 9, -3).sge(slice));
        assertThat(WorkRequestOpcode.of(add.opcode)).isEqualTo(WorkRequestOpcode.ATOMIC_FETCH_AND_ADD);
        assertThat(add.compareOrAdd).isEqualTo(-3);
        assertThat(add.id).isEqualTo(8);
    }

    @Test
    void flagsElementsAndInlineBytesReachTheDriver() {
        assertThat(post(batch -> batch.send(1).signaled().solicited().fence()).flags)
                .isEqualTo(2 | 4 | 1);
        assertThat(post(batch -> batch.send(1)).flags).isZero();
        FakeSendQueue.Request two = post(batch -> batch.send(1).sge(slice).sge(fixture.region, 100, 20));
        assertThat(two.elements).isEqualTo(2);
        assertThat(two.bytes).isEqualTo(28);
        assertThat(two.lastAddress).isEqualTo(fixture.region.address() + 100);
        MemorySegment heap = MemorySegment.ofArray(new byte[64]);
        FakeSendQueue.Request inline =
                post(batch -> batch.send(1).inline(heap, 0, 40).inline(heap, 8, 24));
        assertThat(inline.inlineBytes).isEqualTo(64);
        assertThat(inline.elements).isZero();
    }

    @Test
    void aBatchRingsOnceAndAnEmptyOneNever() {
        try (SendBatch batch = queuePair.batch()) {
            assertThat(batch.submit()).isZero();
            batch.send(1).sge(slice);
            batch.send(2).sge(slice).signaled();
            assertThat(batch.size()).isEqualTo(2);
            assertThat(batch.room()).isEqualTo(6);
            assertThat(batch.submit()).isEqualTo(2);
            assertThat(batch.size()).isZero();
            assertThat(batch.submit()).isZero();
            batch.send(3);
            assertThat(batch.submit()).isEqualTo(1);
        }
        assertThat(queue.doorbells).isEqualTo(2);
        assertThat(queue.count()).isEqualTo(3);
    }

    @Test
    void whatIsNotSubmittedIsNotPosted() {
        try (SendBatch batch = queuePair.batch()) {
            batch.send(1).sge(slice);
        }
        assertThat(queue.count()).isZero();
        assertThat(queuePair.sendSlots()).isEqualTo(8);
        assertThat(post(batch -> batch.send(2)).id).isEqualTo(2);
    }

    @Test
    void aFullQueueDiffersFromTooManyElements() {
        try (SendBatch batch = queuePair.batch()) {
            for (int i = 0; i < 8; i++) {
                batch.send(i);
            }
            assertThat(batch.room()).isZero();
            QueueFullException full = catchThrowableOfType(QueueFullException.class, () -> batch.send(8));
            assertThat(full.errno()).isEqualTo(Errno.ENOMEM);
            assertThat(full.outstanding()).isEqualTo(8);
            assertThat(full.capacity()).isEqualTo(8);
            assertThat(batch.submit()).as("what was there before stays").isEqualTo(8);
            assertThatThrownBy(() -> batch.send(9)).isInstanceOf(QueueFullException.class);
            queue.execute();
            batch.send(10);
            assertThat(batch.submit()).isEqualTo(1);
        }
        Refused.with(
                Errno.EINVAL,
                3,
                2,
                () -> post(batch -> batch.send(1).sge(slice).sge(slice).sge(slice)));
    }

    @Test
    void aRefusedCallLeavesNothingOfTheBatchToPost() {
        try (SendBatch batch = queuePair.batch()) {
            batch.send(1).sge(slice);
            batch.send(2);
            Refused.with(Errno.EINVAL, () -> batch.sge(0, 1L << 32, 1));
            Refused.with(Errno.EINVAL, batch::signaled);
            Refused.with(Errno.EINVAL, () -> batch.send(3));
            assertThat(Refused.with(Errno.EINVAL, batch::submit)).hasMessageContaining("nothing of it is posted");
        }
        assertThat(queue.count()).isZero();
        assertThat(post(batch -> batch.send(4)).id).isEqualTo(4);
    }

    @Test
    void elementsAreChecked() {
        Refused.with(
                Errno.EINVAL,
                "4294967296 bytes",
                "4294967295",
                () -> post(batch -> batch.send(1).sge(0, 1L << 32, 1)));
        assertThat(post(batch -> batch.send(1).sge(0, (1L << 32) - 1, 1)).bytes).isEqualTo((1L << 32) - 1);
        Refused.with(Errno.EINVAL, () -> post(batch -> batch.send(1).sge(0, -1, 1)));
        assertThatThrownBy(() -> post(batch -> batch.send(1).sge(fixture.region, 4090, 8)))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> post(batch -> batch.send(1).sge(fixture.region, -1, 8)))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aRegionOfAnotherDomainIsRefused() {
        try (ProtectionDomain other = fixture.context.allocateProtectionDomain();
                MemoryRegion foreign = other.register(Arena.ofAuto().allocate(8), AccessFlag.LOCAL_WRITE)) {
            VerbsException refusal =
                    Refused.with(Errno.EINVAL, () -> post(batch -> batch.send(1).sge(foreign.slice())));
            assertThat(refusal).hasMessageContaining(other.toString()).hasMessageContaining(fixture.domain.toString());
        }
    }

    @Test
    void aClosedRegionIsRefused() {
        MemoryRegion region = fixture.domain.register(Arena.ofAuto().allocate(8));
        MemorySlice closed = region.slice();
        region.close();

        assertThatThrownBy(() -> post(batch -> batch.send(1).sge(closed))).isInstanceOf(ClosedException.class);
    }

    @Test
    void inlineBytesAreChecked() {
        MemorySegment source = MemorySegment.ofArray(new byte[100]);
        Refused.with(Errno.EINVAL, 65, 64, () -> post(batch -> batch.send(1).inline(source, 0, 65)));
        Refused.with(
                Errno.EINVAL,
                70,
                64,
                () -> post(batch -> batch.send(1).inline(source, 0, 60).inline(source, 0, 10)));
        Refused.with(Errno.EINVAL, () -> post(batch -> batch.send(1).inline(source, 0, -1)));
        Refused.with(
                Errno.EINVAL,
                () -> post(batch -> batch.send(1).inline(source, 0, 8).sge(slice)));
        Refused.with(Errno.EINVAL, () -> post(batch -> batch.send(1).sge(slice).inline(source, 0, 8)));
        Refused.with(Errno.EINVAL, () -> post(batch -> batch.read(1, 0, 1).inline(source, 0, 8)));
        Refused.with(
                Errno.EINVAL, () -> post(batch -> batch.fetchAndAdd(1, 0, 1, 1).inline(source, 0, 8)));
        assertThatThrownBy(() -> post(batch -> batch.send(1).inline(source, 95, 8)))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(queue.count()).isZero();
    }

    @Test
    void atomicsNeedEightAlignedBytesThereAndEightBytesHere() {
        Refused.with(
                Errno.EINVAL,
                "0x5004",
                "a multiple of 8",
                () -> post(batch -> batch.compareAndSwap(1, 0x5004, 9, 0, 1).sge(slice)));
        Refused.with(
                Errno.EINVAL,
                () -> post(batch -> batch.fetchAndAdd(1, REMOTE, 4, 1).sge(slice)));
        Refused.with(
                Errno.EINVAL,
                "4 bytes of local memory",
                "8",
                () -> post(batch -> batch.fetchAndAdd(1, 0x5000, 9, 1).sge(fixture.region, 0, 4)));
        Refused.with(Errno.EINVAL, () -> post(batch -> batch.fetchAndAdd(1, 0x5000, 9, 1)));
        assertThatThrownBy(
                        () -> post(batch -> batch.fetchAndAdd(1, REMOTE, 64, 1).sge(slice)))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void remoteMemoryIsCheckedForRoomAndRights() {
        Refused.with(
                Errno.EINVAL,
                "8 bytes",
                "4",
                () -> post(batch -> batch.write(1, REMOTE, 60).sge(slice)));
        Refused.with(Errno.EINVAL, () -> post(batch -> batch.read(1, REMOTE, 57).sge(slice)));
        assertThat(post(batch -> batch.read(1, REMOTE, 56).sge(slice)).address).isEqualTo(0x10038);
        assertThatThrownBy(() -> post(batch -> batch.write(1, REMOTE, 65)))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> post(batch -> batch.write(1, REMOTE, -1)))
                .isInstanceOf(IndexOutOfBoundsException.class);
        RemoteMemory closed = new RemoteMemory(0x10000, 64, 0x77, 0);
        assertThat(Refused.with(Errno.EACCES, () -> post(batch -> batch.write(1, closed, 0)))
                        .asked())
                .isEqualTo("REMOTE_WRITE");
        Refused.with(Errno.EACCES, () -> post(batch -> batch.read(1, closed, 0)));
        Refused.with(Errno.EACCES, () -> post(batch -> batch.fetchAndAdd(1, closed, 0, 1)));
        Refused.with(Errno.EACCES, () -> post(batch -> batch.writeWithImmediate(1, closed, 0, 0)));
    }

    @Test
    void aDescriptionNeedsAWorkRequest() {
        Refused.with(Errno.EINVAL, () -> post(SendBatch::signaled));
        Refused.with(Errno.EINVAL, () -> post(batch -> batch.sge(slice)));
        Refused.with(Errno.EINVAL, () -> post(batch -> batch.inline(MemorySegment.ofArray(new byte[1]), 0, 1)));
        try (SendBatch batch = queuePair.batch()) {
            batch.send(1);
            batch.submit();
            Refused.with(Errno.EINVAL, batch::fence);
        }
    }

    @Test
    void sendsNeedAStateThatSends() {
        QueuePair fresh = fixture.builder().build();
        assertThat(Refused.with(Errno.EINVAL, fresh::batch).asked()).isEqualTo("RESET");
        fresh.initialize();
        assertThat(Refused.with(Errno.EINVAL, fresh::batch).asked()).isEqualTo("INIT");
        Fixture.connect(fresh);
        fresh.postSend(1, slice);
        fresh.modify(QueuePairAttributes.builder().state(QueuePairState.ERROR).build());
        fresh.postSend(2, slice);
    }

    @Test
    void aDoorbellThatIsRefusedIsReported() {
        fixture.device.channel.doorbellErrno = Errno.EINVAL;

        Refused.with(Errno.EINVAL, () -> queuePair.postSend(1, slice));
    }

    @Test
    void oneThreadHasTheBatchOnce() {
        try (SendBatch batch = queuePair.batch()) {
            batch.send(1);
            assertThat(Refused.with(Errno.EBUSY, queuePair::batch)).hasMessageContaining("this thread");
            Refused.with(Errno.EBUSY, () -> queuePair.postSend(2, slice));
            assertThat(queuePair.sendSlots()).isEqualTo(7);
            assertThat(batch.submit()).isEqualTo(1);
        }
    }

    @Test
    void aBatchEndsWithItsClose() {
        SendBatch batch = queuePair.batch();
        batch.send(1);
        batch.close();
        batch.close();

        Refused.with(Errno.EINVAL, () -> batch.send(2));
        Refused.with(Errno.EINVAL, batch::submit);
        Refused.with(Errno.EINVAL, batch::room);
        Refused.with(Errno.EINVAL, batch::size);
        Refused.with(Errno.EINVAL, batch::signaled);
    }

    @Test
    @SuppressWarnings("try") // the other thread tries to close what it does not own
    void aBatchBelongsToItsThread() {
        try (SendBatch batch = queuePair.batch()) {
            batch.send(1);
            OtherThread.run(() -> {
                Refused.with(Errno.EINVAL, () -> batch.send(2));
                batch.close();
            });
            assertThat(batch.submit()).as("still open here").isEqualTo(1);
        }
    }
}
