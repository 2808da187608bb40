package dev.doorbell.soft.kernel;

import dev.doorbell.soft.hca.HcaMemoryWindow;

/** A memory window and the domain that it belongs to. */
record Window(HcaMemoryWindow hca, Domain domain) {}
