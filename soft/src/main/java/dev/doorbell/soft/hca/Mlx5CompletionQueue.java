package dev.doorbell.soft.hca;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.mlx5.Cqe;
import dev.doorbell.kernel.abi.mlx5.CqeOpcode;
import dev.doorbell.kernel.abi.mlx5.DoorbellRecord;
import dev.doorbell.kernel.abi.mlx5.ErrorCqe;
import dev.doorbell.kernel.abi.mlx5.Syndrome;
import dev.doorbell.memory.Barriers;
import dev.doorbell.memory.Shared;
import dev.doorbell.spec.WorkCompletionFlag;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;

/**
 * A completion queue as mlx5 has them, in memory of the program. An entry belongs to the program when its last byte says
 * so, which changes from lap to lap; in the doorbell record the program counts what it has read, and says for what it
 * wants an event.
 *
 * <p>Hardware learns of the wish from a store to its registers. Here nobody sees that store, and the word in the record may
 * be the same as before; so the device takes the wish away when it fulfils it. Programs do not read that word.
 *
 * <p>Memory that is gone is a queue without room.
 */
public final class Mlx5CompletionQueue extends HcaCompletionQueue {
    private static final int GRH = WorkCompletionFlag.GRH.bit();
    private static final int WITH_IMM = WorkCompletionFlag.WITH_IMM.bit();
    private static final int WITH_INV = WorkCompletionFlag.WITH_INV.bit();
    private static final int OPCODE_SHIFT = 4;
    private static final int COUNTER_SHIFT = 16;
    private static final int NUMBER_SHIFT = 24;
    private static final int NUMBER_MASK = 0xff_ffff;
    private static final int HAS_GRH = 1 << 28;

    /** The last four bytes of an entry: the counter, a signature, operation code and owner. */
    private static final int COUNTER_AND_OWNER = 60;

    /** No program writes this wish. */
    private static final int NOT_ARMED = -1;

    private final Hca clock;
    private final MemorySegment record;

    private MemorySegment memory;
    private int entrySize;
    private int entries;
    private int producer;

    /** As the program's count was read last. */
    private int consumer;

    /**
     * Where it lies.
     *
     * @param memory the entries: native memory of a shared or automatic arena, a power of two of them
     * @param record the doorbell record, 8 bytes
     * @param entrySize 64 or 128; of these the last 64 count
     */
    public record Place(MemorySegment memory, MemorySegment record, int entrySize) {
        /** How many entries it has. */
        public int entries() {
            return (int) (memory.byteSize() / entrySize);
        }
    }

    Mlx5CompletionQueue(Hca clock, Place place, CompletionListener listener, boolean ignoresOverrun) {
        super(listener, ignoresOverrun);
        this.clock = clock;
        this.record = place.record;
        this.memory = place.memory;
        this.entrySize = place.entrySize;
        this.entries = place.entries();
        disarm();
    }

    /**
     * Goes on in other memory. The last entry in the present one says so; the program moves what it has not read before
     * that.
     *
     * @param next the entries
     * @param nextSize bytes of one of them
     * @return 0, or EINVAL if more than that wait
     */
    public int resize(MemorySegment next, int nextSize) {
        return alone(() -> move(next, nextSize));
    }

    private int move(MemorySegment next, int nextSize) {
        int capacity = (int) (next.byteSize() / nextSize);
        if (waiting() > capacity - 2) {
            return Errno.EINVAL;
        }
        try {
            hand(cqe(), 0, CqeOpcode.RESIZE);
        } catch (IllegalStateException closed) {
            return Errno.EFAULT;
        }
        memory = next;
        entrySize = nextSize;
        entries = capacity;
        return 0;
    }

    /** How many completions the program has not read. */
    private int waiting() {
        try {
            consumer = Integer.reverseBytes(Shared.getIntAcquire(record, DoorbellRecord.CONSUMER));
        } catch (IllegalStateException closed) {
            return entries;
        }
        return producer - consumer & NUMBER_MASK;
    }

    /** One entry stays free, for the mark of a queue that moves. */
    private boolean hasRoom() {
        return (producer - consumer & NUMBER_MASK) < entries - 1 || waiting() < entries - 1;
    }

