package dev.doorbell.libibverbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.memory.Host;
import dev.doorbell.verbs.SharedReceiveQueueAttributes;
import dev.doorbell.verbs.spi.ProviderSharedReceiveQueue;
import dev.doorbell.verbs.spi.ReceiveQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A shared receive queue. The slots of its work requests are counted here, and only as many are used as it was given.
 *
 * <p>Thread rules: as the interface says.
 */
final class LibrarySharedReceiveQueue implements ProviderSharedReceiveQueue {
    /** {@code struct ibv_srq_attr}: most work requests, most elements, limit; an init_attr has the cookie before it. */
    static final int ATTR_SIZE = 12;

    static final int MAX_WR = 0;
    static final int MAX_SGE = 4;
    static final int LIMIT = 8;
    static final int INIT_SIZE = 24;
    static final int INIT_ATTR = 8;

    private static final int SET_SIZE = 1;
    private static final int SET_LIMIT = 2;

    private final VerbsLibrary library;
    private final PostingTable table;
    private final SharedPostings postings;
    private final LibraryReceiveQueue receives;
    private long queue;

    private LibrarySharedReceiveQueue(LibraryContext context, long queue, int maxWorkRequests, int maxSge) {
        this.library = context.library();
        this.table = context.postings();
        this.queue = queue;
        this.postings = table.enter(new SharedPostings(maxWorkRequests));
        this.receives = new LibraryReceiveQueue(context.path(), postings, queue, maxSge, true);
    }

    static LibrarySharedReceiveQueue create(
            LibraryContext context, int protectionDomain, int maxWorkRequests, int maxSge, int limit, long cookie) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = arena.allocate(INIT_SIZE, Long.BYTES);
            Host.setLong(init, 0, cookie);
            Host.setInt(init, INIT_ATTR + MAX_WR, maxWorkRequests);
            Host.setInt(init, INIT_ATTR + MAX_SGE, maxSge);
            Host.setInt(init, INIT_ATTR + LIMIT, limit);
            long queue = context.library()
                    .make(Function.CREATE_SRQ, context.objects().domain(protectionDomain), init.address());
            LibrarySharedReceiveQueue created = new LibrarySharedReceiveQueue(
                    context, queue, Host.getInt(init, INIT_ATTR + MAX_WR), Host.getInt(init, INIT_ATTR + MAX_SGE));
            if (limit > 0) {
                // Some drivers do not look at the limit when they create one.
                created.arm(limit);
            }
            return created;
        }
    }

    /** The {@code ibv_srq}. */
    long pointer() {
        return queue;
    }

    @Override
    public int handle() {
        return Foreign.intAt(queue + Heads.SRQ_HANDLE);
    }

    @Override
    public ReceiveQueue receiveQueue() {
        return receives;
    }

    @Override
    public void arm(int limit) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTR_SIZE, Integer.BYTES);
            Host.setInt(attributes, LIMIT, limit);
            library.check(Function.MODIFY_SRQ, queue, attributes.address(), SET_LIMIT);
        }
    }

    @Override
    public void resize(int workRequests) {
        if (workRequests >= 0 && workRequests < postings.outstanding()) {
            throw new VerbsFault(Errno.EINVAL, Function.MODIFY_SRQ.name());
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTR_SIZE, Integer.BYTES);
            Host.setInt(attributes, MAX_WR, workRequests);
            library.check(Function.MODIFY_SRQ, queue, attributes.address(), SET_SIZE);
        }
        receives.begin();
        postings.resize(workRequests);
        receives.resized();
    }

    @Override
    public SharedReceiveQueueAttributes query() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTR_SIZE, Integer.BYTES);
            library.check(Function.QUERY_SRQ, queue, attributes.address());
            return new SharedReceiveQueueAttributes(
                    Host.getInt(attributes, MAX_WR), Host.getInt(attributes, MAX_SGE), Host.getInt(attributes, LIMIT));
        }
    }

    @Override
    public void close() {
        if (queue == 0) {
            return;
        }
        int errno = library.number(Function.DESTROY_SRQ, queue);
        if (errno != 0) {
            throw new VerbsFault(errno < 0 ? Errno.EIO : errno, Function.DESTROY_SRQ.name());
        }
        queue = 0;
        receives.detach();
        table.leave(postings);
    }
}
