package dev.doorbell.quality.interop;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import java.lang.foreign.Arena;
import java.util.Set;

/** A device that is open, with memory that its peer may use: what one side keeps from bout to bout. */
final class Desk implements AutoCloseable {
    /** Bytes that a bout's messages need. */
    static final long BYTES = (1 << 20) + (1 << 17);

    private static final int PAGE = 4096;

    private final Arena arena = Arena.ofShared();
    private final Context context;
    private final ProtectionDomain domain;
    private final MemoryRegion region;

    @SuppressWarnings("MustBeClosed") // close() does
    private Desk(Device device) {
        this.context = device.open();
        this.domain = context.allocateProtectionDomain();
        this.region = domain.register(
                arena.allocate(BYTES, PAGE),
                AccessFlag.LOCAL_WRITE,
                AccessFlag.REMOTE_WRITE,
                AccessFlag.REMOTE_READ,
                AccessFlag.REMOTE_ATOMIC);
    }

    static Desk at(Device device) {
        return new Desk(device);
    }

    Context context() {
        return context;
    }

    ProtectionDomain domain() {
        return domain;
    }

    MemoryRegion region() {
        return region;
    }

    /** The slot of a routable address of this kind. */
    int gidIndex(boolean six) {
        return context.device().gids(1).stream()
                .filter(entry -> !entry.gid().isLinkLocal() && entry.gid().isIpv4Mapped() != six)
                .findFirst()
                .orElseThrow(() -> new AssertionError(context.device().name() + " has no " + (six ? "IPv6" : "IPv4")
                        + " address: " + Set.copyOf(context.device().gids(1))))
                .index();
    }

    @Override
    public void close() {
        try (arena) {
            context.close();
        }
    }
}
