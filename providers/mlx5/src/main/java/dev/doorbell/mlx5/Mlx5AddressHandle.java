package dev.doorbell.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CreateAh;
import dev.doorbell.kernel.abi.CreateAhResponse;
import dev.doorbell.kernel.abi.DestroyAh;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateAhResponse;
import dev.doorbell.spec.GidType;
import dev.doorbell.spec.LinkLayer;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.spi.ProviderAddressHandle;
import dev.doorbell.verbs.spi.VerbsFault;
import dev.doorbell.verbs.uverbs.AddressFields;
import dev.doorbell.verbs.uverbs.Command;
import dev.doorbell.verbs.uverbs.Destroy;
import dev.doorbell.verbs.uverbs.DeviceQueries;
import java.lang.foreign.MemorySegment;

/**
 * An address handle: the address vector that work requests carry whole. On InfiniBand it is made here; on Ethernet the kernel finds the
 * peer's MAC address and holds a handle.
 */
final class Mlx5AddressHandle implements ProviderAddressHandle {
    private static final int NONE = -1;

    private final Mlx5Device device;
    private final int handle;
    private final int number;
    private boolean closed;

    private Mlx5AddressHandle(Mlx5Device device, int handle, MemorySegment vector) {
        this.device = device;
        this.handle = handle;
        this.number = device.addresses().put(vector);
    }

    static Mlx5AddressHandle create(Mlx5Device device, int protectionDomain, AddressVector address) {
        CommandChannel channel = device.channel();
        if (DeviceQueries.port(channel, address.port()).linkLayer() != LinkLayer.ETHERNET) {
            return new Mlx5AddressHandle(device, NONE, AddressVectors.infiniband(address));
        }
        if (!address.isGlobal()) {
            throw new VerbsFault(Errno.EINVAL, "CREATE_AH: an address on Ethernet is global");
        }
        if (!device.limits().resolvesAddresses()) {
            throw new VerbsFault(Errno.EOPNOTSUPP, "CREATE_AH: this kernel does not answer the peer's MAC address");
        }
        boolean overUdp = SourceGid.type(device, address.port(), address.sourceGidIndex()) == GidType.ROCE_V2;
        try (Command command =
                new Command(UverbsCommand.CREATE_AH, CreateAh.SIZE, CreateAhResponse.SIZE, Mlx5CreateAhResponse.SIZE)) {
            CreateAh.setPdHandle(command.in(), 0, protectionDomain);
            AddressFields.write(command.in(), CreateAh.ATTRIBUTES, address);
            command.send(channel);
            MemorySegment vector = AddressVectors.ethernet(address, overUdp, command.driverOut());
            return new Mlx5AddressHandle(device, CreateAhResponse.ahHandle(command.out(), 0), vector);
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
        int errno = handle == NONE ? 0 : destroy();
        if (!Destroy.keeps(errno)) {
            closed = true;
            device.addresses().remove(number);
        }
        Command.check(errno, UverbsCommand.DESTROY_AH);
    }

    private int destroy() {
        try (Command command = new Command(UverbsCommand.DESTROY_AH, DestroyAh.SIZE, 0)) {
            DestroyAh.setAhHandle(command.in(), 0, handle);
            return command.trySend(device.channel());
        }
    }
}
