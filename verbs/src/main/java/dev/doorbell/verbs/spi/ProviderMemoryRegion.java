package dev.doorbell.verbs.spi;

/**
 * A registered memory region of a driver.
 *
 * <p>Follows ibv_reg_mr(3) and ibv_rereg_mr(3).
 *
 * <p>Thread rules: any thread may read the keys; one thread at a time changes or closes it.
 */
public interface ProviderMemoryRegion extends AutoCloseable {
    /** The key by which local work requests name it. */
    int lkey();

    /** The key by which remote peers name it. */
    int rkey();

    /**
     * REREG_MR. Throws {@link VerbsFault}; with EOPNOTSUPP nothing has changed. The keys may be others afterwards.
     */
    default void reregister(RegionChange change) {
        throw VerbsFault.unsupported("REREG_MR");
    }

    /** DEREG_MR: the device reaches the memory no more when this returns. Throws {@link VerbsFault}, EBUSY included. */
    @Override
    void close();
}
