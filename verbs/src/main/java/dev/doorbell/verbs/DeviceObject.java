package dev.doorbell.verbs;

import dev.doorbell.verbs.spi.OptionalOperations;

/**
 * An object of a device that a program only makes, names to other calls, and closes: an XRC domain (ibv_open_xrcd(3)), a
 * thread domain (ibv_alloc_td(3)), a flow rule (ibv_create_flow(3)), a receive work queue (ibv_create_wq(3)), an
 * indirection table (ibv_create_rwq_ind_table(3)) or counters (ibv_create_counters(3)).
 *
 * <p>No device that Doorbell drives today has any of these: the calls that make them answer {@link NotSupportedException}.
 *
 * <p>Thread rules: any method from any thread.
 */
public final class DeviceObject implements AutoCloseable {
    private final OptionalOperations.Handle handle;
    private final Lifetime lifetime;

    DeviceObject(String kind, String destroy, OptionalOperations.Handle handle, Lifetime... parents) {
        this.handle = handle;
        String name = kind + " " + handle.number();
        this.lifetime = Lifetime.begin(name, Release.destroying(destroy, name, handle::close), parents);
        lifetime.watch(this);
    }

    /** The kernel's handle. */
    public int handle() {
        return handle.number();
    }

    /** Whether it has not been closed. */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    /** Destroys it. Idempotent. */
    @Override
    public void close() {
        lifetime.close(Closing.ALONE);
    }

    Lifetime lifetime() {
        return lifetime;
    }

    @Override
    public String toString() {
        return lifetime.name();
    }
}
