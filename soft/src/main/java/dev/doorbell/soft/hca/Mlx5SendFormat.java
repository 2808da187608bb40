package dev.doorbell.soft.hca;

import dev.doorbell.kernel.abi.mlx5.AtomicSegment;
import dev.doorbell.kernel.abi.mlx5.ControlSegment;
import dev.doorbell.kernel.abi.mlx5.DataSegment;
import dev.doorbell.kernel.abi.mlx5.DatagramSegment;
import dev.doorbell.kernel.abi.mlx5.InlineSegment;
import dev.doorbell.kernel.abi.mlx5.MkeySegment;
import dev.doorbell.kernel.abi.mlx5.RemoteSegment;
import dev.doorbell.kernel.abi.mlx5.UmrSegment;
import dev.doorbell.kernel.abi.mlx5.WqeOpcode;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;

/**
 * Reads the send work requests of one mlx5 queue: a control segment, then what the operation needs, in units of 16 bytes
 * that go on at the start of the queue where they reach its end.
 *
 * <pre>
 *   control │ [address of a datagram] │ [remote address │ [atomic]] │ data … or inline
 *   control │ UMR control │ context of the key │ [data]
 * </pre>
 *
 * <p>Belongs to the queue, and its lock.
 */
final class Mlx5SendFormat {
    private static final int ATOMIC_BYTES = 8;
    private static final int OPCODE_SHIFT = 16;
    private static final int BYTE = 0xff;
    private static final int NUMBER_MASK = 0xff_ffff;
    private static final int UNITS_PER_BLOCK = ControlSegment.BLOCK / ControlSegment.UNIT;
    private static final int AV_UNITS = DatagramSegment.SIZE / ControlSegment.UNIT;
    private static final int UMR_UNITS = UmrSegment.SIZE / ControlSegment.UNIT;
    private static final int KEY_UNITS = MkeySegment.SIZE / ControlSegment.UNIT;

    /** Which fields of a key's context a UMR changes. */
    private static final long CHANGES_LENGTH = 1;

    private static final long CHANGES_QUEUE_PAIR = 1 << 14;

    /** Access, in a key's context. */
    private static final int KEY_LOCAL_WRITE = 0x08;

    private static final int KEY_REMOTE_READ = 0x10;
    private static final int KEY_REMOTE_WRITE = 0x20;
    private static final int KEY_ATOMIC = 0x40;

    private final MemorySegment memory;
    private final long mask;
    private final WorkRequestFormat.Limits limits;
    private final Mlx5Addresses addresses;

    private int blocks;
    /** Where the work request begins, its size in units, and which unit comes next. */
    private long start;

    private int units;
    private int unit;

    Mlx5SendFormat(Hca hca, MemorySegment memory, WorkRequestFormat.Limits limits, HcaProtectionDomain domain) {
        this.memory = memory;
        this.mask = memory.byteSize() - 1;
        this.limits = limits;
        this.addresses = new Mlx5Addresses(hca, domain);
    }

    /** The operation code of a work request, from its identifier. */
    static int opcode(long id) {
        return (int) id >>> OPCODE_SHIFT;
    }

    /** How many blocks the work request took that was decoded last; 0 if that cannot be said. */
    int blocks() {
        return blocks;
    }

    /**
     * Reads a work request.
     *
     * @param index of its first block, as the program counts them
     * @param most blocks that it can have
     */
    WorkCompletionStatus decode(int index, int most, WorkRequest into) {
        blocks = 0;
        into.id = index;
        into.flags = 0;
        into.length = 0;
        into.inline = null;
        into.destination = null;
        into.hasImmediate = false;
        into.hasInvalidate = false;
        into.sges.clear();
        try {
            return read(index, most, into);
        } catch (IllegalStateException closed) {
            return WorkCompletionStatus.LOC_QP_OP_ERR;
        }
    }

