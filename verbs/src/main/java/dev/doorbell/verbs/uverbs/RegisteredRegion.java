package dev.doorbell.verbs.uverbs;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.DeregMr;
import dev.doorbell.kernel.abi.RegMr;
import dev.doorbell.kernel.abi.RegMrResponse;
import dev.doorbell.kernel.abi.ReregMr;
import dev.doorbell.kernel.abi.ReregMrResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.verbs.spi.ProviderMemoryRegion;
import dev.doorbell.verbs.spi.RegionChange;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;

/** A memory region: REG_MR and REREG_MR over memory that is pinned for as long as the kernel knows the region. */
public final class RegisteredRegion implements ProviderMemoryRegion {
    private final CommandChannel channel;
    private final int handle;
    private CommandChannel.Pin pin;
    private int lkey;
    private int rkey;
    private boolean closed;

    private RegisteredRegion(CommandChannel channel, CommandChannel.Pin pin, MemorySegment response) {
        this.channel = channel;
        this.pin = pin;
        this.handle = RegMrResponse.mrHandle(response, 0);
        this.lkey = RegMrResponse.lkey(response, 0);
        this.rkey = RegMrResponse.rkey(response, 0);
    }

    /** REG_MR. */
    public static RegisteredRegion register(
            CommandChannel channel, int protectionDomain, MemorySegment memory, long iova, int access) {
        CommandChannel.Pin pin = pin(channel, memory);
        try (Command command = new Command(UverbsCommand.REG_MR, RegMr.SIZE, RegMrResponse.SIZE)) {
            RegMr.setStart(command.in(), 0, memory.address());
            RegMr.setLength(command.in(), 0, memory.byteSize());
            RegMr.setHcaVa(command.in(), 0, iova);
            RegMr.setPdHandle(command.in(), 0, protectionDomain);
            RegMr.setAccessFlags(command.in(), 0, access);
            command.send(channel);
            return new RegisteredRegion(channel, pin, command.out());
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
    public void reregister(RegionChange change) {
        MemorySegment memory = change.memory();
        CommandChannel.Pin next = memory == null ? null : pin(channel, memory);
        try (Command command = new Command(UverbsCommand.REREG_MR, ReregMr.SIZE, ReregMrResponse.SIZE)) {
            ReregMr.setMrHandle(command.in(), 0, handle);
            fill(command.in(), change);
            command.send(channel);
            lkey = ReregMrResponse.lkey(command.out(), 0);
            rkey = ReregMrResponse.rkey(command.out(), 0);
        } catch (VerbsFault e) {
            if (next != null) {
                next.close();
            }
            throw e;
        }
        if (next != null) {
            pin.close();
            pin = next;
        }
    }

    private static void fill(MemorySegment in, RegionChange change) {
        int flags = 0;
        MemorySegment memory = change.memory();
        if (memory != null) {
            flags |= ReregMr.TRANSLATION;
            ReregMr.setStart(in, 0, memory.address());
            ReregMr.setLength(in, 0, memory.byteSize());
            ReregMr.setHcaVa(in, 0, change.iova());
        }
        if (change.changesDomain()) {
            flags |= ReregMr.PROTECTION_DOMAIN;
            ReregMr.setPdHandle(in, 0, change.protectionDomain());
        }
        if (change.changesAccess()) {
            flags |= ReregMr.ACCESS;
            ReregMr.setAccessFlags(in, 0, change.access());
        }
        ReregMr.setFlags(in, 0, flags);
    }

    /** Whether this kernel has REREG_MR: it answers EINVAL to a command that changes nothing, if it looks at it at all. */
    public static boolean canReregister(CommandChannel channel) {
        try (Command command = new Command(UverbsCommand.REREG_MR, ReregMr.SIZE, ReregMrResponse.SIZE)) {
            return switch (command.trySend(channel)) {
                case Errno.EOPNOTSUPP, Errno.ENOSYS, Errno.EPROTONOSUPPORT -> false;
                default -> true;
            };
        }
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
