package dev.doorbell.verbs.spi;

/**
 * A memory window of a driver.
 *
 * <p>Follows ibv_alloc_mw(3); a refusal is a {@link VerbsFault}. Binding is {@link SendQueue#bind}.
 *
 * <p>Thread rules: any thread may read the key; one closes it.
 */
public interface ProviderMemoryWindow extends AutoCloseable {
    /** The key that it got when it was allocated. */
    int rkey();

    /** DEALLOC_MW. */
    @Override
    void close();
}
