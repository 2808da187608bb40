package dev.doorbell.soft.hca;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.spec.Gid;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which queue pairs of a device receive which multicast group. While a group has members the device's link receives it.
 *
 * <p>Thread rules: {@link #members} from any thread without a lock; changes are serialised here.
 */
final class MulticastGroups {
    private static final HcaQueuePair[] NOBODY = {};
    private static final System.Logger LOG = System.getLogger(MulticastGroups.class.getName());

    private final @Nullable PacketLink link;
    private final int maxGroups;
    private final int maxMembers;

    /** The arrays are replaced, never changed. */
    private final Map<Gid, HcaQueuePair[]> groups = new ConcurrentHashMap<>();

    MulticastGroups(@Nullable PacketLink link, HcaLimits limits) {
        this.link = link;
        this.maxGroups = limits.maxMulticastGroups();
        this.maxMembers = limits.maxMulticastMembers();
    }

    /** Adds a member; one that is there already stays. Answers 0, or ENOMEM for a group or a member too many. */
    synchronized int attach(Gid group, HcaQueuePair queuePair) {
        HcaQueuePair[] members = groups.get(group);
        if (members == null) {
            if (groups.size() == maxGroups) {
                return Errno.ENOMEM;
            }
            int errno = join(group);
            if (errno == 0) {
                groups.put(group, new HcaQueuePair[] {queuePair});
            }
            return errno;
        }
        if (Arrays.asList(members).contains(queuePair)) {
            return 0;
        }
        if (members.length == maxMembers) {
            return Errno.ENOMEM;
        }
        HcaQueuePair[] more = Arrays.copyOf(members, members.length + 1);
        more[members.length] = queuePair;
        groups.put(group, more);
        return 0;
    }

    private int join(Gid group) {
        try {
            if (link != null) {
                link.join(group);
            }
            return 0;
        } catch (KernelException refused) {
            return refused.errno();
        } catch (RuntimeException broken) {
            LOG.log(System.Logger.Level.WARNING, "multicast group " + group + " cannot be joined", broken);
            return Errno.EIO;
        }
    }

    /** The queue pair has left, whatever the link does. */
    private void leave(Gid group) {
        try {
            if (link != null) {
                link.leave(group);
            }
        } catch (RuntimeException broken) {
            LOG.log(System.Logger.Level.WARNING, "multicast group " + group + " cannot be left", broken);
        }
    }

    /** Removes a member. Answers 0, or EINVAL if it is none. */
    synchronized int detach(Gid group, HcaQueuePair queuePair) {
        HcaQueuePair[] members = groups.get(group);
        if (members == null || !Arrays.asList(members).contains(queuePair)) {
            return Errno.EINVAL;
        }
        HcaQueuePair[] others =
                Arrays.stream(members).filter(other -> other != queuePair).toArray(HcaQueuePair[]::new);
        if (others.length > 0) {
            groups.put(group, others);
            return 0;
        }
        groups.remove(group);
        leave(group);
        return 0;
    }

    /** Removes a queue pair from every group. */
    synchronized void forget(HcaQueuePair queuePair) {
        groups.keySet().forEach(group -> detach(group, queuePair));
    }

    /** Whether a queue pair receives a group. */
    synchronized boolean contains(HcaQueuePair queuePair) {
        return groups.values().stream()
                .anyMatch(members -> Arrays.asList(members).contains(queuePair));
    }

    /** Who receives a group. The array is not to be changed. */
    HcaQueuePair[] members(Gid group) {
        return groups.getOrDefault(group, NOBODY);
    }
}
