package dev.doorbell.rxe;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.AhAttributes;
import dev.doorbell.kernel.abi.CreateAh;
import dev.doorbell.kernel.abi.CreateAhResponse;
import dev.doorbell.kernel.abi.DestroyAh;
import dev.doorbell.kernel.abi.RxeCreateAhResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.spi.ProviderAddressHandle;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;

/** An address handle, which the kernel resolves and numbers; work requests carry the number. */
final class RxeAddressHandle implements ProviderAddressHandle {
    private final CommandChannel channel;
    private final int handle;
    private final int number;
    private boolean closed;

    private RxeAddressHandle(CommandChannel channel, int handle, int number) {
        this.channel = channel;
        this.handle = handle;
        this.number = number;
    }

    static RxeAddressHandle create(CommandChannel channel, int protectionDomain, AddressVector address) {
        try (Command command =
                new Command(UverbsCommand.CREATE_AH, CreateAh.SIZE, CreateAhResponse.SIZE, RxeCreateAhResponse.SIZE)) {
            CreateAh.setPdHandle(command.in(), 0, protectionDomain);
            fill(command.in(), CreateAh.ATTRIBUTES, address);
            command.send(channel);
            int handle = CreateAhResponse.ahHandle(command.out(), 0);
            int number = RxeCreateAhResponse.ahNum(command.driverOut(), 0);
            if (number == 0) {
                // Kernels before 5.17 number no handles; they take a resolved address in each work request.
                destroy(channel, handle);
                throw new VerbsFault(Errno.EOPNOTSUPP, UverbsCommand.CREATE_AH.name());
            }
            return new RxeAddressHandle(channel, handle, number);
        }
    }

    private static void fill(MemorySegment in, long at, AddressVector address) {
        AhAttributes.setDgid(in, at, address.destination());
        AhAttributes.setFlowLabel(in, at, address.flowLabel());
        AhAttributes.setSgidIndex(in, at, address.sourceGidIndex());
        AhAttributes.setHopLimit(in, at, address.hopLimit());
        AhAttributes.setTrafficClass(in, at, address.trafficClass());
        AhAttributes.setDlid(in, at, address.destinationLid());
        AhAttributes.setSl(in, at, address.serviceLevel());
        AhAttributes.setIsGlobal(in, at, address.isGlobal() ? 1 : 0);
        AhAttributes.setPortNum(in, at, address.port());
        AhAttributes.setSrcPathBits(in, at, address.sourcePathBits());
        AhAttributes.setStaticRate(in, at, address.rate().code());
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        int errno = destroy(channel, handle);
        closed = !Destroy.keeps(errno);
        Command.check(errno, UverbsCommand.DESTROY_AH);
    }

    private static int destroy(CommandChannel channel, int handle) {
        try (Command command = new Command(UverbsCommand.DESTROY_AH, DestroyAh.SIZE, 0)) {
            DestroyAh.setAhHandle(command.in(), 0, handle);
            return command.trySend(channel);
        }
    }
}
