package dev.doorbell.verbs.uverbs;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.CreateCompChannel;
import dev.doorbell.kernel.abi.CreateCompChannelResponse;
import dev.doorbell.kernel.abi.DeallocPd;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.verbs.spi.VerbsFault;

/** What an open device makes and gives back without driver data: protection domains and event files. */
public final class ContextCommands {
    private ContextCommands() {}

    /** DEALLOC_PD. */
    public static void deallocateProtectionDomain(CommandChannel channel, int handle) {
        try (Command command = new Command(UverbsCommand.DEALLOC_PD, DeallocPd.SIZE, 0)) {
            DeallocPd.setPdHandle(command.in(), 0, handle);
            command.send(channel);
        }
    }

    /** CREATE_COMP_CHANNEL. */
    public static EventFile createCompletionChannel(CommandChannel channel) {
        try (Command command = new Command(
                UverbsCommand.CREATE_COMP_CHANNEL, CreateCompChannel.SIZE, CreateCompChannelResponse.SIZE)) {
            command.send(channel);
            return eventFile(
                    channel, CreateCompChannelResponse.fd(command.out(), 0), UverbsCommand.CREATE_COMP_CHANNEL);
        }
    }

    /** The event file of a descriptor that a command answered; throws {@link VerbsFault} if it cannot be used. */
    public static EventFile eventFile(CommandChannel channel, int descriptor, UverbsCommand command) {
        try {
            return channel.eventFile(descriptor);
        } catch (KernelException e) {
            throw Command.fault(e, command.name());
        }
    }
}
