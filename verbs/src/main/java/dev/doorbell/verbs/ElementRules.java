package dev.doorbell.verbs;

import org.jspecify.annotations.Nullable;

/** What is checked of a scatter/gather element that names a region, in sends and receives alike. */
final class ElementRules {
    private ElementRules() {}

    /** Why the element cannot be posted; null if it can. */
    static @Nullable RuntimeException refusal(
            String operation, String name, ProtectionDomain domain, MemoryRegion region, long offset, long length) {
        if (region.protectionDomain() != domain) {
            return PostRefusals.foreignDomain(operation, name, region, domain);
        }
        if (!region.isOpen()) {
            return region.closed(operation);
        }
        if ((offset | length) < 0 || length > region.length() - offset) {
            return region.outside(offset, length);
        }
        return null;
    }
}
