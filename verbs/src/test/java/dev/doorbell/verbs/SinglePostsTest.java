package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.verbs.fake.FakeSendQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work requests that are posted in one call, and what of them is refused. */
@Timeout(20)
class SinglePostsTest {
    private static final int SIGNALED = SendFlag.SIGNALED.bit();
    private static final int ALL = AccessFlag.REMOTE_WRITE.bit() | AccessFlag.REMOTE_READ.bit();
    private static final RemoteMemory REMOTE = new RemoteMemory(0x10000, 64, 0x77, ALL);

    private final Fixture fixture = new Fixture();
    private final QueuePair queuePair = fixture.connected();
    private final FakeSendQueue queue = fixture.fake().sends;
    private final MemorySlice slice = fixture.region.slice(16, 8);
    private final MemorySegment heap = MemorySegment.ofArray(new byte[64]);

    @AfterEach
    void close() {
        fixture.close();
    }

    private FakeSendQueue.Request last() {
        queue.execute();
        return queue.posted(queue.count() - 1);
    }

    @Test
    void eachReachesTheDriverAsItIs() {
        queuePair.postSend(1, fixture.region, 16, 8, 7 & ~SIGNALED);
        FakeSendQueue.Request send = last();
        assertThat(send.id).isEqualTo(1);
        assertThat(WorkRequestOpcode.of(send.opcode)).isEqualTo(WorkRequestOpcode.SEND);
        assertThat(send.flags).isEqualTo(7 & ~SIGNALED);
        assertThat(send.elements).isEqualTo(1);
        assertThat(send.bytes).isEqualTo(8);
        assertThat(send.lastAddress).isEqualTo(slice.address());
        assertThat(send.lastLkey).isEqualTo(slice.lkey());

        queuePair.postSend(2, slice);
        assertThat(last().flags).isEqualTo(SIGNALED);

        queuePair.postWrite(3, slice, REMOTE, 56);
        FakeSendQueue.Request write = last();
        assertThat(WorkRequestOpcode.of(write.opcode)).isEqualTo(WorkRequestOpcode.RDMA_WRITE);
        assertThat(write.flags).isEqualTo(SIGNALED);
        assertThat(write.address).isEqualTo(0x10038);
        assertThat(write.rkey).isEqualTo(0x77);

        queuePair.postRead(4, slice, REMOTE, 0);
        assertThat(WorkRequestOpcode.of(last().opcode)).isEqualTo(WorkRequestOpcode.RDMA_READ);
        queuePair.postRead(5, fixture.region, 0, 4096, 0x5000, 9, SendFlag.FENCE.bit());
        FakeSendQueue.Request read = last();
        assertThat(read.flags).isEqualTo(SendFlag.FENCE.bit());
        assertThat(read.address).isEqualTo(0x5000);
        assertThat(read.bytes).isEqualTo(4096);

        queuePair.postWriteInline(6, heap, 8, 40, 0x5000, 9, 0);
        FakeSendQueue.Request inline = last();
        assertThat(WorkRequestOpcode.of(inline.opcode)).isEqualTo(WorkRequestOpcode.RDMA_WRITE);
        assertThat(inline.inlineBytes).isEqualTo(40);
        assertThat(inline.elements).isZero();
        assertThat(inline.address).isEqualTo(0x5000);
        queuePair.postSendInline(7, heap, 0, 64, SIGNALED);
        assertThat(WorkRequestOpcode.of(last().opcode)).isEqualTo(WorkRequestOpcode.SEND);
        assertThat(queue.doorbells).isEqualTo(7);
    }

