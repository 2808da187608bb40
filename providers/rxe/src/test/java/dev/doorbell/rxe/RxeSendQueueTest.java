package dev.doorbell.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.verbs.spi.SendQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Work requests in the send ring, byte for byte, and the accounts of the ring. */
class RxeSendQueueTest {
    private static final int WRITE = 0;
    private static final int WRITE_IMM = 1;
    private static final int SEND = 2;
    private static final int SEND_IMM = 3;
    private static final int READ = 4;
    private static final int COMPARE_SWAP = 5;
    private static final int FETCH_ADD = 6;
    private static final int LOCAL_INVALIDATE = 7;
    private static final int SEND_INVALIDATE = 9;
    private static final int ATOMIC_WRITE = 15;

    private static final int SIGNALED = 2;
    private static final int INLINE = 8;

    private final Fixtures fixtures = new Fixtures();
    private final FakeRing ring = fixtures.sendRing(4);
    private final RxeQueuePair pair = fixtures.queuePair(ring, fixtures.receiveRing(4));
    private final SendQueue queue = pair.sendQueue();

    private static Bytes wqe() {
        return Bytes.of(512);
    }

    private void post(long id, int opcode, Runnable setters) {
        queue.begin();
        assertThat(queue.request(id, opcode)).isTrue();
        setters.run();
        queue.seal();
        assertThat(queue.commit()).isZero();
    }

    @Test
    void limitsAreThoseOfTheGrant() {
        assertThat(queue.capacity()).isEqualTo(3);
        assertThat(queue.maxSge()).isEqualTo(4);
        assertThat(queue.maxInline()).isEqualTo(64);
    }

    @Test
    void sendWithOneElement() {
        post(0x1122334455667788L, SEND, () -> {
            queue.flags(SIGNALED);
            queue.sge(0x7f00_0000_1000L, 100, 0x501);
        });
        assertThat(ring.element(0))
                .isEqualTo(wqe().u64(0, 0x1122334455667788L)
                        .u32(12, SEND)
                        .u32(16, SIGNALED)
                        .u32(184, 100)
                        .u32(188, 100)
                        .u32(196, 1)
                        .u64(208, 0x7f00_0000_1000L)
                        .u32(216, 100)
                        .u32(220, 0x501));
        assertThat(ring.producer()).isEqualTo(1);
    }

    @Test
    void sendWithSeveralElementsAndImmediate() {
        post(1, SEND_IMM, () -> {
            queue.sge(0x1000, 5, 1);
            queue.sge(0x2000, 0, 2);
            queue.sge(0x3000, 7, 3);
            queue.immediate(0x01020304);
        });
        assertThat(ring.element(0))
                .isEqualTo(wqe().u64(0, 1)
                        .u32(12, SEND_IMM)
                        .be32(20, 0x01020304)
                        .u32(184, 12)
                        .u32(188, 12)
                        .u32(196, 3)
                        .u64(208, 0x1000)
                        .u32(216, 5)
                        .u32(220, 1)
                        .u64(224, 0x2000)
                        .u32(232, 0)
                        .u32(236, 2)
                        .u64(240, 0x3000)
                        .u32(248, 7)
                        .u32(252, 3));
    }

    @Test
    void emptySend() {
        post(3, SEND, () -> {});
        assertThat(ring.element(0)).isEqualTo(wqe().u64(0, 3).u32(12, SEND));
    }

    @Test
    void writeReadAndWriteWithImmediateTellTheAddressTwice() {
        for (int opcode : new int[] {WRITE, READ, WRITE_IMM}) {
            post(opcode, opcode, () -> {
                queue.remote(0xaabbccdd11223344L, 0x777);
                queue.sge(0x1000, 64, 9);
                if (opcode == WRITE_IMM) {
                    queue.immediate(0xfffffffe);
                }
            });
        }
        Bytes expected = wqe().u64(24, 0xaabbccdd11223344L)
                .u32(32, 0x777)
                .u64(152, 0xaabbccdd11223344L)
                .u32(184, 64)
                .u32(188, 64)
                .u32(196, 1)
                .u64(208, 0x1000)
                .u32(216, 64)
                .u32(220, 9);
        assertThat(ring.element(0)).isEqualTo(expected);
        assertThat(ring.element(1)).isEqualTo(expected.u64(0, READ).u32(12, READ));
        assertThat(ring.element(2))
                .isEqualTo(expected.u64(0, WRITE_IMM).u32(12, WRITE_IMM).be32(20, 0xfffffffe));
    }

