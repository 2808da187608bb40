package dev.doorbell.soft.hca;

import dev.doorbell.spec.Gid;

/**
 * Where datagrams go: the device's own copy of an address, which work requests name by number.
 *
 * <p>Thread rules: immutable but for {@link #destroy}, which any thread may call.
 */
public final class HcaAddressHandle {
    private final Hca hca;
    private final int number;
    private final HcaProtectionDomain domain;
    private final Gid source;
    private final Gid destination;
    private final long fields;
    private final boolean local;

    HcaAddressHandle(Hca hca, int number, HcaProtectionDomain domain, Gid source, Gid destination, long fields) {
        this.hca = hca;
        this.number = number;
        this.domain = domain;
        this.source = source;
        this.destination = destination;
        this.fields = fields;
        this.local = hca.isLocal(destination);
    }

    /** The number by which work requests name it; never 0. */
    public int number() {
        return number;
    }

    /** Takes it away: work requests that still name it fail. Idempotent. */
    public void destroy() {
        hca.remove(this);
    }

    /** Whose queue pairs may use it. */
    HcaProtectionDomain domain() {
        return domain;
    }

    /** The address that datagrams come from. */
    Gid source() {
        return source;
    }

    /** The address that they go to: a port, or a multicast group. */
    Gid destination() {
        return destination;
    }

    /** What the IP header of datagrams says: {@link dev.doorbell.soft.link.IpFields}. */
    long fields() {
        return fields;
    }

    /** Whether the destination is a port of this device. */
    boolean isLocal() {
        return local;
    }
}
