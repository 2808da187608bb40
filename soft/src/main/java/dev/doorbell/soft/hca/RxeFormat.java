package dev.doorbell.soft.hca;

import dev.doorbell.kernel.abi.RxeAtomicWr;
import dev.doorbell.kernel.abi.RxeBindWr;
import dev.doorbell.kernel.abi.RxeCqe;
import dev.doorbell.kernel.abi.RxeFlushWr;
import dev.doorbell.kernel.abi.RxeRdmaWr;
import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.kernel.abi.RxeSge;
import dev.doorbell.kernel.abi.RxeUdWr;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkCompletionFlag;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.spec.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;

/** The rings of Linux' rxe. */
final class RxeFormat implements WorkRequestFormat {
    static final RxeFormat INSTANCE = new RxeFormat();

    private static final int WITH_INV = WorkCompletionFlag.WITH_INV.bit();
    private static final int ATOMIC_BYTES = 8;

    private RxeFormat() {}

    @Override
    public WorkCompletionStatus decodeSend(MemorySegment memory, long at, Limits limits, WorkRequest into) {
        into.id = RxeSendWqe.wrId(memory, at);
        into.flags = RxeSendWqe.sendFlags(memory, at);
        into.length = RxeSendWqe.dmaLength(memory, at);
        into.inline = null;
        into.hasImmediate = false;
        into.hasInvalidate = false;
        into.sges.clear();
        switch (WorkRequestOpcode.of(RxeSendWqe.opcode(memory, at))) {
            case SEND -> into.operation = Operation.SEND;
            case SEND_WITH_IMM -> decodeImmediate(memory, at, into, Operation.SEND);
            case SEND_WITH_INV -> {
                into.operation = Operation.SEND;
                into.hasInvalidate = true;
                into.invalidateKey = RxeSendWqe.invalidateRkey(memory, at);
            }
            case RDMA_WRITE -> decodeRdma(memory, at, into, Operation.WRITE);
            case RDMA_WRITE_WITH_IMM -> {
                decodeImmediate(memory, at, into, Operation.WRITE);
                decodeRdma(memory, at, into, Operation.WRITE);
            }
            case RDMA_READ -> decodeRdma(memory, at, into, Operation.READ);
            case ATOMIC_CMP_AND_SWP -> decodeAtomic(memory, at, into, Operation.COMPARE_SWAP);
            case ATOMIC_FETCH_AND_ADD -> decodeAtomic(memory, at, into, Operation.FETCH_ADD);
            case ATOMIC_WRITE -> {
                decodeRdma(memory, at, into, Operation.ATOMIC_WRITE);
                return decodeValue(memory, at, limits, into);
            }
            case FLUSH -> {
                return decodeFlush(memory, at, into);
            }
            case BIND_MW -> {
                return decodeBind(memory, at, into);
            }
            case LOCAL_INV -> {
                into.operation = Operation.INVALIDATE;
                into.invalidateKey = RxeSendWqe.invalidateRkey(memory, at);
                into.length = 0;
                return WorkCompletionStatus.SUCCESS;
            }
            case TSO, DRIVER1, UNKNOWN -> {
                return WorkCompletionStatus.LOC_QP_OP_ERR;
            }
        }
        if (limits.datagrams()) {
            decodeAddress(memory, at, into);
        }
        return SendFlag.INLINE.isIn(into.flags)
                ? decodeInline(memory, at, limits, into)
                : decodeElements(memory, at, limits, into);
    }

    @Override
    public WorkCompletionStatus decodeReceive(MemorySegment memory, long at, Limits limits, ReceiveRequest into) {
        into.id = RxeRecvWqe.wrId(memory, at);
        into.sges.clear();
        int count = RxeRecvWqe.dmaNumSge(memory, at);
        if (count < 0 || count > limits.maxSge()) {
            return WorkCompletionStatus.LOC_QP_OP_ERR;
        }
        for (int index = 0; index < count; index++) {
            copy(memory, RxeRecvWqe.sge(at, index), into.sges);
        }
        return WorkCompletionStatus.SUCCESS;
    }

    @Override
    public void encodeCompletion(MemorySegment memory, long at, Completion completion) {
        RxeCqe.setWrId(memory, at, completion.id);
        RxeCqe.setOutcome(memory, at, completion.status.code(), completion.opcode.code());
        RxeCqe.setBytes(memory, at, (int) completion.bytes);
        int flags = completion.flags;
        if ((flags & WITH_INV) != 0) {
            RxeCqe.setInvalidateRkey(memory, at, completion.invalidatedKey);
            flags = flags ^ WITH_INV | RxeCqe.WITH_INVALIDATE;
        } else {
            RxeCqe.setImmData(memory, at, completion.immediate);
        }
        RxeCqe.setQpNum(memory, at, completion.queuePair);
        RxeCqe.setSourceAndFlags(memory, at, completion.sourceQueuePair, flags);
        RxeCqe.setPortOnly(memory, at, completion.port);
    }

