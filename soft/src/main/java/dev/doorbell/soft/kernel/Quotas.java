package dev.doorbell.soft.kernel;

/** What all contexts of a device share: how much of each kind is in use. */
final class Quotas {
    final Quota contexts = new Quota(Integer.MAX_VALUE);
    /** As many files as a process has descriptors under a generous limit. */
    final Quota channels = new Quota(1 << 16);

    final Quota pins = new Quota(Long.MAX_VALUE);
    final Quota pinnedBytes = new Quota(Long.MAX_VALUE);
    final Quota mappings = new Quota(Long.MAX_VALUE);
    final Quota ringBytes = new Quota(Long.MAX_VALUE);
    final Quota domains;
    final Quota regions;
    final Quota windows;
    final Quota completionQueues;
    final Quota queuePairs;
    final Quota sharedQueues;
    final Quota addressHandles;

    Quotas(SoftLimits limits) {
        domains = new Quota(limits.domains());
        regions = new Quota(limits.regions());
        windows = new Quota(limits.windows());
        completionQueues = new Quota(limits.completionQueues());
        queuePairs = new Quota(limits.queuePairs());
        sharedQueues = new Quota(limits.sharedQueues());
        addressHandles = new Quota(limits.addressHandles());
    }

    Census census() {
        return new Census(
                contexts.used(),
                domains.used(),
                regions.used(),
                windows.used(),
                channels.used(),
                completionQueues.used(),
                queuePairs.used(),
                sharedQueues.used(),
                addressHandles.used(),
                pins.used(),
                pinnedBytes.used(),
                mappings.used(),
                ringBytes.used());
    }
}
