package dev.doorbell.libibverbs;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.verbs.spi.AbiRange;
import dev.doorbell.verbs.spi.MatchTable;
import dev.doorbell.verbs.spi.Provider;
import dev.doorbell.verbs.spi.ProviderContext;
import dev.doorbell.verbs.spi.VerbsFault;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The driver as {@link java.util.ServiceLoader} finds it: for the devices of {@link LibraryKernel} and no others. */
public final class LibraryProvider implements Provider {
    static final String NAME = "libibverbs";

    private static final MatchTable NONE = new MatchTable(Set.of(), List.of(), List.of());
    /** Which versions of a kernel driver's ABI there are is the library's affair. */
    private static final AbiRange ANY = new AbiRange(0, Integer.MAX_VALUE);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public MatchTable matches() {
        return NONE;
    }

    @Override
    public AbiRange abi() {
        return ANY;
    }

    @Override
    public Optional<String> absence() {
        LibrarySettings wanted = LibrarySettings.current();
        if (wanted.isOff()) {
            return Optional.of(LibrarySettings.VARIABLE + " turns it off");
        }
        return Optional.of(VerbsLibrary.load(wanted.name()).complaint()).filter(complaint -> !complaint.isEmpty());
    }

    @Override
    public ProviderContext open(KernelDevice device, CommandChannel channel) {
        if (channel.undecorated() instanceof LibraryChannel opened) {
            return LibraryContext.open(opened, device.driverId());
        }
        throw new VerbsFault(Errno.EINVAL, "open: " + device.name() + " is no device of the library");
    }
}
