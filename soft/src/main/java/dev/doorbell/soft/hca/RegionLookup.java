package dev.doorbell.soft.hca;

import org.jspecify.annotations.Nullable;

/**
 * Finds memory regions for one user, who as a rule asks for the same one again. Belongs to a half of a queue pair and
 * its lock: a region may be used until that lock is given up.
 */
final class RegionLookup {
    private final MemoryRegions regions;
    private @Nullable HcaMemoryRegion found;
    private int generation;

    RegionLookup(MemoryRegions regions) {
        this.regions = regions;
    }

    /** The region with this key in this domain, or null. */
    @Nullable
    HcaMemoryRegion find(int key, HcaProtectionDomain domain) {
        int present = regions.generation();
        HcaMemoryRegion region = found;
        if (region != null && region.lkey() == key && region.domain() == domain && present == generation) {
            return region;
        }
        region = regions.find(key, domain);
        found = region;
        generation = present;
        return region;
    }
}
