package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.spi.ProviderMemoryWindow;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A memory window (ibv_alloc_mw(3)): a key by which peers reach a part of a memory region, and that can be withdrawn
 * without touching the region. The region must have been registered with {@link AccessFlag#MW_BIND}, and with
 * {@link AccessFlag#LOCAL_WRITE} if the window grants writes or atomics.
 *
 * <pre>{@code
 * try (SendBatch batch = queuePair.batch()) {
 *     batch.bind(1, window, slice, Set.of(AccessFlag.REMOTE_WRITE)).signaled();
 *     batch.submit();
 * }
 * send(window.remote());
 * }</pre>
 *
 * <p>A window of type 1 opens to every queue pair of its protection domain; binding it anew, or {@linkplain
 * SendBatch#unbind to nothing}, withdraws what it opened before. A window of type 2 opens to the queue pair on which it was
 * bound alone, and is withdrawn by {@link SendBatch#invalidate(long, MemoryWindow)} or by the peer, with a {@linkplain
 * SendBatch#sendWithInvalidate SEND with invalidate}; only then can it be bound again. Each bind gives it another key. A
 * peer that comes with a withdrawn key fails with REM_ACCESS_ERR.
 *
 * <p>What is said here of the window is what was posted last. A bind that fails (MW_BIND_ERR) breaks its queue pair, and
 * the device keeps the key from before: close such a window. What a peer invalidates is seen in the completion of the
 * receive ({@link WorkCompletion#invalidatedRkey()}) and not here.
 *
 * <p>Thread rules: any method from any thread; one batch at a time may bind or invalidate it.
 *
 * <p>A whole program, {@code examples/RevocableWindow.java}:
 * {@snippet file="RevocableWindow.java"}
 */
public final class MemoryWindow implements AutoCloseable {
    private static final int KEY_BYTE = 0xff;

    private final ProtectionDomain domain;
    private final Type type;
    private final Lifetime lifetime;

    // Guarded by this: what was posted.
    private int key;
    private boolean bound;
    private long address;
    private long length;
    private int access;

    // Guarded by this: what the batch that works on it would post.
    private @Nullable SendRequest batch;
    private int stagedKey;
    private boolean stagedBound;
    private long stagedAddress;
    private long stagedLength;
    private int stagedAccess;

    /** The next window of the same batch; belongs to the batch. */
    @Nullable
    MemoryWindow nextStaged;

    /** The two types of windows. */
    public enum Type {
        /** Opens to every queue pair of its protection domain. */
        TYPE_1(1),
        /** Opens to the queue pair that bound it; can be invalidated. Devices have what the specification calls 2B. */
        TYPE_2(2);

        private final int code;

        Type(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }
    }

    MemoryWindow(ProtectionDomain domain, Type type, ProviderMemoryWindow window) {
        this.domain = domain;
        this.type = type;
        this.key = window.rkey();
        String name = "memory window 0x" + Integer.toHexString(key) + " (" + type + ")";
        this.lifetime = Lifetime.begin(name, Release.destroying("DEALLOC_MW", name, window::close), domain.lifetime());
        lifetime.watch(this);
    }

    /** The protection domain that it belongs to. */
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /** Its type. */
    public Type type() {
        return type;
    }

    /** The key that the latest bind gave it, or that it got when it was allocated. */
    public synchronized int rkey() {
        return key;
    }

    /** Whether it was bound to memory, and not invalidated from here since. */
    public synchronized boolean isBound() {
        return bound;
    }

    /**
     * What a peer needs to reach what it opens.
     *
     * @throws VerbsException EINVAL if it is not bound
     * @throws ClosedException after close: no peer reaches anything by its key
     */
    public synchronized RemoteMemory remote() {
        lifetime.require("describe");
        if (!bound) {
            throw Refusal.of(Errno.EINVAL, "describe", lifetime.name())
                    .rule("it is not bound to memory")
                    .remedy("Bind it first, and submit the batch")
                    .exception();
        }
        boolean zeroBased = AccessFlag.ZERO_BASED.isIn(access);
        return new RemoteMemory(zeroBased ? 0 : address, length, key, access);
    }

    /**
     * Posts one signaled bind by itself (ibv_bind_mw(3)).
     *
     * @param id comes back in the completion, which says when peers can use the window
     * @throws VerbsException as {@link SendBatch#bind(long, MemoryWindow, MemoryRegion, long, long, int)}
     */
    public void bind(QueuePair queuePair, long id, MemorySlice slice, Set<AccessFlag> grants) {
        try (SendBatch work = queuePair.batch()) {
            work.bind(id, this, slice, grants).signaled();
            work.submit();
        }
    }

    /** The key after another one: the low byte counts up, the rest stays (ibv_inc_rkey(3)). */
    public static int nextRkey(int rkey) {
        return rkey & ~KEY_BYTE | rkey + 1 & KEY_BYTE;
    }

    /** Whether it has not been closed. */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    /**
     * Deallocates it (ibv_dealloc_mw(3)): when this returns, no peer reaches memory through it. Idempotent.
     */
    @Override
    public void close() {
        lifetime.close(Closing.ALONE);
    }

    ClosedException closed(String operation) {
        return lifetime.closed(operation);
    }

    /** A batch begins to work on it; false if another one does already. Says whether it is new to that batch. */
    synchronized Staging stage(SendRequest owner) {
        if (batch == owner) {
            return Staging.KNOWN;
        }
        if (batch != null) {
            return Staging.TAKEN;
        }
        batch = owner;
        stagedKey = key;
        stagedBound = bound;
        stagedAddress = address;
        stagedLength = length;
        stagedAccess = access;
        return Staging.NEW;
    }

    /** How a window stands to a batch. */
    enum Staging {
        NEW,
        KNOWN,
        TAKEN
    }

    synchronized int stagedKey() {
        return stagedKey;
    }

    /** The batch binds it; the key that it gets. */
    synchronized int stageBind(long start, long bytes, int grants) {
        stagedKey = nextRkey(stagedKey);
        stagedBound = bytes > 0;
        stagedAddress = start;
        stagedLength = bytes;
        stagedAccess = grants;
        return stagedKey;
    }

    /** The batch invalidates it. */
    synchronized void stageRelease() {
        stagedBound = false;
    }

    /** The batch is done with it. */
    synchronized void settle(boolean posted) {
        batch = null;
        if (posted) {
            key = stagedKey;
            bound = stagedBound;
            address = stagedAddress;
            length = stagedLength;
            access = stagedAccess;
        }
    }

    @Override
    public String toString() {
        return lifetime.name();
    }
}
