package dev.doorbell.rxe;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.DeregMr;
import dev.doorbell.kernel.abi.RegMr;
import dev.doorbell.kernel.abi.RegMrResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.verbs.spi.ProviderMemoryRegion;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;

/** A memory region: REG_MR over memory that is pinned for as long as the kernel knows the region. */
final class RxeMemoryRegion implements ProviderMemoryRegion {
    private final CommandChannel channel;
    private final CommandChannel.Pin pin;
    private final int handle;
    private final int lkey;
    private final int rkey;
    private boolean closed;

    private RxeMemoryRegion(CommandChannel channel, CommandChannel.Pin pin, MemorySegment response) {
        this.channel = channel;
        this.pin = pin;
        this.handle = RegMrResponse.mrHandle(response, 0);
        this.lkey = RegMrResponse.lkey(response, 0);
        this.rkey = RegMrResponse.rkey(response, 0);
    }

    static RxeMemoryRegion register(
            CommandChannel channel, int protectionDomain, MemorySegment memory, long iova, int access) {
        CommandChannel.Pin pin = pin(channel, memory);
        try (Command command = new Command(UverbsCommand.REG_MR, RegMr.SIZE, RegMrResponse.SIZE)) {
            RegMr.setStart(command.in(), 0, memory.address());
            RegMr.setLength(command.in(), 0, memory.byteSize());
            RegMr.setHcaVa(command.in(), 0, iova);
            RegMr.setPdHandle(command.in(), 0, protectionDomain);
            RegMr.setAccessFlags(command.in(), 0, access);
            command.send(channel);
            return new RxeMemoryRegion(channel, pin, command.out());
        } catch (VerbsFault e) {
            pin.close();
            throw e;
        }
    }

    private static CommandChannel.Pin pin(CommandChannel channel, MemorySegment memory) {
        try {
            return channel.pin(memory);
        } catch (KernelException e) {
            throw Command.fault(e, UverbsCommand.REG_MR.name());
        }
    }

    @Override
    public int lkey() {
        return lkey;
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
        int errno = deregister();
        if (!Destroy.keeps(errno)) {
            closed = true;
            pin.close();
        }
        Command.check(errno, UverbsCommand.DEREG_MR);
    }

    private int deregister() {
        try (Command command = new Command(UverbsCommand.DEREG_MR, DeregMr.SIZE, 0)) {
            DeregMr.setMrHandle(command.in(), 0, handle);
            return command.trySend(channel);
        }
    }
}
