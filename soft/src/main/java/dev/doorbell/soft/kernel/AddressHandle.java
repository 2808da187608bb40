package dev.doorbell.soft.kernel;

import dev.doorbell.soft.hca.HcaAddressHandle;

/**
 * An address handle.
 *
 * @param hca the device's copy
 * @param domain whose queue pairs may use it
 */
record AddressHandle(HcaAddressHandle hca, Domain domain) {}
