package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.abi.AttachMcast;
import dev.doorbell.kernel.abi.DetachMcast;
import dev.doorbell.kernel.abi.UverbsCommand;

/** ATTACH_MCAST and DETACH_MCAST. The LID of a group means nothing on Ethernet. */
final class MulticastCommands {
    private final SoftContext context;

    private MulticastCommands(SoftContext context) {
        this.context = context;
    }

    static void register(CommandTable table, SoftContext context) {
        MulticastCommands commands = new MulticastCommands(context);
        table.add(UverbsCommand.ATTACH_MCAST, AttachMcast.SIZE, 0, context.whenStarted(commands::attach));
        table.add(UverbsCommand.DETACH_MCAST, DetachMcast.SIZE, 0, context.whenStarted(commands::detach));
    }

    private int attach(Call call) {
        int handle = AttachMcast.qpHandle(call.in(), 0);
        QueuePair queuePair = context.objects().queuePairs.find(handle);
        return queuePair == null
                ? context.objects().queuePairs.refusal(handle)
                : queuePair.hca().attach(AttachMcast.gid(call.in(), 0));
    }

    private int detach(Call call) {
        int handle = DetachMcast.qpHandle(call.in(), 0);
        QueuePair queuePair = context.objects().queuePairs.find(handle);
        return queuePair == null
                ? context.objects().queuePairs.refusal(handle)
                : queuePair.hca().detach(DetachMcast.gid(call.in(), 0));
    }
}
