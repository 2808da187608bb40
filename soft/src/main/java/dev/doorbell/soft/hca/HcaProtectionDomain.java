package dev.doorbell.soft.hca;

/** A protection domain: memory regions and queue pairs work together when they name the same one. */
public final class HcaProtectionDomain {
    /** A domain of its own. */
    public HcaProtectionDomain() {}
}