    @Override
    boolean add(Completion completion) {
        if (!hasRoom()) {
            return false;
        }
        try {
            write(completion, cqe());
            return true;
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    private long cqe() {
        return (long) (producer & entries - 1) * entrySize + entrySize - Cqe.SIZE;
    }

    private void write(Completion completion, long at) {
        int number = completion.queuePair;
        if (completion.ofSend) {
            number |= Mlx5SendFormat.opcode(completion.id) << NUMBER_SHIFT;
        }
        Cqe.setUserIndex(memory, at, completion.userIndex);
        Cqe.setOpcodeAndQueuePair(memory, at, number);
        if (completion.status == WorkCompletionStatus.SUCCESS) {
            writeSuccess(completion, at);
        } else {
            ErrorCqe.setSyndrome(memory, at, syndrome(completion.status));
        }
        hand(at, (int) completion.id & Mlx5Receives.INDEX_MASK, opcode(completion));
    }

    private void writeSuccess(Completion completion, long at) {
        int source = completion.sourceQueuePair & NUMBER_MASK;
        int flags = completion.flags;
        Cqe.setFlagsAndSource(memory, at, (flags & GRH) == 0 ? source : source | HAS_GRH);
        Cqe.setImmediate(memory, at, (flags & WITH_INV) == 0 ? completion.immediate : completion.invalidatedKey);
        Cqe.setLength(memory, at, (int) completion.bytes);
        Cqe.setTimestamp(memory, at, clock.nowNs());
    }

    /** Everything else of the entry is written: it becomes the program's. */
    private void hand(long at, int counter, int opcode) {
        int owner = (producer & entries) == 0 ? 0 : 1;
        int word = counter << COUNTER_SHIFT | opcode << OPCODE_SHIFT | owner;
        Shared.setIntRelease(memory, at + COUNTER_AND_OWNER, Integer.reverseBytes(word));
        producer++;
    }

    private static int opcode(Completion completion) {
        boolean succeeded = completion.status == WorkCompletionStatus.SUCCESS;
        if (completion.ofSend) {
            return succeeded ? CqeOpcode.REQUEST : CqeOpcode.REQUEST_ERROR;
        }
        if (!succeeded) {
            return CqeOpcode.RESPONSE_ERROR;
        }
        if (completion.opcode == WorkCompletionOpcode.RECV_RDMA_WITH_IMM) {
            return CqeOpcode.RECEIVED_WRITE_IMMEDIATE;
        }
        if ((completion.flags & WITH_INV) != 0) {
            return CqeOpcode.RECEIVED_SEND_INVALIDATE;
        }
        return (completion.flags & WITH_IMM) != 0 ? CqeOpcode.RECEIVED_SEND_IMMEDIATE : CqeOpcode.RECEIVED_SEND;
    }

    /** As the hardware numbers what goes wrong; what it has no number for is a bad response. */
    private static int syndrome(WorkCompletionStatus status) {
        return switch (status) {
            case LOC_LEN_ERR -> Syndrome.LOCAL_LENGTH;
            case LOC_QP_OP_ERR -> Syndrome.LOCAL_QP_OPERATION;
            case LOC_PROT_ERR -> Syndrome.LOCAL_PROTECTION;
            case WR_FLUSH_ERR -> Syndrome.FLUSHED;
            case MW_BIND_ERR -> Syndrome.WINDOW_BIND;
            case LOC_ACCESS_ERR -> Syndrome.LOCAL_ACCESS;
            case REM_INV_REQ_ERR -> Syndrome.REMOTE_INVALID_REQUEST;
            case REM_ACCESS_ERR -> Syndrome.REMOTE_ACCESS;
            case REM_OP_ERR -> Syndrome.REMOTE_OPERATION;
            case RETRY_EXC_ERR -> Syndrome.TRANSPORT_RETRIES;
            case RNR_RETRY_EXC_ERR -> Syndrome.RNR_RETRIES;
            case REM_ABORT_ERR -> Syndrome.REMOTE_ABORTED;
            default -> Syndrome.BAD_RESPONSE;
        };
    }

    /** Rule 3.11: armed for solicited completions, a queue also fires for failed ones. */
    @Override
    boolean claimEvent(Completion completion) {
        // The program states its wish and then looks once more for completions: one of the two sees the other.
        Barriers.storeLoad();
        try {
            int wish = Integer.reverseBytes(Shared.getIntAcquire(record, DoorbellRecord.ARM));
            boolean fires = wish != NOT_ARMED
                    && ((wish & DoorbellRecord.ARM_SOLICITED) == 0
                            || completion.solicited
                            || completion.status != WorkCompletionStatus.SUCCESS);
            if (fires) {
                disarm();
            }
            return fires;
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    private void disarm() {
        Shared.setIntRelease(record, DoorbellRecord.ARM, NOT_ARMED);
    }
}
