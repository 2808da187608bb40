package dev.doorbell.conformance.bench;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A side of the bench: a device, its context and what is made in it. What is made is closed with the bench. */
public final class Side {
    private static final AccessFlag[] EVERYTHING = {
        AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC
    };
    private static final int PAGE = 4096;

    private final String name;
    private final Device device;
    private final Arena arena;
    private final List<Context> contexts = new ArrayList<>();

    /** Kept reachable: a region that nobody holds is given back, also under a posted receive. */
    private final List<MemoryRegion> regions = new ArrayList<>();

    private @Nullable Context context;
    private @Nullable ProtectionDomain domain;

    Side(String name, Device device, Arena arena) {
        this.name = name;
        this.device = device;
        this.arena = arena;
    }

    /** A or B. */
    public String name() {
        return name;
    }

    /** The device. */
    public Device device() {
        return device;
    }

    /** The side's context; opened when first asked for. */
    public Context context() {
        Context known = context;
        if (known == null) {
            known = open();
            context = known;
        }
        return known;
    }

    /** Another context of the device. */
    public Context open() {
        Context opened = device.open();
        contexts.add(opened);
        return opened;
    }

    /** The side's protection domain in its context. */
    public ProtectionDomain domain() {
        ProtectionDomain known = domain;
        if (known == null) {
            known = context().allocateProtectionDomain();
            domain = known;
        }
        return known;
    }

    /** A completion queue in the side's context. */
    public CompletionQueue completionQueue(int entries) {
        return context().createCompletionQueue(entries);
    }

    /** Zeroed, registered memory that grants everything, in the side's protection domain. */
    public MemoryRegion register(long bytes) {
        return register(bytes, EVERYTHING);
    }

    /** Zeroed, registered memory in the side's protection domain. */
    public MemoryRegion register(long bytes, AccessFlag... access) {
        return register(domain(), bytes, access);
    }

    /** Zeroed, registered memory in a protection domain of this side. */
    public MemoryRegion register(ProtectionDomain in, long bytes, AccessFlag... access) {
        MemoryRegion region = in.register(arena.allocate(bytes, PAGE), access);
        regions.add(region);
        return region;
    }

    void close() {
        for (Context opened : contexts.reversed()) {
            opened.close();
        }
    }

    @Override
    public String toString() {
        return "side " + name + " (" + device.name() + ")";
    }
}
