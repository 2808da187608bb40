package dev.doorbell.verbs.spi;

/**
 * An address handle of a driver.
 *
 * <p>Follows ibv_create_ah(3); a refusal is a {@link VerbsFault}.
 *
 * <p>Thread rules: any thread may read the number; one closes it.
 */
public interface ProviderAddressHandle extends AutoCloseable {
    /** What a UD work request carries to name it; the driver's own meaning. */
    int number();

    /** DESTROY_AH. */
    @Override
    void close();
}
