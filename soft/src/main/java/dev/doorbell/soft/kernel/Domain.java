package dev.doorbell.soft.kernel;

import dev.doorbell.soft.hca.HcaProtectionDomain;

/** A protection domain. */
final class Domain {
    final HcaProtectionDomain hca = new HcaProtectionDomain();
    final Usage usage = new Usage();
}