    private WorkCompletionStatus read(int index, int most, WorkRequest into) {
        start = (long) index * ControlSegment.BLOCK & mask;
        unit = 1;
        units = ControlSegment.units(memory, start);
        int opcode = ControlSegment.opcode(memory, start);
        into.id = index | (long) opcode << OPCODE_SHIFT;
        int size = (units + UNITS_PER_BLOCK - 1) / UNITS_PER_BLOCK;
        if (units == 0 || size > most || ControlSegment.index(memory, start) != index) {
            return WorkCompletionStatus.LOC_QP_OP_ERR;
        }
        blocks = size;
        into.flags = flags(ControlSegment.flags(memory, start));
        int immediate = ControlSegment.immediate(memory, start);
        if (opcode == WqeOpcode.UMR) {
            return readKeyChange(immediate, into);
        }
        if (limits.datagrams() && !readAddress(into)) {
            return WorkCompletionStatus.LOC_QP_OP_ERR;
        }
        return readOperation(opcode, immediate, into) ? readData(into) : WorkCompletionStatus.LOC_QP_OP_ERR;
    }

    private static int flags(int bits) {
        return ((bits & ControlSegment.COMPLETION) == 0 ? 0 : SendFlag.SIGNALED.bit())
                | ((bits & ControlSegment.SOLICITED) == 0 ? 0 : SendFlag.SOLICITED.bit())
                | ((bits & ControlSegment.FENCE) == 0 ? 0 : SendFlag.FENCE.bit());
    }

    private boolean readOperation(int opcode, int immediate, WorkRequest into) {
        into.immediate = immediate;
        into.invalidateKey = immediate;
        switch (opcode) {
            case WqeOpcode.SEND -> into.operation = Operation.SEND;
            case WqeOpcode.SEND_IMMEDIATE -> {
                into.operation = Operation.SEND;
                into.hasImmediate = true;
            }
            case WqeOpcode.SEND_INVALIDATE -> {
                into.operation = Operation.SEND;
                into.hasInvalidate = true;
            }
            case WqeOpcode.RDMA_WRITE -> into.operation = Operation.WRITE;
            case WqeOpcode.RDMA_WRITE_IMMEDIATE -> {
                into.operation = Operation.WRITE;
                into.hasImmediate = true;
            }
            case WqeOpcode.RDMA_READ -> into.operation = Operation.READ;
            case WqeOpcode.COMPARE_AND_SWAP -> into.operation = Operation.COMPARE_SWAP;
            case WqeOpcode.FETCH_AND_ADD -> into.operation = Operation.FETCH_ADD;
            default -> {
                return false;
            }
        }
        return into.operation == Operation.SEND || readRemote(into);
    }

    private boolean readRemote(WorkRequest into) {
        if (unit == units) {
            return false;
        }
        long at = here();
        into.remoteAddress = RemoteSegment.address(memory, at);
        into.remoteKey = RemoteSegment.key(memory, at);
        unit++;
        if (!into.operation.isAtomic()) {
            return true;
        }
        if (unit == units) {
            return false;
        }
        long atomic = here();
        unit++;
        long operand = AtomicSegment.swapOrAdd(memory, atomic);
        boolean swaps = into.operation == Operation.COMPARE_SWAP;
        into.compareAdd = swaps ? AtomicSegment.compare(memory, atomic) : operand;
        into.swap = swaps ? operand : 0;
        return true;
    }

    /** An address fills the rest of the first block, so it lies in one piece. */
    private boolean readAddress(WorkRequest into) {
        if (units < 1 + AV_UNITS) {
            return false;
        }
        long at = here();
        unit += AV_UNITS;
        into.remoteQkey = DatagramSegment.qkey(memory, at);
        into.remoteQueuePair = DatagramSegment.destination(memory, at) & NUMBER_MASK;
        into.destination = addresses.find(memory, at);
        return into.destination != null;
    }

    private WorkCompletionStatus readData(WorkRequest into) {
        while (unit < units) {
            long at = here();
            int length = DataSegment.length(memory, at);
            // 2 GiB is written as it is, and looks like inline data of no bytes, which nobody writes.
            if (length < 0 && length != InlineSegment.MARK) {
                if (!readInline(into, length & ~InlineSegment.MARK)) {
                    return WorkCompletionStatus.LOC_QP_OP_ERR;
                }
            } else {
                if (into.inline != null || into.sges.count() == limits.maxSge()) {
                    return WorkCompletionStatus.LOC_QP_OP_ERR;
                }
                // No bytes stand for 2 GiB too, as on an adapter: a driver leaves such an element out.
                int bytes = length == 0 ? InlineSegment.MARK : length;
                into.sges.add(DataSegment.addr(memory, at), bytes, DataSegment.key(memory, at));
                unit++;
            }
        }
        if (into.inline == null) {
            into.length = into.sges.bytes();
        }
        if (into.operation.isAtomic()) {
            boolean fits = into.length >= ATOMIC_BYTES;
            into.length = ATOMIC_BYTES;
            return fits ? WorkCompletionStatus.SUCCESS : WorkCompletionStatus.LOC_LEN_ERR;
        }
        return into.length > limits.maxMessage() ? WorkCompletionStatus.LOC_LEN_ERR : WorkCompletionStatus.SUCCESS;
    }

