package dev.doorbell.mlx5;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.mlx5.AtomicSegment;
import dev.doorbell.kernel.abi.mlx5.ControlSegment;
import dev.doorbell.kernel.abi.mlx5.DataSegment;
import dev.doorbell.kernel.abi.mlx5.DatagramSegment;
import dev.doorbell.kernel.abi.mlx5.DoorbellRecord;
import dev.doorbell.kernel.abi.mlx5.InlineSegment;
import dev.doorbell.kernel.abi.mlx5.RemoteSegment;
import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.memory.Padded;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.verbs.spi.SendQueue;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A send queue: work requests are written into 64-byte blocks of a ring in the program's memory, and {@link #commit} tells the
 * device how many blocks are there, by the doorbell record, and to look, by a register.
 *
 * <pre>
 *   block   │ control 16 │ datagram 48 │   where the operation has them; each segment has its place
 *   block   │ remote 16 │ atomic 16 │ data 16 │ data 16 │     before it is written, so setters may
 *   ...                                                      come in any order
 * </pre>
 *
 * <p>What the device retires is seen in completions only: the completion queue moves {@link #tail} on.
 *
 * <p>Thread rules: calls are serialised by the caller, but for {@link #retire}, which the poller of completions calls.
 */
final class Mlx5SendQueue extends Padded implements SendQueue {
    private static final int SIGNALED = SendFlag.SIGNALED.bit();
    private static final int SOLICITED = SendFlag.SOLICITED.bit();
    private static final int FENCE = SendFlag.FENCE.bit();
    private static final int ATOMIC_BYTES = 8;

    final MemorySegment memory;
    private final SendQueueShape shape;
    private final DoorbellRecords.Slot record;
    final Register register;
    private final AddressTable addresses;
    private final UmrWriter umr;
    private final int number;
    private final boolean datagrams;
    private final int alwaysFlags;
    private final long byteMask;
    private final int blockMask;

    /** By the block in which a work request begins. */
    private final long[] ids;
    /** By the block: the count of work requests before it. */
    private final int[] heads;
    /** By the block: the completion opcode of an operation that the completion does not tell. */
    private final byte[] operations;

    /** The work requests that the device has retired; the poller's to write. */
    private final AtomicInteger tail = new AtomicInteger();

    /** Blocks posted, and work requests posted. */
    int posted;

    private int head;
    private boolean fenceNext;
    /** Whether the device takes work requests at all. */
    private volatile boolean open;

    /** The batch: blocks and work requests up to its end, and what the next one has to wait for. */
    private int nextBlock;

    private int nextHead;
    private boolean nextFence;
    private int lastBlock;
    private int lastUnits;

    /** The open work request. */
    private long at;

    private int opcode;
    private int flags;
    private int immediate;
    private int operation;
    private int units;
    private int inlined;
    private boolean failed;

    Mlx5SendQueue(
            MemorySegment memory,
            SendQueueShape shape,
            DoorbellRecords.Slot record,
            Register register,
            QueuePairIdentity identity) {
        this.memory = memory;
        this.shape = shape;
        this.record = record;
        this.register = register;
        this.addresses = identity.addresses();
        this.number = identity.number();
        this.datagrams = identity.type() == QueuePairType.UD;
        this.alwaysFlags = identity.signalAll() ? ControlSegment.COMPLETION : 0;
        this.byteMask = shape.bytes() - 1;
        this.blockMask = shape.blocks() - 1;
        this.ids = new long[shape.blocks()];
        this.heads = new int[shape.blocks()];
        this.operations = new byte[shape.blocks()];
        this.umr = new UmrWriter(memory, shape, identity.windows());
    }

    SendQueueShape shape() {
        return shape;
    }

    @Override
    public int capacity() {
        return shape.requests();
    }

    @Override
    public int maxSge() {
        return shape.maxSge();
    }

    @Override
    public int maxInline() {
        return shape.maxInline();
    }

    @Override
    public int outstanding() {
        return head - tail.getAcquire();
    }

    @Override
    public void begin() {
        nextBlock = posted;
        nextHead = head;
        nextFence = fenceNext;
        failed = false;
    }

    @Override
    public boolean request(long id, int opcode) {
        if (nextHead - tail.getAcquire() >= shape.requests()) {
            return false;
        }
        int block = nextBlock & blockMask;
        at = (long) block * ControlSegment.BLOCK;
        ids[block] = id;
        heads[block] = nextHead;
        this.opcode = WqeOperations.opcode(opcode);
        operation = WqeOperations.completion(opcode);
        operations[block] = (byte) operation;
        units = WqeOperations.units(opcode, datagrams);
        flags = 0;
        immediate = 0;
        inlined = 0;
        return true;
    }

    /** Where a 16-byte unit of the open work request lies; it may be back at the start of the queue. */
    private long unit(int index) {
        return shape.offset() + (at + (long) index * ControlSegment.UNIT & byteMask);
    }

    @Override
    public void flags(int sendFlags) {
        flags = sendFlags;
    }

    @Override
    public void remote(long address, int rkey) {
        long segment = unit(1);
        RemoteSegment.setAddress(memory, segment, address);
        RemoteSegment.setKey(memory, segment, rkey);
        RemoteSegment.setReserved(memory, segment, 0);
    }

    @Override
    public void immediate(int value) {
        immediate = value;
    }

    @Override
    public void invalidate(int rkey) {
        immediate = rkey;
        if (operation == WqeOperations.LOCAL_INV) {
            units = umr.invalidate(at);
        }
    }

    @Override
    public void atomic(long address, int rkey, long compareOrAdd, long swap) {
        remote(address, rkey);
        long segment = unit(2);
        if (operation == WqeOperations.COMP_SWAP) {
            AtomicSegment.setSwapOrAdd(memory, segment, swap);
            AtomicSegment.setCompare(memory, segment, compareOrAdd);
        } else {
            AtomicSegment.setSwapOrAdd(memory, segment, compareOrAdd);
        }
    }

    @Override
    public void bind(long address, long length, int lkey, int windowKey, int nextKey, int access) {
        immediate = windowKey;
        if (length > UmrWriter.MAX_LENGTH || length < 0) {
            failed = true;
        } else if (length == 0) {
            units = umr.shut(at, windowKey, nextKey);
        } else {
            units = umr.bind(at, number, windowKey, nextKey, access);
            umr.range(at, address, length, lkey, AccessFlag.ZERO_BASED.isIn(access));
        }
    }

    @Override
    public void datagram(int addressHandle, int remoteQueuePair, int remoteQkey) {
        long segment = unit(1);
        addresses.write(addressHandle, memory, segment);
        DatagramSegment.setQkey(memory, segment, remoteQkey);
        DatagramSegment.setReserved(memory, segment, 0);
        DatagramSegment.setDestination(memory, segment, remoteQueuePair | DatagramSegment.EXTENDED);
    }

    /** An element without bytes is left out: in a work request, length 0 does not mean that. */
    @Override
    public void sge(long address, int length, int lkey) {
        if (length == 0) {
            return;
        }
        long segment = unit(units);
        DataSegment.setLength(memory, segment, WqeOperations.isAtomic(operation) ? ATOMIC_BYTES : length);
        DataSegment.setKey(memory, segment, lkey);
        DataSegment.setAddr(memory, segment, address);
        units++;
    }

    @Override
    public void inline(MemorySegment source, long offset, int length) {
        long position = at + (long) units * ControlSegment.UNIT + InlineSegment.SIZE + inlined;
        inlined += length;
        long target = position & byteMask;
        long room = shape.bytes() - target;
        if (length == Long.BYTES && room >= length) {
            // The most frequent length by far, and a bulk copy takes several times as long.
            Host.setLong(memory, shape.offset() + target, Host.getLong(source, offset));
            return;
        }
        long first = Math.min(length, room);
        MemorySegment.copy(source, offset, memory, shape.offset() + target, first);
        if (first < length) {
            MemorySegment.copy(source, offset + first, memory, shape.offset(), length - first);
        }
    }

    @Override
    public void seal() {
        if (inlined > 0) {
            InlineSegment.setLengthAndMark(memory, unit(units), inlined | InlineSegment.MARK);
            units += (InlineSegment.SIZE + inlined + ControlSegment.UNIT - 1) / ControlSegment.UNIT;
        }
        long control = shape.offset() + at;
        int mode = alwaysFlags
                | ((flags & SIGNALED) != 0 ? ControlSegment.COMPLETION : 0)
                | ((flags & SOLICITED) != 0 ? ControlSegment.SOLICITED : 0)
                | fence();
        nextFence = opcode == WqeOperations.UMR;
        ControlSegment.setIndexAndOpcode(memory, control, ControlSegment.indexAndOpcode(nextBlock, opcode));
        ControlSegment.setQueuePairAndUnits(memory, control, number << 8 | units);
        // Signature and stream are 0: one word with the flags.
        Be.setInt(memory, control + 2 * Integer.BYTES, mode);
        ControlSegment.setImmediate(memory, control, immediate);
        lastBlock = nextBlock;
        lastUnits = units;
        nextBlock += (units * ControlSegment.UNIT + ControlSegment.BLOCK - 1) / ControlSegment.BLOCK;
        nextHead++;
    }

    /** The fence that was asked for covers the small one. */
    private int fence() {
        if ((flags & FENCE) != 0) {
            return ControlSegment.FENCE;
        }
        return nextFence ? ControlSegment.SMALL_FENCE : 0;
    }

    @Override
    public int commit() {
        int count = nextHead - head;
        if (failed || !open) {
            begin();
            return count == 0 && open ? 0 : open ? Errno.EOPNOTSUPP : Errno.EINVAL;
        }
        if (count == 0) {
            return 0;
        }
        posted = nextBlock;
        head = nextHead;
        fenceNext = nextFence;
        long from = shape.offset() + (long) (lastBlock & blockMask) * ControlSegment.BLOCK;
        long at = record.at() + DoorbellRecord.SEND;
        if (count == 1 && register.takes(lastUnits)) {
            int bytes = lastUnits * ControlSegment.UNIT + ControlSegment.BLOCK - 1 & -ControlSegment.BLOCK;
            register.flame(record.memory(), at, posted & 0xffff, memory, shape, from, bytes);
        } else {
            register.ring(record.memory(), at, posted & 0xffff, Be.getLong(memory, from));
        }
        return 0;
    }

    /** The device takes work requests from now on, or no more. */
    void setOpen(boolean open) {
        this.open = open;
    }

    /** The queue pair was reset: everything begins anew. */
    void reset() {
        posted = 0;
        head = 0;
        fenceNext = false;
        tail.setRelease(0);
        begin();
        record.memory()
                .asSlice(record.at() + DoorbellRecord.SEND, Integer.BYTES)
                .fill((byte) 0);
    }

    /** A completion says that the work request in this block is done, and all before it. Returns its identifier. */
    long retire(int counter) {
        int block = counter & blockMask;
        tail.setRelease(heads[block] + 1);
        return ids[block];
    }

    /** Everything is done: a test's way of emptying the queue. */
    void retireAll() {
        tail.setRelease(head);
    }

    /** Whether the next work request waits for a changed key. */
    void setFence(boolean next) {
        fenceNext = next;
    }

    /** The completion opcode of what was posted in that block. */
    int operation(int counter) {
        return operations[counter & blockMask];
    }

    /**
     * Copies data that came inside a completion to where the READ or atomic operation wanted them; false if they do not
     * fit there.
     */
    boolean scatter(int counter, RegionTable regions, MemorySegment from, long source, long length) {
        long start = (long) (counter & blockMask) * ControlSegment.BLOCK;
        int count = ControlSegment.units(memory, shape.offset() + start);
        int first = WqeOperations.isAtomic(operation(counter)) ? 3 : 2;
        long left = length;
        for (int i = first; i < count && left > 0; i++) {
            long segment = shape.offset() + (start + (long) i * ControlSegment.UNIT & byteMask);
            long part = Math.min(left, Integer.toUnsignedLong(DataSegment.length(memory, segment)));
            if (!regions.copy(
                    from,
                    source + length - left,
                    DataSegment.key(memory, segment),
                    DataSegment.addr(memory, segment),
                    part)) {
                return false;
            }
            left -= part;
        }
        return left == 0;
    }
}
