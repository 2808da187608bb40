package dev.doorbell.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.abi.GetContext;
import dev.doorbell.kernel.abi.GetContextResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.mlx5.Mlx5GetContext;
import dev.doorbell.kernel.abi.mlx5.Mlx5GetContextResponse;
import dev.doorbell.verbs.spi.VerbsFault;
import dev.doorbell.verbs.uverbs.Command;
import dev.doorbell.verbs.uverbs.ContextCommands;
import java.lang.foreign.MemorySegment;

/**
 * Opening a device: GET_CONTEXT, then the register page in which completion queues are armed. A kernel refuses what it does not know with
 * EINVAL; so the driver asks with general commands (DEVX), which need a capability, then with shorter requests, then without.
 */
final class ContextOpening {
    private static final int REGISTERS = 16;
    private static final int LOW_LATENCY = 4;
    private static final int CQE_VERSION = 1;

    private static final int[] SIZES = {
        Mlx5GetContext.SIZE, Mlx5GetContext.SIZE_WITHOUT_CAPABILITIES, Mlx5GetContext.SIZE_WITHOUT_CQE_VERSION
    };

    private final KernelDevice identity;
    private final CommandChannel channel;
    private final DeviceStores stores;
    private final Mlx5Settings settings;

    ContextOpening(KernelDevice identity, CommandChannel channel, DeviceStores stores, Mlx5Settings settings) {
        this.settings = settings;
        this.identity = identity;
        this.channel = channel;
        this.stores = stores;
    }

    Mlx5Context open() {
        for (int flags : new int[] {Mlx5GetContext.DEVX, 0}) {
            for (int size : SIZES) {
                try (Command command = request(size, flags)) {
                    int errno = command.trySend(channel);
                    if (errno == 0) {
                        return opened(command);
                    }
                    if (errno != Errno.EINVAL) {
                        throw new VerbsFault(errno, UverbsCommand.GET_CONTEXT.name());
                    }
                }
            }
        }
        throw new VerbsFault(Errno.EINVAL, UverbsCommand.GET_CONTEXT.name());
    }

    private static Command request(int size, int flags) {
        Command command = new Command(
                UverbsCommand.GET_CONTEXT, GetContext.SIZE, GetContextResponse.SIZE, Mlx5GetContextResponse.SIZE);
        command.addDriverIn(size);
        MemorySegment in = command.driverIn();
        Mlx5GetContext.setTotalRegisters(in, 0, REGISTERS);
        Mlx5GetContext.setLowLatencyRegisters(in, 0, LOW_LATENCY);
        Mlx5GetContext.setFlags(in, 0, flags);
        if (size >= Mlx5GetContext.SIZE_WITHOUT_CAPABILITIES) {
            Mlx5GetContext.setMaxCqeVersion(in, 0, CQE_VERSION);
        }
        if (size >= Mlx5GetContext.SIZE) {
            Mlx5GetContext.setCapabilities(in, 0, Mlx5GetContext.SMALL_PAGES | Mlx5GetContext.DYNAMIC_PAGES);
        }
        return command;
    }

    private Mlx5Context opened(Command command) {
        int vectors = GetContextResponse.numCompVectors(command.out(), 0);
        DeviceLimits limits = DeviceLimits.of(command.driverOut());
        if (vectors < 1 || !limits.isSane()) {
            throw new VerbsFault(Errno.EIO, UverbsCommand.GET_CONTEXT.name() + ": " + vectors + " vectors, " + limits);
        }
        Registers registers = limits.staticRegisters() == 0
                ? new RegisterPages(channel, stores, limits.blueFlameSize())
                : new StaticRegisters(channel, stores, limits.blueFlameSize(), limits.staticRegisters());
        Mlx5Device device = Mlx5Device.of(identity, channel, stores, limits, registers, settings);
        return new Mlx5Context(
                device,
                ContextCommands.eventFile(
                        channel, GetContextResponse.asyncFd(command.out(), 0), UverbsCommand.GET_CONTEXT),
                vectors,
                CoreClock.open(channel, limits));
    }
}