    /** Inline data stays where it is if it lies in one piece; otherwise it is copied. */
    private boolean readInline(WorkRequest into, int length) {
        // The length is anything below 2 GiB.
        long taken = ((long) InlineSegment.SIZE + length + ControlSegment.UNIT - 1) / ControlSegment.UNIT;
        if (taken > units - unit || into.sges.count() != 0 || into.operation.isAnswered()) {
            return false;
        }
        long at = here() + InlineSegment.SIZE;
        unit += (int) taken;
        if (into.inline == null && at + length <= memory.byteSize()) {
            into.inline = memory;
            into.inlineAt = at;
            into.length = length;
            return true;
        }
        MemorySegment scratch = into.scratch();
        if (memory.equals(into.inline)) {
            MemorySegment.copy(memory, into.inlineAt, scratch, 0, into.length);
        }
        long whole = Math.min(length, memory.byteSize() - at);
        MemorySegment.copy(memory, at, scratch, into.length, whole);
        MemorySegment.copy(memory, 0, scratch, into.length + whole, length - whole);
        into.inline = scratch;
        into.inlineAt = 0;
        into.length += length;
        return true;
    }

    /** BIND MW and LOCAL INV change the context of a key, whose present value stands in place of an immediate. */
    private WorkCompletionStatus readKeyChange(int key, WorkRequest into) {
        if (units < 1 + UMR_UNITS + KEY_UNITS) {
            return WorkCompletionStatus.LOC_QP_OP_ERR;
        }
        long changes = UmrSegment.mask(memory, here());
        unit += UMR_UNITS;
        long context = here();
        unit += KEY_UNITS;
        int number = MkeySegment.queuePairAndKey(memory, context);
        boolean opens = (changes & CHANGES_LENGTH) != 0;
        if (!opens && (changes & CHANGES_QUEUE_PAIR) != 0 && (number & BYTE) == 0) {
            into.operation = Operation.INVALIDATE;
            into.invalidateKey = key;
            return WorkCompletionStatus.SUCCESS;
        }
        into.operation = Operation.BIND;
        into.remoteKey = key;
        into.bindKey = number & BYTE;
        into.bindLength = 0;
        into.bindAccess = access(MkeySegment.access(memory, context));
        into.bindRegionKey = 0;
        into.remoteAddress = 0;
        return !opens || readBound(context, into) ? WorkCompletionStatus.SUCCESS : WorkCompletionStatus.MW_BIND_ERR;
    }

    private boolean readBound(long context, WorkRequest into) {
        if (unit == units) {
            return false;
        }
        long at = here();
        long base = MkeySegment.address(memory, context);
        into.remoteAddress = DataSegment.addr(memory, at);
        into.bindRegionKey = DataSegment.key(memory, at);
        into.bindLength = MkeySegment.len(memory, context);
        if (base != into.remoteAddress) {
            into.bindAccess |= AccessFlag.ZERO_BASED.bit();
        }
        return into.bindLength >= 0
                && into.bindLength <= Integer.toUnsignedLong(DataSegment.length(memory, at))
                && (base == 0 || base == into.remoteAddress);
    }

    private static int access(int bits) {
        return ((bits & KEY_LOCAL_WRITE) == 0 ? 0 : AccessFlag.LOCAL_WRITE.bit())
                | ((bits & KEY_REMOTE_READ) == 0 ? 0 : AccessFlag.REMOTE_READ.bit())
                | ((bits & KEY_REMOTE_WRITE) == 0 ? 0 : AccessFlag.REMOTE_WRITE.bit())
                | ((bits & KEY_ATOMIC) == 0 ? 0 : AccessFlag.REMOTE_ATOMIC.bit());
    }

    /** Where the next unit lies. */
    private long here() {
        return start + (long) unit * ControlSegment.UNIT & mask;
    }
}
