package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The life of one object: its parents and children, the calls that are in progress on it, and its end.
 *
 * <pre>
 *            close, no call in progress, no child            released
 *   OPEN ─────────────────────────────────────▶ CLOSING ───────────────▶ CLOSED
 *                                                  │  the kernel refused
 *                                                  └──────────────────▶ REFUSED ── close again ──▶ CLOSING
 * </pre>
 *
 * <p>Used on the control path only, but for {@link #isOpen()}. It never refers to the public object it belongs to; the
 * public objects refer to their parents, so that a parent outlives its children.
 */
final class Lifetime {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final System.Logger LOG = System.getLogger("dev.doorbell.leaks");

    private enum State {
        OPEN,
        CLOSING,
        REFUSED,
        CLOSED
    }

    private final String name;
    private final Release release;
    private final CreationSite site = CreationSite.here();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Replaced as a whole.
    private volatile List<Lifetime> parents;

    // Guarded by lock.
    private final Set<Lifetime> children = new LinkedHashSet<>();
    private int uses;
    private @Nullable Thread closer;
    private Cleaner.@Nullable Cleanable cleanable;

    // For the thread that closes.
    private boolean reported;

    // Written under lock, read without it.
    private volatile State state = State.OPEN;

    private Lifetime(String name, Release release, List<Lifetime> parents) {
        this.name = name;
        this.release = release;
        this.parents = parents;
    }

    /** Starts a life below parents that stay open during the call: whoever calls has entered them. */
    static Lifetime begin(String name, Release release, Lifetime... parents) {
        Lifetime lifetime = new Lifetime(name, release, List.copyOf(new LinkedHashSet<>(List.of(parents))));
        for (Lifetime parent : lifetime.parents) {
            parent.add(lifetime);
        }
        return lifetime;
    }

    /** Goes on below another parent, which whoever calls has entered. */
    void move(Lifetime from, Lifetime to) {
        if (from != to) {
            to.add(this);
            parents =
                    parents.stream().map(parent -> parent == from ? to : parent).toList();
            from.remove(this);
        }
    }

    /** What it is, for messages. */
    String name() {
        return name;
    }

    /** Whether nobody has begun to close it. */
    boolean isOpen() {
        return state == State.OPEN;
    }

    /** Frees the object when the program has lost {@code owner} without closing it. */
    void watch(Object owner) {
        Cleaner.Cleanable registered = CLEANER.register(owner, this::closeLost);
        lock.lock();
        try {
            cleanable = registered;
        } finally {
            lock.unlock();
        }
    }

    private void closeLost() {
        try {
            close(Closing.LEAKED);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, name + " could not be freed", e);
        }
    }

    /** Keeps it open until {@link #exit()}. */
    void enter(String operation) {
        lock.lock();
        try {
            if (state != State.OPEN) {
                throw closed(operation);
            }
            uses++;
        } finally {
            lock.unlock();
        }
    }

    /** Ends what {@link #enter} began. */
    void exit() {
        lock.lock();
        try {
            uses--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Makes a call on it, during which it stays open; a refusal from below says which operation on which object it was. */
    <T> T call(String operation, Supplier<T> body) {
        enter(operation);
        try {
            return body.get();
        } catch (RuntimeException e) {
            throw Refusal.of(e, operation, name).exception();
        } finally {
            exit();
        }
    }

    /** As {@link #call}, without a result. */
    void run(String operation, Runnable body) {
        enter(operation);
        try {
            body.run();
        } catch (RuntimeException e) {
            throw Refusal.of(e, operation, name).exception();
        } finally {
            exit();
        }
    }

    /**
     * Refuses what an object that was closed cannot do.
     *
     * @throws ClosedException if it was
     */
    void require(String operation) {
        if (!isOpen()) {
            throw closed(operation);
        }
    }

    ClosedException closed(String operation) {
        return closed(operation, name);
    }

    static ClosedException closed(String operation, String name) {
        return new ClosedException(Refusal.of(Errno.EBADF, operation, name)
                .rule("it is closed")
                .remedy("Create a new one, and close it after its last use"));
    }

    /** Closes it once; whoever comes second waits until the first is done. */
    void close(Closing mode) {
        if (!begin(mode)) {
            return;
        }
        List<RuntimeException> failures = new ArrayList<>();
        boolean released = false;
        try {
            released = release(mode, failures);
        } finally {
            // Whatever came out of it, an Error too: others wait for the end, and may try again.
            if (!released) {
                end(State.REFUSED);
            }
        }
        if (released) {
            perish();
        }
        if (!failures.isEmpty()) {
            throw first(failures);
        }
    }

    private boolean release(Closing mode, List<RuntimeException> failures) {
        if (mode != Closing.ALONE) {
            closeChildren(mode, failures);
        }
        if (!failures.isEmpty() && (!release.takesChildren() || inUse(failures))) {
            return false;
        }
        return attempt(() -> release.release(mode), failures);
    }

    /** Does it; what it throws is kept, memory that is gone under its feet included. */
    private boolean attempt(Runnable action, List<RuntimeException> failures) {
        try {
            action.run();
            return true;
        } catch (RuntimeException e) {
            failures.add(e);
        } catch (InternalError e) {
            failures.add(PostRefusals.lostRing("close", name, e));
        }
        return false;
    }

    /** It is gone, and so is what could not be closed before: the kernel has taken it along. */
    private void perish() {
        childrenNewestFirst().forEach(Lifetime::perish);
        end(State.CLOSED);
        parents.forEach(parent -> parent.remove(this));
    }

    private boolean begin(Closing mode) {
        boolean watched;
        lock.lock();
        try {
            while (state == State.CLOSING && closer != Thread.currentThread()) {
                changed.awaitUninterruptibly();
            }
            if (state == State.CLOSED || state == State.CLOSING) {
                return false;
            }
            refuseChildren(mode);
            State before = state;
            state = State.CLOSING;
            closer = Thread.currentThread();
            while (uses > 0) {
                changed.awaitUninterruptibly();
            }
            try {
                refuseChildren(mode);
            } catch (VerbsException e) {
                end(before);
                throw e;
            }
            watched = cleanable != null;
        } finally {
            lock.unlock();
        }
        if (mode == Closing.LEAKED && watched && !reported) {
            reported = true;
            LOG.log(System.Logger.Level.WARNING, "{0} was never closed; created at {1}", name, site);
        }
        return true;
    }

    private void refuseChildren(Closing mode) {
        if (mode == Closing.ALONE && !children.isEmpty()) {
            throw Refusal.of(Errno.EBUSY, "close", name)
                    .rule("it is in use by " + names(children))
                    .remedy("Close those first, or close the context, which closes everything in it")
                    .exception();
        }
    }

    private static String names(Collection<Lifetime> lifetimes) {
        return String.join(", ", lifetimes.stream().map(Lifetime::name).toList());
    }

    private void closeChildren(Closing mode, List<RuntimeException> failures) {
        for (Lifetime child : childrenNewestFirst()) {
            child.attempt(() -> child.close(mode), failures);
        }
    }

    private List<Lifetime> childrenNewestFirst() {
        lock.lock();
        try {
            return List.copyOf(children).reversed();
        } finally {
            lock.unlock();
        }
    }

    private void end(State next) {
        Cleaner.@Nullable Cleanable registered;
        lock.lock();
        try {
            state = next;
            closer = null;
            registered = next == State.CLOSED ? cleanable : null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (registered != null) {
            registered.clean();
        }
    }

    private void add(Lifetime child) {
        lock.lock();
        try {
            children.add(child);
        } finally {
            lock.unlock();
        }
    }

    private void remove(Lifetime child) {
        lock.lock();
        try {
            children.remove(child);
        } finally {
            lock.unlock();
        }
    }

    private static boolean inUse(List<RuntimeException> failures) {
        return failures.stream().anyMatch(InUseException.class::isInstance);
    }

    /** One of the failures with the others attached; one that keeps the parent open comes first. */
    private static RuntimeException first(List<RuntimeException> failures) {
        RuntimeException first = failures.stream()
                .filter(InUseException.class::isInstance)
                .findFirst()
                .orElse(failures.getFirst());
        List<RuntimeException> others = new ArrayList<>(failures);
        others.remove(first);
        others.forEach(first::addSuppressed);
        return first;
    }
}
