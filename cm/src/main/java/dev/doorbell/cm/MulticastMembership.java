package dev.doorbell.cm;

import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.spec.Gid;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.QueuePair;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A multicast group that an identifier has joined, or is joining (rdma_join_multicast(3)). The group is attached to the
 * identifier's queue pair when {@link dev.doorbell.spec.CmEventType#MULTICAST_JOIN} comes.
 *
 * <p>Thread rules: any method from any thread.
 */
public final class MulticastMembership implements AutoCloseable {
    private final CmId id;
    private final InetSocketAddress group;
    private final long cookie;
    private final int number;
    private final Life life;
    private @Nullable Gid attached;

    MulticastMembership(CmId id, InetSocketAddress group, long cookie, int number) {
        this.id = id;
        this.group = group;
        this.cookie = cookie;
        this.number = number;
        this.life = new Life("membership of " + id + " in " + group.getAddress().getHostAddress());
    }

    /** The identifier. */
    public CmId id() {
        return id;
    }

    /** The group's address. */
    public InetSocketAddress group() {
        return group;
    }

    long cookie() {
        return cookie;
    }

    /** The kernel has joined: datagrams of the group come to the queue pair from now on. */
    void joined(Gid gid) {
        life.run("attach", () -> {
            QueuePair queuePair = id.queuePairOrNull();
            if (queuePair != null) {
                queuePair.attachMulticast(gid);
                attached = gid;
            }
        });
    }

    /** Leaves the group (rdma_leave_multicast(3)). Idempotent. */
    @Override
    public void close() {
        life.close(() -> {
            QueuePair queuePair = id.queuePairOrNull();
            Gid gid = attached;
            try {
                if (queuePair != null && gid != null) {
                    queuePair.detachMulticast(gid);
                }
                id.commands().destroy(CmCommand.LEAVE_MCAST, life.name(), number);
            } catch (ClosedException e) {
                // The queue pair or the channel is gone, and the membership with it.
            } finally {
                id.forget(this);
            }
        });
    }

    @Override
    public String toString() {
        return life.name();
    }
}
