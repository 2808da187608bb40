package dev.doorbell.soft.kernel;

import dev.doorbell.soft.hca.HcaMemoryRegion;

/** A memory region and the domain that it belongs to. */
record Region(HcaMemoryRegion hca, Domain domain) {}
