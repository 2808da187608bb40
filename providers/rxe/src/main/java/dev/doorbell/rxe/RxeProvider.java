package dev.doorbell.rxe;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.verbs.spi.AbiRange;
import dev.doorbell.verbs.spi.MatchTable;
import dev.doorbell.verbs.spi.Provider;
import dev.doorbell.verbs.spi.ProviderContext;
import java.util.List;
import java.util.Set;

/** The driver as {@link java.util.ServiceLoader} finds it: devices that the kernel's rxe driver serves, ABI 1 and 2. */
public final class RxeProvider implements Provider {
    private static final MatchTable MATCHES = new MatchTable(Set.of(DriverId.RXE), List.of("rxe"), List.of());

    /** The two differ in layout on 32-bit machines alone. */
    private static final AbiRange ABI = new AbiRange(1, 2);

    @Override
    public String name() {
        return "rxe";
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
    public ProviderContext open(KernelDevice device, CommandChannel channel) {
        return RxeContext.open(channel);
    }
}