    @Test
    void atomics() {
        for (int opcode : new int[] {COMPARE_SWAP, FETCH_ADD}) {
            post(0, opcode, () -> {
                queue.atomic(0x8000_0000_0008L, 0x55, 0x1111111122222222L, 0x3333333344444444L);
                queue.sge(0x4000, 8, 2);
                queue.flags(SIGNALED);
            });
        }
        Bytes expected = wqe().u32(12, COMPARE_SWAP)
                .u32(16, SIGNALED)
                .u64(24, 0x8000_0000_0008L)
                .u64(32, 0x1111111122222222L)
                .u64(40, 0x3333333344444444L)
                .u32(48, 0x55)
                .u64(152, 0x8000_0000_0008L)
                .u32(184, 8)
                .u32(188, 8)
                .u32(196, 1)
                .u64(208, 0x4000)
                .u32(216, 8)
                .u32(220, 2);
        assertThat(ring.element(0)).isEqualTo(expected);
        assertThat(ring.element(1)).isEqualTo(expected.u32(12, FETCH_ADD));
    }

    @Test
    void invalidations() {
        post(0, SEND_INVALIDATE, () -> queue.invalidate(0xabcd));
        post(0, LOCAL_INVALIDATE, () -> queue.invalidate(0x1234));
        assertThat(ring.element(0)).isEqualTo(wqe().u32(12, SEND_INVALIDATE).u32(20, 0xabcd));
        assertThat(ring.element(1)).isEqualTo(wqe().u32(12, LOCAL_INVALIDATE).u32(20, 0x1234));
    }

    @Test
    void datagram() {
        post(0, SEND, () -> {
            queue.datagram(3, 0x1234, 0x11111111);
            queue.sge(0x1000, 1, 1);
        });
        assertThat(ring.element(0))
                .isEqualTo(wqe().u32(12, SEND)
                        .u32(24, 0x1234)
                        .u32(28, 0x11111111)
                        .u32(36, 3)
                        .u32(184, 1)
                        .u32(188, 1)
                        .u32(196, 1)
                        .u64(208, 0x1000)
                        .u32(216, 1)
                        .u32(220, 1));
    }

