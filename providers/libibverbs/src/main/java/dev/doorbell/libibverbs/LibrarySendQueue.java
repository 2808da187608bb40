package dev.doorbell.libibverbs;

import dev.doorbell.memory.Host;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.verbs.spi.SendQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The send queue: a batch is a chain of prepared work requests that one call hands to the library's driver.
 *
 * <p>Thread rules: calls are serialised by the caller.
 */
final class LibrarySendQueue extends LibraryQueue implements SendQueue {
    private static final int INLINE = SendFlag.INLINE.bit();
    private static final int BIND = WorkRequestOpcode.BIND_MW.code();

    /** More than any driver's struct for a region, a window or an address handle has. */
    private static final long NOTHING_BYTES = 1024;

    private static final long BIND_SIZE = 2L * Long.BYTES + SendWr.BIND_INFO_SIZE;

    private final ObjectTable objects;
    private final MemorySegment requests;
    private final int maxInline;
    /** Room for a {@code struct ibv_mw_bind}. */
    private final MemorySegment bind = Arena.ofAuto().allocate(BIND_SIZE, Long.BYTES);

    /** Stands for an object that there is none of: drivers look into what they are given, without asking whether it is there. */
    private final MemorySegment nothing = Arena.ofAuto().allocate(NOTHING_BYTES, Long.BYTES);

    private int flags;
    private int inlined;
    /** The key that the window of a bind has before it, by the place of the bind in the batch. */
    private final int[] windowKeys;

    private int binds;

    LibrarySendQueue(DataPath path, ObjectTable objects, Postings postings, long queuePair, int maxSge, int maxInline) {
        super(path, postings, WorkRequestBlock.forSending(postings.capacity(), maxSge, maxInline), queuePair, maxSge);
        this.objects = objects;
        this.requests = block.requests;
        this.maxInline = maxInline;
        this.windowKeys = new int[Math.max(postings.capacity(), 1)];
    }

    @Override
    public int maxInline() {
        return maxInline;
    }

    @Override
    public void begin() {
        super.begin();
        binds = 0;
    }

    @Override
    public boolean request(long id, int opcode) {
        if (!hasRoom()) {
            return false;
        }
        SendWr.open(requests, block.request(staged), stage(id), opcode);
        flags = 0;
        inlined = 0;
        return true;
    }

    @Override
    public void flags(int sendFlags) {
        flags = flags & INLINE | sendFlags & ~INLINE;
    }

    @Override
    public void remote(long address, int rkey) {
        SendWr.setRemote(requests, block.request(staged), address, rkey);
    }

    @Override
    public void immediate(int value) {
        SendWr.setImmediate(requests, block.request(staged), value);
    }

    @Override
    public void invalidate(int rkey) {
        SendWr.setInvalidate(requests, block.request(staged), rkey);
    }

    @Override
    public void atomic(long address, int rkey, long compareOrAdd, long swap) {
        SendWr.setAtomic(requests, block.request(staged), address, rkey, compareOrAdd, swap);
    }

    @Override
    public void bind(long address, long length, int lkey, int windowKey, int nextKey, int access) {
        long at = block.request(staged);
        LibraryWindow window = objects.window(windowKey);
        long target = orNothing(window == null ? 0 : window.pointer());
        long region = objects.region(lkey);
        if (region == 0) {
            // What is bound to nothing names a region all the same, of the window's domain.
            MemorySegment.copy(Foreign.at(target, Heads.PARENTS_SIZE), 0, nothing, 0, Heads.PARENTS_SIZE);
        }
        SendWr.setBindInfo(requests, at, orNothing(region), address, length, access);
        SendWr.setBind(requests, at, target, nextKey);
        windowKeys[staged] = windowKey;
        binds++;
    }

    @Override
    public void datagram(int addressHandle, int remoteQueuePair, int remoteQkey) {
        SendWr.setDatagram(
                requests,
                block.request(staged),
                orNothing(objects.addressHandle(addressHandle)),
                remoteQueuePair,
                remoteQkey);
    }

    private long orNothing(long pointer) {
        return pointer == 0 ? nothing.address() : pointer;
    }

    @Override
    public void sge(long address, int length, int lkey) {
        assert sges < maxSge() && inlined == 0 : "elements are limited to " + maxSge() + " and exclude inline bytes";
        addElement(address, length, lkey);
    }

    /** The bytes are copied here, since they may change before the batch is posted; the library copies them once more. */
    @Override
    public void inline(MemorySegment source, long offset, int length) {
        assert inlined + length <= maxInline && sges == 0 : "inline bytes are limited to " + maxInline;
        long target = block.inlineBytes(staged) + inlined;
        if (length == Long.BYTES) {
            Host.setLong(block.bytes, target, Host.getLong(source, offset));
        } else {
            MemorySegment.copy(source, offset, block.bytes, target, length);
        }
        inlined += length;
        flags |= INLINE;
    }

    @Override
    public void seal() {
        if (inlined > 0) {
            addElement(block.bytes.address() + block.inlineBytes(staged), inlined, 0);
        }
        SendWr.seal(requests, block.request(staged), flags, sges);
        staged++;
    }

    @Override
    int post(long to, int count) {
        return binds == 0 ? post(to, 0, count) : postPieces(to, count);
    }

    private int post(long to, int first, int end) {
        if (first == end) {
            return 0;
        }
        block.cut(end - 1);
        int errno = path.postSend(to, block.address(first), block.bad.address());
        block.link(end - 1);
        return errno;
    }

    /**
     * Each bind is posted by itself: drivers read the window's present key when they are called, and it may be bound more than
     * once in a batch. A window of type 1 is bound by a function of its own.
     */
    private int postPieces(long to, int count) {
        int first = 0;
        for (int i = 0; i < count; i++) {
            if (Host.getInt(requests, block.request(i) + SendWr.OPCODE) == BIND) {
                int errno = post(to, first, i);
                if (errno == 0) {
                    errno = postBind(to, i);
                }
                if (errno != 0) {
                    return errno;
                }
                first = i + 1;
            }
        }
        return post(to, first, count);
    }

    private int postBind(long to, int index) {
        long window = Host.getLong(requests, block.request(index) + SendWr.MW);
        LibraryWindow.tellKey(window, windowKeys[index]);
        return LibraryWindow.isPlain(window)
                ? path.bindWindow(to, window, plainBind(index))
                : post(to, index, index + 1);
    }

    /** {@code struct ibv_mw_bind}: number, flags, and the same description. */
    private long plainBind(int index) {
        long at = block.request(index);
        Host.setLong(bind, 0, Host.getLong(requests, at + SendWr.WR_ID));
        Host.setInt(bind, Long.BYTES, Host.getInt(requests, at + SendWr.SEND_FLAGS));
        MemorySegment.copy(requests, at + SendWr.BIND_INFO, bind, 2L * Long.BYTES, SendWr.BIND_INFO_SIZE);
        return bind.address();
    }
}