    @Test
    void whatIsRefusedIsNotPosted() {
        assertThat(Refused.with(Errno.EINVAL, () -> queuePair.postSend(1, fixture.region, 0, 8, SendFlag.INLINE.bit())))
                .hasMessageContaining("postSendInline");
        Refused.with(Errno.EINVAL, () -> queuePair.postSend(1, fixture.region, 0, 8, 1 << 30));
        Refused.with(Errno.EINVAL, () -> queuePair.postSend(1, fixture.region, 0, 8, Integer.MIN_VALUE));
        assertThatThrownBy(() -> queuePair.postSend(1, fixture.region, 4090, 8, 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> queuePair.postSend(1, fixture.region, -1, 8, 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> queuePair.postSendInline(1, heap, 60, 8, 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
        Refused.with(Errno.EINVAL, () -> queuePair.postSendInline(1, heap, 0, 65, 0));
        Refused.with(Errno.EINVAL, () -> queuePair.postWriteInline(1, heap, 0, -1, 0, 0, 0));
        Refused.with(Errno.EINVAL, () -> queuePair.postWrite(1, slice, REMOTE, 60));
        assertThatThrownBy(() -> queuePair.postWrite(1, slice, REMOTE, 65))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> queuePair.postRead(1, slice, REMOTE, -1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        RemoteMemory readable = new RemoteMemory(0x10000, 64, 0x77, AccessFlag.REMOTE_READ.bit());
        assertThat(Refused.with(Errno.EACCES, () -> queuePair.postWrite(1, slice, readable, 0)))
                .hasMessageContaining("REMOTE_WRITE");
        ProtectionDomain other = fixture.context.allocateProtectionDomain();
        MemoryRegion foreign = other.register(Arena.ofAuto().allocate(64), AccessFlag.LOCAL_WRITE);
        Refused.with(Errno.EINVAL, () -> queuePair.postSend(1, foreign, 0, 8, 0));
        MemoryRegion closed = fixture.domain.register(Arena.ofAuto().allocate(64), AccessFlag.LOCAL_WRITE);
        closed.close();
        assertThatThrownBy(() -> queuePair.postSend(1, closed, 0, 8, 0)).isInstanceOf(ClosedException.class);
        assertThat(queue.count()).isZero();
        assertThat(queuePair.sendSlots()).isEqualTo(8);
        queuePair.postSend(2, slice);
        assertThat(last().id).isEqualTo(2);
    }

    @Test
    void aFullQueueIsSaidAndTakesMoreLater() {
        for (int i = 0; i < 8; i++) {
            queuePair.postSend(i, fixture.region, 0, 8, 0);
        }
        assertThatThrownBy(() -> queuePair.postSend(8, fixture.region, 0, 8, 0)).isInstanceOf(QueueFullException.class);
        assertThatThrownBy(() -> queuePair.postSendInline(8, heap, 0, 8, 0)).isInstanceOf(QueueFullException.class);
        queue.execute();
        for (int i = 0; i < 4; i++) {
            queuePair.postSend(i, fixture.region, 0, 8, 0);
        }
        try (SendBatch batch = queuePair.batch()) {
            assertThat(batch.room()).isEqualTo(4);
            for (int i = 0; i < 4; i++) {
                batch.send(i);
            }
            assertThatThrownBy(() -> batch.send(4)).isInstanceOf(QueueFullException.class);
            assertThat(batch.submit()).isEqualTo(4);
        }
        assertThatThrownBy(() -> queuePair.postSend(8, slice)).isInstanceOf(QueueFullException.class);
    }

    @Test
    void anOpenBatchIsNotDisturbed() {
        try (SendBatch batch = queuePair.batch()) {
            batch.send(1).sge(slice);
            Refused.with(Errno.EBUSY, () -> queuePair.postSend(2, slice));
            Refused.with(Errno.EBUSY, () -> queuePair.postSendInline(2, heap, 0, 8, 0));
            assertThat(batch.submit()).isEqualTo(1);
        }
        assertThat(last().id).isEqualTo(1);
        assertThat(queue.count()).isEqualTo(1);
    }

    @Test
    void statesAndTheEnd() {
        QueuePair fresh = fixture.builder().build();
        assertThat(Refused.with(Errno.EINVAL, () -> fresh.postSend(1, slice))).hasMessageContaining("RESET");
        fresh.close();
        queuePair.postSend(9, fixture.region, 0, 8, 0);
        queuePair.close();
        assertThatThrownBy(() -> queuePair.postSend(1, slice)).isInstanceOf(ClosedException.class);
        long[] id = new long[1];
        assertThat(fixture.completions.poll(4, completion -> id[0] = completion.id()))
                .isEqualTo(1);
        assertThat(id[0]).isEqualTo(9);
    }
}
