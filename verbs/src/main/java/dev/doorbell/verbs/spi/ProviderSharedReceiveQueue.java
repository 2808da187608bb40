package dev.doorbell.verbs.spi;

import dev.doorbell.verbs.SharedReceiveQueueAttributes;
import dev.doorbell.verbs.TagList;

/**
 * A shared receive queue of a driver.
 *
 * <p>Thread rules: the caller lets nobody post while it resizes or closes.
 *
 * <p>Follows ibv_create_srq(3) and ibv_modify_srq(3).
 */
public interface ProviderSharedReceiveQueue extends AutoCloseable {
    /** The kernel's handle. */
    int handle();

    /** The queue's end for posting; the same also after {@link #resize}. */
    ReceiveQueue receiveQueue();

    /**
     * MODIFY_SRQ: reports SRQ_LIMIT_REACHED once, when fewer work requests than this are left.
     *
     * @param limit 0 disarms
     */
    default void arm(int limit) {
        throw VerbsFault.unsupported("MODIFY_SRQ");
    }

    /** MODIFY_SRQ: gives it room for so many work requests at least; those that are outstanding stay. */
    default void resize(int workRequests) {
        throw VerbsFault.unsupported("MODIFY_SRQ");
    }

    /** QUERY_SRQ. */
    default SharedReceiveQueueAttributes query() {
        throw VerbsFault.unsupported("QUERY_SRQ");
    }

    /** Its number among the device's, by which an XRC peer names it. */
    default int number() {
        throw VerbsFault.unsupported("GET_SRQ_NUM");
    }

    /** POST_SRQ_OPS; returns the entry's handle, if one was added. */
    default int changeTags(TagList change) {
        throw VerbsFault.unsupported("POST_SRQ_OPS");
    }

    /** DESTROY_SRQ: what is outstanding is forgotten. Throws {@link VerbsFault}, EBUSY included. */
    @Override
    void close();
}
