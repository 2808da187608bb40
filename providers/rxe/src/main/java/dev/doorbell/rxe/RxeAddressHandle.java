package dev.doorbell.rxe;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CreateAh;
import dev.doorbell.kernel.abi.CreateAhResponse;
import dev.doorbell.kernel.abi.DestroyAh;
import dev.doorbell.kernel.abi.RxeCreateAhResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.spi.ProviderAddressHandle;
import dev.doorbell.verbs.spi.VerbsFault;
import dev.doorbell.verbs.uverbs.AddressFields;
import dev.doorbell.verbs.uverbs.Command;
import dev.doorbell.verbs.uverbs.Destroy;

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
            AddressFields.write(command.in(), CreateAh.ATTRIBUTES, address);
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
