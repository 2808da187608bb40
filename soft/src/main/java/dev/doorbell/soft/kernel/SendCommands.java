package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.PostSend;
import dev.doorbell.kernel.abi.PostSendResponse;
import dev.doorbell.kernel.abi.UverbsCommand;

/** POST_SEND, the doorbell as a command. The work requests are in the ring already; none come with the command. */
final class SendCommands {
    /** Bytes of {@code ib_uverbs_send_wr}, which a program must at least claim for an element. */
    private static final int LEAST_ELEMENT = 56;

    private final SoftContext context;

    private SendCommands(SoftContext context) {
        this.context = context;
    }

    static void register(CommandTable table, SoftContext context) {
        SendCommands commands = new SendCommands(context);
        table.add(UverbsCommand.POST_SEND, PostSend.SIZE, PostSendResponse.SIZE, context.whenStarted(commands::post));
    }

    private int post(Call call) {
        boolean bare = PostSend.wrCount(call.in(), 0) == 0 && PostSend.sgeCount(call.in(), 0) == 0;
        if (!bare || Integer.compareUnsigned(PostSend.wqeSize(call.in(), 0), LEAST_ELEMENT) < 0) {
            return Errno.EINVAL;
        }
        int handle = PostSend.qpHandle(call.in(), 0);
        QueuePair queuePair = context.objects().queuePairs.find(handle);
        if (queuePair == null) {
            return context.objects().queuePairs.refusal(handle);
        }
        PostSendResponse.setBadWr(call.out(), 0, 0);
        return context.device().ring(queuePair.hca());
    }
}
