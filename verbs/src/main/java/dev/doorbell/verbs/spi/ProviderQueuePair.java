package dev.doorbell.verbs.spi;

import dev.doorbell.spec.Gid;
import dev.doorbell.verbs.FlowRule;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.RateLimit;
import dev.doorbell.verbs.VendorConnectionOptions;

/**
 * A queue pair of a driver.
 *
 * <p>Follows ibv_create_qp(3), ibv_modify_qp(3) and ibv_query_qp(3); a refusal is a {@link VerbsFault} with the
 * kernel's errno.
 *
 * <p>Thread rules: the caller lets nobody post while it modifies to RESET or closes.
 */
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

    /** Rate limit of MODIFY_QP. */
    default void limitRate(RateLimit limit) {
        throw VerbsFault.unsupported("MODIFY_QP_RATE_LIMIT");
    }

    /** QUERY_ECE. */
    default VendorConnectionOptions queryConnectionOptions() {
        throw VerbsFault.unsupported("QUERY_ECE");
    }

    /** SET_ECE. */
    default void setConnectionOptions(VendorConnectionOptions options) {
        throw VerbsFault.unsupported("SET_ECE");
    }

    /** CREATE_FLOW. */
    default OptionalOperations.Handle steer(FlowRule rule) {
        throw VerbsFault.unsupported("CREATE_FLOW");
    }

    /**
     * DESTROY_QP: the device touches nothing of it when this returns. From then on {@code outstanding()} of its queues
     * answers how many work requests it has neither completed nor ever will.
     */
    @Override
    void close();
}
