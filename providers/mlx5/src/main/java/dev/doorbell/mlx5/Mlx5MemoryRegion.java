package dev.doorbell.mlx5;

import dev.doorbell.verbs.spi.ProviderMemoryRegion;
import dev.doorbell.verbs.spi.RegionChange;
import dev.doorbell.verbs.uverbs.Destroy;
import dev.doorbell.verbs.uverbs.RegisteredRegion;
import java.lang.foreign.MemorySegment;

/** A memory region, which the context also finds by its key. */
final class Mlx5MemoryRegion implements ProviderMemoryRegion {
    private final RegisteredRegion region;
    private final RegionTable regions;
    private MemorySegment memory;
    private long iova;
    private RegionTable.Region entry;

    private Mlx5MemoryRegion(RegisteredRegion region, RegionTable regions, MemorySegment memory, long iova) {
        this.region = region;
        this.regions = regions;
        this.memory = memory;
        this.iova = iova;
        this.entry = regions.put(region.lkey(), memory, iova);
    }

    static Mlx5MemoryRegion register(
            Mlx5Device device, int protectionDomain, MemorySegment memory, long iova, int access) {
        RegisteredRegion region = RegisteredRegion.register(device.channel(), protectionDomain, memory, iova, access);
        return new Mlx5MemoryRegion(region, device.regions(), memory, iova);
    }

    @Override
    public int lkey() {
        return region.lkey();
    }

    @Override
    public int rkey() {
        return region.rkey();
    }

    @Override
    public void reregister(RegionChange change) {
        region.reregister(change);
        MemorySegment next = change.memory();
        if (next != null) {
            memory = next;
            iova = change.iova();
        }
        RegionTable.Region before = entry;
        entry = regions.put(region.lkey(), memory, iova);
        regions.remove(before);
    }

    @Override
    public void close() {
        Destroy.andForget(region::close, () -> regions.remove(entry));
    }
}
