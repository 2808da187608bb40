package dev.doorbell.verbs.uverbs;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.abi.AllocMw;
import dev.doorbell.kernel.abi.AllocMwResponse;
import dev.doorbell.kernel.abi.DeallocMw;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.verbs.spi.ProviderMemoryWindow;

/** A memory window: ALLOC_MW and DEALLOC_MW. */
public final class AllocatedWindow implements ProviderMemoryWindow {
    private final CommandChannel channel;
    private final int handle;
    private final int rkey;
    private boolean closed;

    private AllocatedWindow(CommandChannel channel, int handle, int rkey) {
        this.channel = channel;
        this.handle = handle;
        this.rkey = rkey;
    }

    /** ALLOC_MW. */
    public static AllocatedWindow allocate(CommandChannel channel, int protectionDomain, int type) {
        try (Command command = new Command(UverbsCommand.ALLOC_MW, AllocMw.SIZE, AllocMwResponse.SIZE)) {
            AllocMw.setPdHandle(command.in(), 0, protectionDomain);
            AllocMw.setMwType(command.in(), 0, type);
            command.send(channel);
            return new AllocatedWindow(
                    channel, AllocMwResponse.mwHandle(command.out(), 0), AllocMwResponse.rkey(command.out(), 0));
        }
    }

    @Override
    public int rkey() {
        return rkey;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        int errno = deallocate();
        closed = !Destroy.keeps(errno);
        Command.check(errno, UverbsCommand.DEALLOC_MW);
    }

    private int deallocate() {
        try (Command command = new Command(UverbsCommand.DEALLOC_MW, DeallocMw.SIZE, 0)) {
            DeallocMw.setMwHandle(command.in(), 0, handle);
            return command.trySend(channel);
        }
    }
}
