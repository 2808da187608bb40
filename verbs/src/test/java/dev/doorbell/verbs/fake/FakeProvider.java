package dev.doorbell.verbs.fake;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.verbs.spi.AbiRange;
import dev.doorbell.verbs.spi.MatchTable;
import dev.doorbell.verbs.spi.Provider;
import dev.doorbell.verbs.spi.ProviderContext;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A driver for {@link FakeDevice}s, as a third party would write one. */
public final class FakeProvider implements Provider {
    private static final Map<CommandChannel, FakeContext> CONTEXTS = new ConcurrentHashMap<>();

    private final String name;
    private final MatchTable matches;
    private final AbiRange abi;

    public FakeProvider() {
        this("acme", new MatchTable(Set.of(FakeDevice.DRIVER_ID), List.of("acme"), List.of()), new AbiRange(1, 3));
    }

    public FakeProvider(String name, MatchTable matches, AbiRange abi) {
        this.name = name;
        this.matches = matches;
        this.abi = abi;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public MatchTable matches() {
        return matches;
    }

    @Override
    public AbiRange abi() {
        return abi;
    }

    @Override
    public ProviderContext open(KernelDevice device, CommandChannel channel) {
        FakeContext context = new FakeContext(channel);
        CONTEXTS.put(((FakeDevice) device).channel, context);
        return context;
    }

    /** The context that was last opened on a device. */
    public static @Nullable FakeContext contextOf(FakeDevice device) {
        return CONTEXTS.get(device.channel);
    }
}
