package dev.doorbell.verbs.spi;

import dev.doorbell.spec.Gid;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.QueuePairCapacity;

/** A queue pair of a driver. */
public interface ProviderQueuePair extends AutoCloseable {
    /** The kernel's handle. */
    int handle();

    /** The queue pair's number, by which peers name it. */
    int number();

    /** What the device granted: at least what was asked for. */
    QueuePairCapacity capacity();

    /** MODIFY_QP with the attributes that are set. Throws {@link VerbsFault}. */
    void modify(QueuePairAttributes attributes);

    /** QUERY_QP: every attribute that the kernel reports. */
    QueuePairAttributes query();

    /** The send queue. */
    SendQueue sendQueue();

    /** The receive queue; throws {@link VerbsFault} EINVAL where the queue pair takes from a shared one. */
    ReceiveQueue receiveQueue();

    /**
     * Receive work requests were posted in the error state: lets the device flush them, where it would not look by itself.
     */
    default void flushReceives() {}

    /** ATTACH_MCAST. */
    default void attachMulticast(Gid group, int lid) {
        throw VerbsFault.unsupported("ATTACH_MCAST");
    }

    /** DETACH_MCAST. */
    default void detachMulticast(Gid group, int lid) {
        throw VerbsFault.unsupported("DETACH_MCAST");
    }

    /**
     * DESTROY_QP: the device touches nothing of it when this returns. From then on {@code outstanding()} of its queues
     * answers how many work requests it has neither completed nor ever will.
     */
    @Override
    void close();
}
