package dev.doorbell.cm;

import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.VerbsException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The queue pair of an identifier, if it has one: of the identifier's own making, or of the program's.
 *
 * <p>Thread rules: any thread, while the identifier is kept open.
 */
final class IdQueuePair {
    private static final Duration FLUSH = Duration.ofSeconds(1);

    private final CmId id;

    private volatile @Nullable QueuePair present;

    /** Whether the identifier created it, and so closes it; written before {@link #present}. */
    private volatile boolean isOwn;

    IdQueuePair(CmId id) {
        this.id = id;
    }

    @Nullable
    QueuePair get() {
        return present;
    }

    QueuePair create(QueuePair.Builder builder) {
        QueuePair created = builder.type(id.type()).port(Math.max(1, id.port())).build();
        try {
            take(created, true);
        } catch (VerbsException e) {
            created.close(Duration.ZERO);
            throw e;
        }
        return created;
    }

    void use(QueuePair program) {
        take(program, false);
    }

    private synchronized void take(QueuePair candidate, boolean own) {
        Context here = id.context();
        QueuePair before = present;
        if (before != null || candidate.protectionDomain().context() != here || candidate.type() != id.type()) {
            throw QueuePairMoves.unusable(id.name(), before, candidate, id.type(), here);
        }
        new QueuePairMoves(id, candidate).prepare();
        isOwn = own;
        present = candidate;
    }

    /** Whether it takes its receives from a queue that others share, which the peer is told. */
    boolean sharesReceives() {
        QueuePair mine = present;
        return mine != null && mine.sharedReceiveQueue().isPresent();
    }

    /** Lets it send and receive; see {@link QueuePairMoves#bringUp}. */
    void bringUp(int responderResources, int initiatorDepth) {
        QueuePair mine = present;
        if (mine != null) {
            new QueuePairMoves(id, mine).bringUp(responderResources, initiatorDepth);
        }
    }

    /** Lets what is outstanding flush. */
    void fail() {
        QueuePair mine = present;
        if (mine != null) {
            new QueuePairMoves(id, mine).failIfOpen();
        }
    }

    /** Closes it if the identifier created it. */
    void close() {
        QueuePair mine = present;
        if (mine != null && isOwn) {
            mine.close(FLUSH);
        }
    }

    /** Closes it if the identifier created it, and forgets it. */
    synchronized void release() {
        close();
        present = null;
    }
}
