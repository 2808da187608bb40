package dev.doorbell.verbs.uverbs;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.abi.AttachMcast;
import dev.doorbell.kernel.abi.DetachMcast;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.Gid;

/** ATTACH_MCAST and DETACH_MCAST. */
public final class MulticastCommands {
    private MulticastCommands() {}

    /** ATTACH_MCAST. */
    public static void attach(CommandChannel channel, int queuePair, Gid group, int lid) {
        try (Command command = new Command(UverbsCommand.ATTACH_MCAST, AttachMcast.SIZE, 0)) {
            AttachMcast.setGid(command.in(), 0, group);
            AttachMcast.setQpHandle(command.in(), 0, queuePair);
            AttachMcast.setMlid(command.in(), 0, lid);
            command.send(channel);
        }
    }

    /** DETACH_MCAST. */
    public static void detach(CommandChannel channel, int queuePair, Gid group, int lid) {
        try (Command command = new Command(UverbsCommand.DETACH_MCAST, DetachMcast.SIZE, 0)) {
            DetachMcast.setGid(command.in(), 0, group);
            DetachMcast.setQpHandle(command.in(), 0, queuePair);
            DetachMcast.setMlid(command.in(), 0, lid);
            command.send(channel);
        }
    }
}
