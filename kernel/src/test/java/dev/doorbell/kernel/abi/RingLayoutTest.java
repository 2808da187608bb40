package dev.doorbell.kernel.abi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.memory.Host;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkRequestOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class RingLayoutTest {
    @Test
    void bothSidesOfARingAgree() {
        MemorySegment memory = Arena.ofAuto().allocate(RxeQueueHeader.bytes(6, 7), 64);
        SharedRing kernel = RxeQueueHeader.create(memory, 6, 7);
        SharedRing program = RxeQueueHeader.open(memory);

        assertThat(program.capacity()).isEqualTo(7);
        assertThat(program.elementSize()).isEqualTo(64);
        assertThat(program.offset(3)).isEqualTo(384 + 3 * 64);
        kernel.producerRelease(5);
        program.consumerRelease(2);
        assertThat(program.producerAcquire()).isEqualTo(5);
        assertThat(kernel.consumerAcquire()).isEqualTo(2);
        assertThat(Host.getInt(memory, 128)).isEqualTo(5);
        assertThat(Host.getInt(memory, 256)).isEqualTo(2);
        assertThat(RxeQueueHeader.print(memory, 0))
                .isEqualTo("rxe_queue_buf{log2_elem_size=6, index_mask=7, producer_index=5, consumer_index=2}");
    }

    @Test
    void headsThatMakeNoSenseAreRefused() {
        MemorySegment memory = Arena.ofAuto().allocate(RxeQueueHeader.bytes(6, 7), 64);
        RxeQueueHeader.create(memory, 6, 7);
        for (int log2 : new int[] {-1, 7, 21, 64, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            Host.setInt(memory, 0, log2);
            assertThatThrownBy(() -> RxeQueueHeader.open(memory)).isInstanceOf(IllegalArgumentException.class);
        }
        Host.setInt(memory, 0, 6);
        for (int mask : new int[] {-1, 6, 15, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            Host.setInt(memory, 4, mask);
            assertThatThrownBy(() -> RxeQueueHeader.open(memory)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void sizesAreRoundedAsRxeRoundsThem() {
        assertThat(RxeQueueHeader.log2ElemSizeFor(1)).isEqualTo(6);
        assertThat(RxeQueueHeader.log2ElemSizeFor(64)).isEqualTo(6);
        assertThat(RxeQueueHeader.log2ElemSizeFor(65)).isEqualTo(7);
        assertThat(RxeQueueHeader.log2ElemSizeFor(RxeSendWqe.SIZE + 2 * RxeSge.SIZE))
                .isEqualTo(8);
        assertThat(RxeQueueHeader.log2ElemSizeFor(RxeSendWqe.SIZE + 4 * RxeSge.SIZE))
                .isEqualTo(9);
        // One slot stays empty, so a ring for n elements has the next power of two above n.
        assertThat(RxeQueueHeader.indexMaskFor(0)).isZero();
        assertThat(RxeQueueHeader.indexMaskFor(1)).isEqualTo(1);
        assertThat(RxeQueueHeader.indexMaskFor(3)).isEqualTo(3);
        assertThat(RxeQueueHeader.indexMaskFor(4)).isEqualTo(7);
        assertThat(RxeQueueHeader.indexMaskFor(100)).isEqualTo(127);
        assertThatThrownBy(() -> RxeQueueHeader.indexMaskFor(-5)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aSendWorkRequestPrintsWhatItsOperationHas() {
        MemorySegment wqe = Arena.ofAuto().allocate(RxeSendWqe.SIZE + 64);
        RxeSendWqe.setWrId(wqe, 0, 7);
        RxeSendWqe.setOpcode(wqe, 0, WorkRequestOpcode.RDMA_WRITE.code());
        RxeRdmaWr.setRemoteAddr(wqe, 0, 0x7f00_0000L);
        RxeRdmaWr.setRkey(wqe, 0, 0xabcd00);
        RxeSendWqe.setDmaLength(wqe, 0, 3_000_000_000L);
        RxeSendWqe.setDmaNumSge(wqe, 0, 1);
        RxeSge.setAddr(wqe, RxeSendWqe.sge(0, 0), 0x1000);
        RxeSge.setLength(wqe, RxeSendWqe.sge(0, 0), 8);

        assertThat(RxeSendWqe.dmaLength(wqe, 0)).isEqualTo(3_000_000_000L);
        assertThat(RxeSendWqe.print(wqe, 0))
                .contains("wr.wr_id=7")
                .contains("remote_addr=0x7f000000")
                .contains("rkey=0xabcd00")
                .contains("rxe_sge{addr=4096, length=8, lkey=0}")
                .doesNotContain("compare_add")
                .doesNotContain("\n");

        RxeSendWqe.setSendFlags(wqe, 0, SendFlag.INLINE.bit());
        assertThat(RxeSendWqe.print(wqe, 0)).doesNotContain("rxe_sge");
        RxeSendWqe.setOpcode(wqe, 0, WorkRequestOpcode.ATOMIC_CMP_AND_SWP.code());
        assertThat(RxeSendWqe.print(wqe, 0)).contains("compare_add=");
    }

    @Test
    void printingTrustsNoCountInSharedMemory() {
        MemorySegment wqe = Arena.ofAuto().allocate(RxeSendWqe.SIZE + 2 * RxeSge.SIZE);
        wqe.fill((byte) 0xff);
        RxeSendWqe.setSendFlags(wqe, 0, 0);
        assertThat(RxeSendWqe.print(wqe, 0).split("rxe_sge", -1)).hasSize(3);
        assertThat(RxeRecvWqe.print(wqe, 0)).isNotEmpty();
        for (int opcode = -1; opcode < 20; opcode++) {
            RxeSendWqe.setOpcode(wqe, 0, opcode);
            assertThat(RxeSendWqe.print(wqe, 0)).isNotEmpty();
        }
    }

    @Test
    void clearLeavesTheElements() {
        MemorySegment wqe = Arena.ofAuto().allocate(RxeSendWqe.SIZE + RxeSge.SIZE);
        wqe.fill((byte) 0xff);
        RxeSendWqe.clear(wqe, 0);
        assertThat(wqe.asSlice(0, RxeSendWqe.SIZE).mismatch(Arena.ofAuto().allocate(RxeSendWqe.SIZE)))
                .isEqualTo(-1);
        assertThat(RxeSge.addr(wqe, RxeSendWqe.sge(0, 0))).isEqualTo(-1);
    }

    @Test
    void nestedStructsAndAddressesPrint() {
        MemorySegment modify = Arena.ofAuto().allocate(ModifyQp.SIZE);
        QpDestination.setDgid(modify, ModifyQp.DEST, Gid.parseHex("00000000000000000000ffff0a000001"));
        ModifyQp.setRqPsn(modify, 0, 0xabcdef);
        assertThat(ModifyQp.print(modify, 0))
                .startsWith("ib_uverbs_modify_qp{dest=ib_uverbs_qp_dest{dgid=::ffff:10.0.0.1,")
                .contains("rq_psn=0xabcdef");
        assertThat(RxeAv.print(Arena.ofAuto().allocate(RxeAv.SIZE), 0)).contains("dmac=000000000000");
    }

    @Test
    void immediateDataAreBigEndianAndKeysAreNot() {
        MemorySegment cqe = Arena.ofAuto().allocate(RxeCqe.SIZE);
        RxeCqe.setImmData(cqe, 0, 0x01020304);
        assertThat(Host.getUnsignedByte(cqe, 24)).isEqualTo(1);
        RxeCqe.setInvalidateRkey(cqe, 0, 0x01020304);
        assertThat(Host.getInt(cqe, 24)).isEqualTo(0x01020304);
    }
}
