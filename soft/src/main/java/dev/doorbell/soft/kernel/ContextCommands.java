package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CreateCompChannel;
import dev.doorbell.kernel.abi.CreateCompChannelResponse;
import dev.doorbell.kernel.abi.GetContext;
import dev.doorbell.kernel.abi.GetContextResponse;
import dev.doorbell.kernel.abi.UverbsCommand;

/** GET_CONTEXT and CREATE_COMP_CHANNEL: what opens event files. */
final class ContextCommands {
    private final SoftContext context;

    private ContextCommands(SoftContext context) {
        this.context = context;
    }

    static void register(CommandTable table, SoftContext context) {
        ContextCommands commands = new ContextCommands(context);
        table.add(UverbsCommand.GET_CONTEXT, GetContext.SIZE, GetContextResponse.SIZE, commands::start);
        table.add(
                UverbsCommand.CREATE_COMP_CHANNEL,
                CreateCompChannel.SIZE,
                CreateCompChannelResponse.SIZE,
                context.whenStarted(commands::createChannel));
    }

    private int start(Call call) {
        boolean isMlx5 = context.device().personality() == Personality.MLX5;
        int obstacle = isMlx5 ? Mlx5ContextCommands.check(call) : 0;
        int refusal = obstacle == 0 ? context.start() : obstacle;
        if (refusal == 0) {
            if (isMlx5) {
                Mlx5ContextCommands.answer(call);
            }
            GetContextResponse.setAsyncFd(call.out(), 0, context.asynchronous().descriptor());
            GetContextResponse.setNumCompVectors(call.out(), 0, context.completionVectors());
        }
        return refusal;
    }

    private int createChannel(Call call) {
        EventQueue channel = context.openFile(EventQueue.Kind.COMPLETION);
        if (channel == null) {
            return Errno.EMFILE;
        }
        CreateCompChannelResponse.setFd(call.out(), 0, channel.descriptor());
        return 0;
    }
}