    @Test
    void inlineBytesFollowEachOther() {
        byte[] text = "doorbell rings once".getBytes(StandardCharsets.US_ASCII);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(text.length);
            MemorySegment.copy(text, 0, source, java.lang.foreign.ValueLayout.JAVA_BYTE, 0, text.length);
            post(8, SEND, () -> {
                queue.inline(source, 0, 9);
                queue.inline(source, 9, 10);
                queue.flags(SIGNALED);
            });
        }
        assertThat(ring.element(0))
                .isEqualTo(wqe().u64(0, 8)
                        .u32(12, SEND)
                        .u32(16, SIGNALED | INLINE)
                        .u32(184, 19)
                        .u32(188, 19)
                        .bytes(208, text));
    }

    @Test
    void inlineTakesHeapMemoryAndTheWholeLimit() {
        byte[] bytes = new byte[64];
        bytes[63] = 1;
        post(8, SEND, () -> {
            queue.flags(SIGNALED);
            queue.inline(MemorySegment.ofArray(bytes), 0, 64);
        });
        assertThat(ring.element(0))
                .isEqualTo(wqe().u64(0, 8)
                        .u32(12, SEND)
                        .u32(16, SIGNALED | INLINE)
                        .u32(184, 64)
                        .u32(188, 64)
                        .bytes(208, bytes));
    }

    @Test
    void theInlineBitIsTheDriversOwn() {
        post(0, SEND, () -> {
            queue.flags(SIGNALED | INLINE);
            queue.sge(0x1000, 1, 1);
        });
        assertThat(Bytes.copy(ring.memory(), ring.offset(0) + 16, 4))
                .isEqualTo(Bytes.of(4).u32(0, SIGNALED));
    }

    @Test
    void atomicWriteCarriesItsValueWithoutBeingInline() {
        post(0, ATOMIC_WRITE, () -> {
            queue.remote(0x8000, 6);
            queue.inline(MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}), 0, 8);
        });
        assertThat(ring.element(0))
                .isEqualTo(wqe().u32(12, ATOMIC_WRITE)
                        .u64(24, 0x8000)
                        .u32(32, 6)
                        .u64(152, 0x8000)
                        .u32(184, 8)
                        .u32(188, 8)
                        .bytes(208, new byte[] {1, 2, 3, 4, 5, 6, 7, 8}));
    }

    @Test
    void nothingOfAnEarlierWorkRequestLeaksIntoWhatIsRead() {
        ring.soil();
        post(4, SEND, () -> queue.sge(0x1000, 16, 3));
        Bytes soiled = wqe();
        for (int at = 0; at < 512; at++) {
            soiled.u8(at, 0xee);
        }
        // Bytes 24 to 143 belong to operations that write what they need; the reserved ones of the rest are 0.
        Bytes expected = soiled.u64(0, 4).u32(8, 0).u32(12, SEND).u32(16, 0).u32(20, 0);
        for (int at = 144; at < 208; at += 4) {
            expected.u32(at, 0);
        }
        expected.u32(184, 16)
                .u32(188, 16)
                .u32(196, 1)
                .u64(208, 0x1000)
                .u32(216, 16)
                .u32(220, 3);
        assertThat(ring.element(0)).isEqualTo(expected);
    }

    @Test
    void oneDoorbellRingsForABatch() {
        fixtures.channel.log.clear();
        queue.begin();
        for (int i = 0; i < 3; i++) {
            assertThat(queue.request(i, SEND)).isTrue();
            queue.seal();
            assertThat(ring.producer()).isZero();
        }
        assertThat(queue.commit()).isZero();
        assertThat(ring.producer()).isEqualTo(3);
        assertThat(fixtures.channel.log).containsExactly("ring " + Fixtures.QP_HANDLE);
    }

    @Test
    void anEmptyBatchDoesNotRing() {
        fixtures.channel.log.clear();
        queue.begin();
        assertThat(queue.commit()).isZero();
        queue.begin();
        queue.request(1, SEND);
        assertThat(queue.commit()).as("opened, not sealed").isZero();
        assertThat(fixtures.channel.log).isEmpty();
        assertThat(ring.producer()).isZero();
    }

    @Test
    void whatWasNotCommittedWasNeverPosted() {
        queue.begin();
        queue.request(1, SEND);
        queue.seal();
        queue.request(2, SEND);
        queue.seal();
        queue.begin();
        queue.request(3, SEND);
        queue.seal();
        queue.commit();
        assertThat(ring.producer()).isEqualTo(1);
        assertThat(Bytes.copy(ring.memory(), ring.offset(0), 8))
                .isEqualTo(Bytes.of(8).u64(0, 3));
        assertThat(queue.outstanding()).isEqualTo(1);
    }

    @Test
    void theDoorbellsErrnoComesBackAndTheWorkRequestStays() {
        fixtures.channel.doorbellErrno = Errno.EINVAL;
        queue.begin();
        queue.request(1, SEND);
        queue.seal();
        assertThat(queue.commit()).isEqualTo(Errno.EINVAL);
        assertThat(ring.producer()).isEqualTo(1);
    }

    @Test
    void aFullRingRefusesUntilTheKernelRetires() {
        queue.begin();
        for (int i = 0; i < 3; i++) {
            assertThat(queue.request(i, SEND)).isTrue();
            queue.seal();
        }
        assertThat(queue.request(3, SEND)).as("full with the open batch").isFalse();
        queue.commit();
        assertThat(queue.outstanding()).isEqualTo(3);
        queue.begin();
        assertThat(queue.request(3, SEND)).isFalse();
        ring.consumer(2);
        assertThat(queue.request(3, SEND)).isTrue();
        queue.seal();
        assertThat(queue.request(4, SEND)).isTrue();
        queue.seal();
        assertThat(queue.request(5, SEND)).isFalse();
        queue.commit();
        assertThat(ring.producer()).as("wrapped").isEqualTo(1);
        assertThat(queue.outstanding()).isEqualTo(3);
    }

    @Test
    void theOtherIndexIsOnlyReadWhenTheRingLooksFull() {
        ring.consumer(1);
        // Were it read, the ring would be full from the start: the producer at 0 stands one before 1.
        queue.begin();
        assertThat(queue.request(1, SEND)).isTrue();
        queue.seal();
        assertThat(queue.commit()).isZero();
        ring.consumer(0);
        assertThat(queue.outstanding()).isEqualTo(1);
    }

    @Test
    void anIndexOutOfRangeIsMasked() {
        post(1, SEND, () -> {});
        ring.consumer(0x7fff_fff5);
        assertThat(queue.outstanding()).isZero();
        ring.consumer(-4);
        assertThat(queue.outstanding()).isEqualTo(1);
    }

    @Test
    void theOwnIndexIsNeverReadBack() {
        post(1, SEND, () -> {});
        ring.producer(3);
        post(2, SEND, () -> {});
        assertThat(ring.producer()).isEqualTo(2);
        assertThat(Bytes.copy(ring.memory(), ring.offset(1), 8))
                .isEqualTo(Bytes.of(8).u64(0, 2));
    }

    @Test
    void afterCloseTheQueueIsFullForGood() {
        pair.close();
        queue.begin();
        assertThat(queue.request(1, SEND)).isFalse();
        assertThat(queue.commit()).isZero();
        assertThat(queue.outstanding()).isZero();
        assertThat(fixtures.channel.log).doesNotContain("ring " + Fixtures.QP_HANDLE);
    }
}
