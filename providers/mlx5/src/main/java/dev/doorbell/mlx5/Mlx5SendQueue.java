package dev.doorbell.mlx5;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.mlx5.AtomicSegment;
import dev.doorbell.kernel.abi.mlx5.ControlSegment;
import dev.doorbell.kernel.abi.mlx5.DataSegment;
import dev.doorbell.kernel.abi.mlx5.DatagramSegment;
import dev.doorbell.kernel.abi.mlx5.DoorbellRecord;
import dev.doorbell.kernel.abi.mlx5.InlineSegment;
import dev.doorbell.kernel.abi.mlx5.RemoteSegment;
import dev.doorbell.memory.Padded;
import dev.doorbell.memory.Words;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.verbs.spi.SendQueue;
import java.lang.foreign.MemorySegment;

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
 * <p>What the device retires is seen in completions only: the completion queue moves {@link PostedRequests#retire} on.
 *
 * <p>Thread rules: calls are serialised by the caller, but for {@link #sent}, which is for the poller of completions too.
 */
final class Mlx5SendQueue extends Padded implements SendQueue {
    private static final int SIGNALED = SendFlag.SIGNALED.bit();
    private static final int SOLICITED = SendFlag.SOLICITED.bit();
    private static final int FENCE = SendFlag.FENCE.bit();
    private static final int ATOMIC_BYTES = 8;
    /** Inline bytes up to here are copied word by word. */
    private static final int SMALL = 64;

    final MemorySegment memory;
    private final Words ring;
    private final SendQueueShape shape;
    private final long start;
    private final long byteMask;
    private final int blockMask;
    private final int requests;
    private final DeviceStores stores;
    private final Words records;
    private final long record;
    final Register register;
    private final AddressTable addresses;
    private final UmrWriter umr;
    private final int number;
    private final int extraUnits;
    private final int alwaysFlags;

    private final PostedRequests sent;

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
        this.ring = new Words(memory.asSlice(start, shape.bytes()));
        this.byteMask = shape.bytes() - 1;
        this.blockMask = Math.max(shape.blocks() - 1, 0);
        this.requests = shape.requests();
        this.limit = requests;
        this.stores = stores;
        this.records = new Words(record.memory());
        this.record = record.at() + DoorbellRecord.SEND;
        this.register = register;
        this.addresses = identity.addresses();
        this.number = identity.number();
        this.extraUnits = identity.type() == QueuePairType.UD ? WqeOperations.DATAGRAM_UNITS : 0;
        this.alwaysFlags = identity.signalAll() ? ControlSegment.COMPLETION : 0;
        this.sent = new PostedRequests(shape.blocks());
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
        return Math.clamp(head - sent.retired(), 0, requests);
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
        sent.note(block, id, count, WqeOperations.completion(known));
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
            element(unit(units) - start, address, bytes, lkey);
        }
        units++;
    }

    @Override
    public void inline(MemorySegment source, long offset, int length) {
        long mark = at + (long) units * ControlSegment.UNIT & byteMask;
        if (inlined == 0 && isSmall(mark, length)) {
            ring.fill(mark, length | InlineSegment.MARK, source, offset, length);
            inlined = length;
            return;
        }
        long target = mark + InlineSegment.SIZE + inlined & byteMask;
        long first = Math.min(length, byteMask + 1 - target);
        MemorySegment.copy(source, offset, memory, start + target, first);
        if (first < length) {
            MemorySegment.copy(source, offset + first, memory, start, length - first);
        }
        inlined += length;
        ring.setInt(mark, inlined | InlineSegment.MARK);
    }

    /** Whether inline bytes can be copied in words, where their segment begins at {@code mark}. */
    private boolean isSmall(long mark, int length) {
        return length >= Long.BYTES && length <= SMALL && mark + InlineSegment.SIZE + length <= byteMask;
    }

    @Override
    public void seal() {
        if (inlined > 0) {
            units += inlineUnits(inlined);
        }
        int mode = mode(flags, nextFence);
        int opcode = WqeOperations.opcode(known);
        setNextFence(opcode == WqeOperations.UMR);
        // A block does not wrap.
        control(at, nextBlock, opcode, units, mode, immediate);
        if (WqeOperations.isRemote(known)) {
            remote(at, remoteAddress, remoteKey);
        }
        if (firstUnit != 0) {
            element(at + (long) firstUnit * ControlSegment.UNIT, firstAddress, firstLength, firstKey);
        }
        nextBlock += blocks(units);
        nextHead++;
    }

    /** {@link ControlSegment}, whole. */
    private void control(long block, int index, int opcode, int units, int mode, int immediate) {
        ring.setLongs(
                block,
                ControlSegment.head(ControlSegment.indexAndOpcode(index, opcode), number << Byte.SIZE | units),
                ControlSegment.tail(mode, immediate));
    }

    /** {@link RemoteSegment}, whole. */
    private void remote(long block, long address, int rkey) {
        ring.setLongs(block + ControlSegment.UNIT, address, RemoteSegment.tail(rkey));
    }

    /** {@link DataSegment}, whole. */
    private void element(long segment, long address, int length, int lkey) {
        ring.setLongs(segment, DataSegment.head(length, lkey), address);
    }

    /** The fence that was asked for covers the small one. */
    private int mode(int flags, boolean small) {
        return alwaysFlags
                | ((flags & SIGNALED) != 0 ? ControlSegment.COMPLETION : 0)
                | ((flags & SOLICITED) != 0 ? ControlSegment.SOLICITED : 0)
                | ((flags & FENCE) != 0 ? ControlSegment.FENCE : small ? ControlSegment.SMALL_FENCE : 0);
    }

    private static int inlineUnits(int bytes) {
        return (InlineSegment.SIZE + bytes + ControlSegment.UNIT - 1) / ControlSegment.UNIT;
    }

    private static int blocks(int units) {
        return units + WqeOperations.UNITS_PER_BLOCK - 1 >>> WqeOperations.BLOCK_SHIFT;
    }

    private void setNextFence(boolean next) {
        // A look costs less than a store, and it seldom changes.
        if (nextFence != next) {
            nextFence = next;
        }
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
        tell(at, count == 1 ? units : 0);
        return 0;
    }

    /** Announces what was posted last, with the register's help. The units are those of the only work request, or none. */
    private void tell(long block, int units) {
        stores.record(records, record, posted & 0xffff);
        if (register.takes(units)) {
            register.flame(ring, block, byteMask + 1, blocks(units) * ControlSegment.BLOCK);
        } else {
            register.ring(ring.getLong(block));
        }
    }

    /** {@inheritDoc} Nothing is kept between its calls: all of it is written at once. */
    @Override
    public int post(long id, int operation, long remoteAddress, int rkey, long address, int length, int lkey) {
        int what = WqeOperations.of(SendQueue.opcodeOf(operation));
        if (head - limit >= 0 && !hasRoom(head)) {
            return FULL;
        }
        long block = (long) (posted & blockMask) * ControlSegment.BLOCK;
        int count = WqeOperations.units(what);
        if (length != 0) {
            element(block + (long) count * ControlSegment.UNIT, address, length, lkey);
            count++;
        }
        return post(id, what, SendQueue.flagsOf(operation), remoteAddress, rkey, count);
    }

    @Override
    public int postInline(
            long id, int operation, long remoteAddress, int rkey, MemorySegment source, long offset, int length) {
        int what = WqeOperations.of(SendQueue.opcodeOf(operation));
        if (head - limit >= 0 && !hasRoom(head)) {
            return FULL;
        }
        int count = WqeOperations.units(what);
        long mark = (long) (posted & blockMask) * ControlSegment.BLOCK + (long) count * ControlSegment.UNIT;
        if (!isSmall(mark, length)) {
            return SendQueue.super.postInline(id, operation, remoteAddress, rkey, source, offset, length);
        }
        ring.fill(mark, length | InlineSegment.MARK, source, offset, length);
        return post(id, what, SendQueue.flagsOf(operation), remoteAddress, rkey, count + inlineUnits(length));
    }

    private int post(long id, int what, int flags, long remoteAddress, int rkey, int units) {
        if (!open) {
            return Errno.EINVAL;
        }
        int index = posted & blockMask;
        long block = (long) index * ControlSegment.BLOCK;
        sent.note(index, id, head, WqeOperations.completion(what));
        control(block, posted, WqeOperations.opcode(what), units, mode(flags, fenceNext), 0);
        if (WqeOperations.isRemote(what)) {
            remote(block, remoteAddress, rkey);
        }
        posted += blocks(units);
        nextBlock = posted;
        nextHead = ++head;
        if (fenceNext) {
            setFence(false);
        }
        tell(block, units);
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
        sent.retired(0);
        limit = requests;
        forget();
        records.setInt(record, 0);
    }

    /** What was posted, for the poller of completions. */
    PostedRequests sent() {
        return sent;
    }

    /** Everything is done: a test's way of emptying the queue. */
    void retireAll() {
        sent.retired(head);
    }

    /** Whether the next work request waits for a changed key. */
    void setFence(boolean next) {
        fenceNext = next;
        nextFence = next;
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
        int first = WqeOperations.isAtomic(sent.operation(counter)) ? 3 : 2;
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
