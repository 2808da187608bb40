package dev.doorbell.libibverbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.ProviderContext.QueuePairRequest;
import dev.doorbell.verbs.spi.ProviderQueuePair;
import dev.doorbell.verbs.spi.ReceiveQueue;
import dev.doorbell.verbs.spi.SendQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair of the library.
 *
 * <p>Thread rules: the caller lets nobody post while it modifies to RESET or closes.
 */
final class LibraryQueuePair implements ProviderQueuePair {
    private static final int EVERYTHING =
            QueuePairAttribute.mask(EnumSet.complementOf(EnumSet.of(QueuePairAttribute.RATE_LIMIT)));

    private final VerbsLibrary library;
    private final PostingTable table;
    private final Draining draining;
    private final LibraryCompletionQueue sendCompletions;
    private final LibraryCompletionQueue receiveCompletions;
    private final QueuePairCapacity capacity;
    private final int handle;
    private final int number;
    private final Postings sends;
    private final Postings receives;
    private final LibrarySendQueue sendQueue;
    private final @Nullable LibraryReceiveQueue receiveQueue;
    private long queuePair;

    private LibraryQueuePair(
            LibraryContext context, QueuePairRequest request, long queuePair, QueuePairCapacity capacity) {
        this.library = context.library();
        this.table = context.postings();
        this.draining = context.draining();
        this.sendCompletions = (LibraryCompletionQueue) request.sendQueue();
        this.receiveCompletions = (LibraryCompletionQueue) request.receiveQueue();
        this.queuePair = queuePair;
        this.capacity = capacity;
        this.handle = Foreign.intAt(queuePair + Heads.QP_HANDLE);
        this.number = Foreign.intAt(queuePair + Heads.QP_NUMBER);
        this.sends = table.enter(new Postings(capacity.maxSendRequests()));
        this.sendQueue = new LibrarySendQueue(
                context.path(), context.objects(), sends, queuePair, capacity.maxSendSge(), capacity.maxInline());
        if (request.sharedReceiveQueue() == null) {
            this.receives = table.enter(new Postings(capacity.maxReceiveRequests()));
            this.receiveQueue =
                    new LibraryReceiveQueue(context.path(), receives, queuePair, capacity.maxReceiveSge(), false);
        } else {
            this.receives = Postings.NONE;
            this.receiveQueue = null;
        }
    }

    static LibraryQueuePair create(LibraryContext context, QueuePairRequest request) {
        LibrarySharedReceiveQueue shared = (LibrarySharedReceiveQueue) request.sharedReceiveQueue();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = arena.allocate(QpInitAttr.SIZE, Long.BYTES);
            Host.setLong(init, QpInitAttr.QP_CONTEXT, request.cookie());
            Host.setLong(init, QpInitAttr.SEND_CQ, ((LibraryCompletionQueue) request.sendQueue()).pointer());
            Host.setLong(init, QpInitAttr.RECV_CQ, ((LibraryCompletionQueue) request.receiveQueue()).pointer());
            Host.setLong(init, QpInitAttr.SRQ, shared == null ? 0 : shared.pointer());
            QpInitAttr.writeCapacity(init, request.capacity());
            Host.setInt(init, QpInitAttr.QP_TYPE, request.type().code());
            Host.setInt(init, QpInitAttr.SQ_SIG_ALL, request.signalAll() ? 1 : 0);
            long queuePair = context.library()
                    .make(Function.CREATE_QP, context.objects().domain(request.protectionDomain()), init.address());
            QueuePairCapacity granted = QpInitAttr.readCapacity(init);
            if (!looksRight(queuePair, request, granted)) {
                context.library().number(Function.DESTROY_QP, queuePair);
                throw ContextStruct.mismatch("queue pair");
            }
            return new LibraryQueuePair(context, request, queuePair, granted);
        }
    }

    private static boolean looksRight(long queuePair, QueuePairRequest request, QueuePairCapacity granted) {
        return Foreign.longAt(queuePair + Heads.QP_COOKIE) == request.cookie()
                && Foreign.intAt(queuePair + Heads.QP_TYPE) == request.type().code()
                && granted.maxSendRequests() >= request.capacity().maxSendRequests()
                && granted.maxSendSge() >= 0
                && granted.maxReceiveSge() >= 0
                && granted.maxInline() >= 0;
    }

    @Override
    public int handle() {
        return handle;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairCapacity capacity() {
        return capacity;
    }

    @Override
    public void modify(QueuePairAttributes attributes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment in = arena.allocate(QpAttr.SIZE, Long.BYTES);
            QpAttr.write(in, attributes);
            library.check(Function.MODIFY_QP, open(), in.address(), QueuePairAttribute.mask(attributes.mask()));
        }
        if (!attributes.has(QueuePairAttribute.STATE)) {
            return;
        }
        if (attributes.state() == QueuePairState.RESET) {
            // What had completed is fetched first, under the numbers that are still known.
            drain();
            sendQueue.reset();
            if (receiveQueue != null) {
                receiveQueue.reset();
            }
        }
        if (attributes.state() == QueuePairState.ERROR) {
            draining.add(this);
        } else {
            draining.remove(this);
        }
    }

    private long open() {
        if (queuePair == 0) {
            throw new VerbsFault(Errno.EBADF, "queue pair " + number);
        }
        return queuePair;
    }

    @Override
    public QueuePairAttributes query() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(QpAttr.SIZE, Long.BYTES);
            MemorySegment init = arena.allocate(QpInitAttr.SIZE, Long.BYTES);
            library.check(Function.QUERY_QP, open(), out.address(), EVERYTHING, init.address());
            return QpAttr.read(out);
        }
    }

    @Override
    public SendQueue sendQueue() {
        return sendQueue;
    }

    @Override
    public ReceiveQueue receiveQueue() {
        if (receiveQueue == null) {
            throw new VerbsFault(Errno.EINVAL, "receive queue of a queue pair with a shared one");
        }
        return receiveQueue;
    }

    @Override
    public void attachMulticast(Gid group, int lid) {
        multicast(Function.ATTACH_MCAST, group, lid);
    }

    @Override
    public void detachMulticast(Gid group, int lid) {
        multicast(Function.DETACH_MCAST, group, lid);
    }

    private void multicast(Function function, Gid group, int lid) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment gid = arena.allocate(Gid.BYTES, Long.BYTES);
            AhAttr.writeGid(gid, 0, group);
            library.check(function, open(), gid.address(), lid);
        }
    }

    /** Fetches what the library has for it; whether there was anything. */
    boolean drain() {
        boolean sends = sendCompletions.drainAll();
        boolean receives = receiveCompletions.drainAll();
        return sends || receives;
    }

    /** What has completed is fetched before, since drivers forget it with the queue pair, and after, when nothing more comes. */
    @Override
    public void close() {
        if (queuePair == 0) {
            return;
        }
        drain();
        library.check(Function.DESTROY_QP, queuePair);
        queuePair = 0;
        draining.remove(this);
        sendQueue.detach();
        drain();
        table.leave(sends);
        if (receiveQueue != null) {
            receiveQueue.detach();
            table.leave(receives);
        }
    }
}
