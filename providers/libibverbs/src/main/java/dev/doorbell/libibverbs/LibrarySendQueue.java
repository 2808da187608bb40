package dev.doorbell.libibverbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.verbs.spi.SendQueue;
import java.lang.foreign.MemorySegment;

/**
 * The send queue: a batch is a chain of prepared work requests that one call hands to the library's driver.
 *
 * <p>Thread rules: calls are serialised by the caller.
 */
final class LibrarySendQueue implements SendQueue {
    private static final int INLINE = SendFlag.INLINE.bit();
    private static final int BIND = WorkRequestOpcode.BIND_MW.code();

    private final DataPath path;
    private final ObjectTable objects;
    private final Postings postings;
    private final WorkRequestBlock block;
    private final MemorySegment requests;
    private final MemorySegment lists;
    private final int maxSge;
    private final int maxInline;
    /** The queue pair in C; 0 once it is destroyed. */
    private long queuePair;

    private int staged;
    private int flags;
    private int sges;
    private int inlined;
    /** Windows of type 1 in the batch, which a function of their own binds. */
    private int plainBinds;

    LibrarySendQueue(DataPath path, ObjectTable objects, Postings postings, long queuePair, int maxSge, int maxInline) {
        this.path = path;
        this.objects = objects;
        this.postings = postings;
        this.block = WorkRequestBlock.forSending(postings.capacity(), maxSge, maxInline);
        this.requests = block.requests;
        this.lists = block.lists;
        this.queuePair = queuePair;
        this.maxSge = maxSge;
        this.maxInline = maxInline;
    }

    @Override
    public int capacity() {
        return postings.capacity();
    }

    @Override
    public int maxSge() {
        return maxSge;
    }

    @Override
    public int maxInline() {
        return maxInline;
    }

    @Override
    public int outstanding() {
        return postings.outstanding();
    }

    @Override
    public void begin() {
        postings.abandon();
        staged = 0;
        plainBinds = 0;
    }

    @Override
    public boolean request(long id, int opcode) {
        if (!postings.hasRoom(staged)) {
            return false;
        }
        SendWr.open(requests, block.request(staged), postings.stage(staged, id), opcode);
        flags = 0;
        sges = 0;
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
        long region = objects.region(lkey);
        SendWr.setBindInfo(requests, at, region, address, length, access);
        SendWr.setBind(requests, at, window == null ? 0 : window.prepare(windowKey), nextKey);
        if (window != null) {
            objects.rename(window, nextKey);
            plainBinds += window.isPlain() ? 1 : 0;
        }
    }

    @Override
    public void datagram(int addressHandle, int remoteQueuePair, int remoteQkey) {
        SendWr.setDatagram(
                requests, block.request(staged), objects.addressHandle(addressHandle), remoteQueuePair, remoteQkey);
    }

    @Override
    public void sge(long address, int length, int lkey) {
        assert sges < maxSge && inlined == 0 : "elements are limited to " + maxSge + " and exclude inline bytes";
        Sge.set(lists, block.list(staged) + (long) sges * Sge.SIZE, address, length, lkey);
        sges++;
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
        if ((flags & INLINE) != 0 && inlined > 0) {
            Sge.set(lists, block.list(staged), block.bytes.address() + block.inlineBytes(staged), inlined, 0);
            sges = 1;
        }
        SendWr.seal(requests, block.request(staged), flags, sges);
        staged++;
    }

    @Override
    public int commit() {
        int count = staged;
        if (count == 0) {
            return 0;
        }
        staged = 0;
        // All of them count as posted whatever comes of it: those that the library refuses come back when the queue
        // closes.
        postings.post(count);
        if (queuePair == 0) {
            return Errno.EBADF;
        }
        int errno = plainBinds == 0 ? post(0, count) : postPieces(count);
        plainBinds = 0;
        return errno;
    }

    private int post(int first, int end) {
        if (first == end) {
            return 0;
        }
        block.cut(end - 1);
        int errno = path.postSend(queuePair, block.address(first), block.bad.address());
        block.link(end - 1);
        return errno;
    }

    /** A window of type 1 is bound by a function of its own, in its turn. */
    private int postPieces(int count) {
        int first = 0;
        for (int i = 0; i < count; i++) {
            if (isPlainBind(i)) {
                int errno = post(first, i);
                if (errno == 0) {
                    errno = path.bindWindow(
                            queuePair, Host.getLong(requests, block.request(i) + SendWr.MW), plainBind(i));
                }
                if (errno != 0) {
                    return errno;
                }
                first = i + 1;
            }
        }
        return post(first, count);
    }

    private boolean isPlainBind(int index) {
        long at = block.request(index);
        if (Host.getInt(requests, at + SendWr.OPCODE) != BIND) {
            return false;
        }
        long window = Host.getLong(requests, at + SendWr.MW);
        return window != 0 && LibraryWindow.isPlain(window);
    }

    /** {@code struct ibv_mw_bind}: number, flags, and the same description; it stands in the work request's own list. */
    private long plainBind(int index) {
        long at = block.request(index);
        MemorySegment bind = objects.bindArgument();
        Host.setLong(bind, 0, Host.getLong(requests, at + SendWr.WR_ID));
        Host.setInt(bind, Long.BYTES, Host.getInt(requests, at + SendWr.SEND_FLAGS));
        MemorySegment.copy(requests, at + SendWr.BIND_INFO, bind, 2L * Long.BYTES, SendWr.BIND_INFO_SIZE);
        return bind.address();
    }

    /** The queue pair was reset: the queue is empty. */
    void reset() {
        postings.reset();
    }

    /** The queue pair is gone. */
    void detach() {
        queuePair = 0;
    }
}
