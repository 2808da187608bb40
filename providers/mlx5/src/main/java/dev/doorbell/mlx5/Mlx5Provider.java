package dev.doorbell.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.verbs.spi.AbiRange;
import dev.doorbell.verbs.spi.MatchTable;
import dev.doorbell.verbs.spi.Provider;
import dev.doorbell.verbs.spi.ProviderContext;
import dev.doorbell.verbs.spi.VerbsFault;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The driver as {@link java.util.ServiceLoader} finds it: devices that the kernel's mlx5 driver serves, ABI 1.
 *
 * <p>It has never run on hardware. So it drives a device of the system only where it was asked for.
 */
public final class Mlx5Provider implements Provider {
    private static final MatchTable MATCHES = new MatchTable(Set.of(DriverId.MLX5), List.of(), List.of());
    private static final AbiRange ABI = new AbiRange(1, 1);

    private final DeviceStores stores;

    /** The driver. */
    public Mlx5Provider() {
        this(new DirectStores());
    }

    Mlx5Provider(DeviceStores stores) {
        this.stores = stores;
    }

    @Override
    public String name() {
        return "mlx5";
    }

    @Override
    public MatchTable matches() {
        return MATCHES;
    }

    @Override
    public AbiRange abi() {
        return ABI;
    }

    @Override
    public Optional<String> reservation(KernelDevice device) {
        return device.modalias().isEmpty()
                ? Optional.empty()
                : Optional.of("the driver mlx5 has never run on hardware, and drives it only where it is asked for"
                        + " (DOORBELL_DRIVER=mlx5); the driver libibverbs is the tested way");
    }

    @Override
    public Optional<String> remark() {
        return Optional.of("never run on hardware: tested against vectors of the C driver and the embedded device");
    }

    @Override
    public ProviderContext open(KernelDevice device, CommandChannel channel) {
        String machine = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        if (!machine.equals("amd64") && !machine.equals("x86_64")) {
            throw new VerbsFault(
                    Errno.EOPNOTSUPP,
                    "mlx5 on " + machine + ": the order of stores to device registers is known on x86-64 only");
        }
        return new ContextOpening(device, channel, stores, Mlx5Settings.current()).open();
    }
}