    private static void decodeImmediate(MemorySegment memory, long at, WorkRequest into, Operation operation) {
        into.operation = operation;
        into.hasImmediate = true;
        into.immediate = RxeSendWqe.immData(memory, at);
    }

    private static void decodeRdma(MemorySegment memory, long at, WorkRequest into, Operation operation) {
        into.operation = operation;
        into.remoteAddress = RxeSendWqe.iova(memory, at);
        into.remoteKey = RxeRdmaWr.rkey(memory, at);
    }

    private static void decodeAtomic(MemorySegment memory, long at, WorkRequest into, Operation operation) {
        into.operation = operation;
        into.remoteAddress = RxeSendWqe.iova(memory, at);
        into.remoteKey = RxeAtomicWr.rkey(memory, at);
        into.compareAdd = RxeAtomicWr.compareAdd(memory, at);
        into.swap = RxeAtomicWr.swap(memory, at);
        into.length = ATOMIC_BYTES;
    }

    private static void decodeAddress(MemorySegment memory, long at, WorkRequest into) {
        into.addressHandle = RxeUdWr.ahNum(memory, at);
        into.remoteQueuePair = RxeUdWr.remoteQpn(memory, at);
        into.remoteQkey = RxeUdWr.remoteQkey(memory, at);
    }

    /** The value of an ATOMIC WRITE lies where inline bytes do. */
    private static WorkCompletionStatus decodeValue(MemorySegment memory, long at, Limits limits, WorkRequest into) {
        if (into.length != ATOMIC_BYTES || limits.elementSize() < RxeSendWqe.SIZE + ATOMIC_BYTES) {
            return WorkCompletionStatus.LOC_QP_OP_ERR;
        }
        into.inline = memory;
        into.inlineAt = RxeSendWqe.inlineData(at);
        return WorkCompletionStatus.SUCCESS;
    }

    /** What a FLUSH is for stands in the common fields, as Linux reads them; it has no message. */
    private static WorkCompletionStatus decodeFlush(MemorySegment memory, long at, WorkRequest into) {
        into.operation = Operation.FLUSH;
        into.remoteAddress = RxeSendWqe.iova(memory, at);
        into.flushLength = into.length;
        into.length = 0;
        into.remoteKey = RxeFlushWr.rkey(memory, at);
        into.placement = RxeFlushWr.type(memory, at);
        into.selectivity = RxeFlushWr.level(memory, at);
        return WorkCompletionStatus.SUCCESS;
    }

    private static WorkCompletionStatus decodeBind(MemorySegment memory, long at, WorkRequest into) {
        into.operation = Operation.BIND;
        into.length = 0;
        into.remoteAddress = RxeBindWr.addr(memory, at);
        into.remoteKey = RxeBindWr.mwRkey(memory, at);
        into.bindLength = RxeBindWr.length(memory, at);
        into.bindRegionKey = RxeBindWr.mrLkey(memory, at);
        into.bindKey = RxeBindWr.rkey(memory, at);
        into.bindAccess = RxeBindWr.access(memory, at);
        return into.bindLength < 0 ? WorkCompletionStatus.MW_BIND_ERR : WorkCompletionStatus.SUCCESS;
    }

    private static WorkCompletionStatus decodeInline(MemorySegment memory, long at, Limits limits, WorkRequest into) {
        int room = Math.min(limits.maxInline(), limits.elementSize() - RxeSendWqe.SIZE);
        if (into.operation.isAnswered() || into.length > room) {
            return WorkCompletionStatus.LOC_QP_OP_ERR;
        }
        into.inline = memory;
        into.inlineAt = RxeSendWqe.inlineData(at);
        return WorkCompletionStatus.SUCCESS;
    }

    private static WorkCompletionStatus decodeElements(MemorySegment memory, long at, Limits limits, WorkRequest into) {
        int count = RxeSendWqe.dmaNumSge(memory, at);
        if (count < 0 || count > limits.maxSge()) {
            return WorkCompletionStatus.LOC_QP_OP_ERR;
        }
        for (int index = 0; index < count; index++) {
            copy(memory, RxeSendWqe.sge(at, index), into.sges);
        }
        if (into.length > limits.maxMessage()) {
            return WorkCompletionStatus.LOC_LEN_ERR;
        }
        return into.length > into.sges.bytes() ? WorkCompletionStatus.LOC_QP_OP_ERR : WorkCompletionStatus.SUCCESS;
    }

    private static void copy(MemorySegment memory, long at, SgeList into) {
        into.add(RxeSge.addr(memory, at), (int) RxeSge.length(memory, at), RxeSge.lkey(memory, at));
    }
}
