package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.spi.ProviderQueuePair;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The multicast groups that a queue pair receives. A kernel does not destroy a queue pair that is in a group, so closing
 * leaves them all.
 */
final class GroupMembership {
    private static final String ATTACH = "ATTACH_MCAST";

    private final ProviderQueuePair provider;
    private final String name;
    private final Set<Gid> groups = new LinkedHashSet<>();

    GroupMembership(ProviderQueuePair provider, String name) {
        this.provider = provider;
        this.name = name;
    }

    synchronized void attach(Gid group, QueuePairType type) {
        if (type != QueuePairType.UD || !group.isMulticast()) {
            throw Refusal.of(Errno.EINVAL, ATTACH, name)
                    .rule(
                            "only a UD queue pair receives a group, and only an address of 224.0.0.0/4 or ff00::/8 is one")
                    .limit(type + ", " + group, "UD, a multicast address")
                    .remedy("Gid.ofGroup() makes one from an address")
                    .exception();
        }
        try {
            provider.attachMulticast(group, 0);
            groups.add(group);
        } catch (RuntimeException e) {
            Refusal refusal = Refusal.of(e, ATTACH, name);
            throw (refusal.errno == Errno.ENOMEM
                            ? refusal.limit("one more member of " + group, "what the device has (maxMulticastGroups)")
                            : refusal)
                    .exception();
        }
    }

    synchronized void detach(Gid group) {
        try {
            provider.detachMulticast(group, 0);
            groups.remove(group);
        } catch (RuntimeException e) {
            Refusal refusal = Refusal.of(e, "DETACH_MCAST", name);
            throw (refusal.errno == Errno.EINVAL ? refusal.rule("it is not attached to " + group) : refusal)
                    .exception();
        }
    }

    /** Leaves all groups; what the kernel refuses here shows when the queue pair is destroyed. */
    synchronized void leaveAll() {
        for (Gid group : groups) {
            try {
                provider.detachMulticast(group, 0);
            } catch (RuntimeException e) {
                Refusal.of(e, "DETACH_MCAST", name);
            }
        }
        groups.clear();
    }
}
