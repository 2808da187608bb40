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
    /** Inline bytes up to here are copied word by word. */
    private static final int SMALL = 256;
    /** A work request that is remembered takes an identifier, and a word with the count before it and its completion opcode. */
    private static final int SLOT = 2;

    private static final int HEAD_SHIFT = Byte.SIZE;

    final MemorySegment memory;
    private final SendQueueShape shape;
    private final long start;
    private final long byteMask;
    private final int blockMask;
    private final int requests;
    private final DeviceStores stores;
    private final MemorySegment records;
    private final long record;
    final Register register;
    private final AddressTable addresses;
    private final UmrWriter umr;
    private final int number;
    private final int extraUnits;
    private final int alwaysFlags;

    /** By the block in which a work request begins: {@link #SLOT}. */
    private final long[] slots;

    /** The work requests that the device has retired; the poller's to write. */
    private final AtomicInteger tail = new AtomicInteger();

    /** Blocks posted, and work requests posted. */
    int posted;

    private int head;
    private boolean fenceNext;
    /** Whether the device takes work requests at all. */
    private volatile boolean open;
    /** Up to here there was room when the tail was last looked at. */
    private int limit;

    /** The batch: blocks and work requests up to its end, and what the next one has to wait for. */
    private int nextBlock;

    private int nextHead;
    private boolean nextFence;

    /** The open work request, or the last one that was sealed. */
    private long at;

    /** See {@link WqeOperations#of}. */
    private int known;

    private int flags;
    private int immediate;
    private int units;
    /** What lies in its first block besides is kept until it is sealed, and written at once. */
    private long remoteAddress;

    private int remoteKey;
    private int firstUnit;
    private int firstLength;
    private int firstKey;
    private long firstAddress;
    private int inlined;
    private boolean failed;

    Mlx5SendQueue(
            MemorySegment memory,
            SendQueueShape shape,
            DeviceStores stores,
            DoorbellRecords.Slot record,
            Register register,
            QueuePairIdentity identity) {
        this.memory = memory;
        this.shape = shape;
        this.start = shape.offset();
        this.byteMask = shape.bytes() - 1;
        this.blockMask = Math.max(shape.blocks() - 1, 0);
        this.requests = shape.requests();
        this.limit = requests;
        this.stores = stores;
        this.records = record.memory();
        this.record = record.at() + DoorbellRecord.SEND;
        this.register = register;
        this.addresses = identity.addresses();
        this.number = identity.number();
        this.extraUnits = identity.type() == QueuePairType.UD ? WqeOperations.DATAGRAM_UNITS : 0;
        this.alwaysFlags = identity.signalAll() ? ControlSegment.COMPLETION : 0;
        // One also where there is no send queue: completions may name it nevertheless.
        this.slots = new long[SLOT * (blockMask + 1)];
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
        // Completions say how far the device is, and may say nonsense.
        return Math.clamp(head - tail.getAcquire(), 0, requests);
    }

    @Override
    public void begin() {
        if (nextHead != head || failed) {
            forget();
        }
    }

    /** Nothing of the batch was posted. */
    private void forget() {
        nextBlock = posted;
        nextHead = head;
        nextFence = fenceNext;
        failed = false;
    }

    @Override
    public boolean request(long id, int opcode) {
        int count = nextHead;
        if (count - limit >= 0 && !hasRoom(count)) {
            return false;
        }
        int block = nextBlock & blockMask;
        at = (long) block * ControlSegment.BLOCK;
        known = WqeOperations.of(opcode);
        units = WqeOperations.units(known) + extraUnits;
        slots[SLOT * block] = id;
        slots[SLOT * block + 1] = (long) count << HEAD_SHIFT | WqeOperations.completion(known);
        flags = 0;
        immediate = 0;
        inlined = 0;
        firstUnit = 0;
        return true;
    }

    /** Looks how far the device has got. */
    private boolean hasRoom(int count) {
        limit = head - outstanding() + requests;
        return count - limit < 0;
    }

    /** Where a 16-byte unit of the open work request lies; it may be back at the start of the queue. */
    private long unit(int index) {
        return start + (at + (long) index * ControlSegment.UNIT & byteMask);
    }

    @Override
    public void flags(int sendFlags) {
        flags = sendFlags;
    }

    @Override
    public void remote(long address, int rkey) {
        remoteAddress = address;
        remoteKey = rkey;
    }

    @Override
    public void immediate(int value) {
        immediate = value;
    }

    @Override
    public void invalidate(int rkey) {
        immediate = rkey;
        if (WqeOperations.completion(known) == WqeOperations.LOCAL_INV) {
            units = umr.invalidate(at);
        }
    }

    @Override
    public void atomic(long address, int rkey, long compareOrAdd, long swap) {
        remote(address, rkey);
        long segment = unit(2);
        if (WqeOperations.completion(known) == WqeOperations.COMP_SWAP) {
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
        int bytes = WqeOperations.isAtomic(WqeOperations.completion(known)) ? ATOMIC_BYTES : length;
        if (firstUnit == 0 && units < WqeOperations.UNITS_PER_BLOCK) {
            firstUnit = units;
            firstLength = bytes;
            firstKey = lkey;
            firstAddress = address;
        } else {
            DataSegment.set(memory, unit(units), bytes, lkey, address);
        }
        units++;
    }

    @Override
    public void inline(MemorySegment source, long offset, int length) {
        long position = at + (long) units * ControlSegment.UNIT + InlineSegment.SIZE + inlined;
        inlined += length;
        long target = position & byteMask;
        long room = shape.bytes() - target;
        if (length <= room && length <= SMALL) {
            Host.copySmall(source, offset, memory, start + target, length);
            return;
        }
        long first = Math.min(length, room);
        MemorySegment.copy(source, offset, memory, start + target, first);
        if (first < length) {
            MemorySegment.copy(source, offset + first, memory, start, length - first);
        }
    }

    @Override
    public void seal() {
        if (inlined > 0) {
            InlineSegment.setLengthAndMark(memory, unit(units), inlined | InlineSegment.MARK);
            units += (InlineSegment.SIZE + inlined + ControlSegment.UNIT - 1) / ControlSegment.UNIT;
        }
        int mode = alwaysFlags
                | ((flags & SIGNALED) != 0 ? ControlSegment.COMPLETION : 0)
                | ((flags & SOLICITED) != 0 ? ControlSegment.SOLICITED : 0)
                | fence();
        int opcode = WqeOperations.opcode(known);
        setNextFence(opcode == WqeOperations.UMR);
        // A block does not wrap.
        long block = start + at;
        ControlSegment.set(
                memory, block, ControlSegment.indexAndOpcode(nextBlock, opcode), number << 8 | units, mode, immediate);
        if (WqeOperations.isRemote(known)) {
            RemoteSegment.set(memory, block + ControlSegment.UNIT, remoteAddress, remoteKey);
        }
        if (firstUnit != 0) {
            DataSegment.set(
                    memory, block + (long) firstUnit * ControlSegment.UNIT, firstLength, firstKey, firstAddress);
        }
        nextBlock += units + WqeOperations.UNITS_PER_BLOCK - 1 >>> WqeOperations.BLOCK_SHIFT;
        nextHead++;
    }

    private void setNextFence(boolean next) {
        // A look costs less than a store, and it seldom changes.
        if (nextFence != next) {
            nextFence = next;
        }
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
        if (count == 0 || failed || !open) {
            return refuse(count);
        }
        posted = nextBlock;
        head = nextHead;
        if (fenceNext != nextFence) {
            fenceNext = nextFence;
        }
        stores.record(records, record, nextBlock & 0xffff);
        if (count == 1 && register.takes(units)) {
            int bytes = units * ControlSegment.UNIT + ControlSegment.BLOCK - 1 & -ControlSegment.BLOCK;
            register.flame(memory, shape, start + at, bytes);
        } else {
            register.ring(Be.getLong(memory, start + at));
        }
        return 0;
    }

    private int refuse(int count) {
        boolean hasFailed = failed;
        forget();
        if (!open) {
            return Errno.EINVAL;
        }
        return hasFailed && count != 0 ? Errno.EOPNOTSUPP : 0;
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
        limit = requests;
        forget();
        Be.setInt(records, record, 0);
    }

    /** A completion says that the work request in this block is done, and all before it. Returns its identifier. */
    long retire(int counter) {
        int slot = SLOT * (counter & blockMask);
        int retired = (int) (slots[slot + 1] >> HEAD_SHIFT) + 1;
        // The device retires in order: what an entry says that goes back was said by nobody.
        if (retired - tail.getPlain() > 0) {
            tail.setRelease(retired);
        }
        return slots[slot];
    }

    /** Everything is done: a test's way of emptying the queue. */
    void retireAll() {
        tail.setRelease(head);
    }

    /** Whether the next work request waits for a changed key. */
    void setFence(boolean next) {
        fenceNext = next;
        nextFence = next;
    }

    /** The completion opcode of what was posted in that block. */
    int operation(int counter) {
        return (byte) slots[SLOT * (counter & blockMask) + 1];
    }

    /**
     * Copies data that came inside a completion to where the READ or atomic operation wanted them; false if they do not
     * fit there.
     */
    boolean scatter(int counter, RegionTable regions, MemorySegment from, long source, long length) {
        if (requests == 0) {
            return false;
        }
        long begin = (long) (counter & blockMask) * ControlSegment.BLOCK;
        int count = ControlSegment.units(memory, start + begin);
        int first = WqeOperations.isAtomic(operation(counter)) ? 3 : 2;
        long left = length;
        for (int i = first; i < count && left > 0; i++) {
            long segment = start + (begin + (long) i * ControlSegment.UNIT & byteMask);
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
