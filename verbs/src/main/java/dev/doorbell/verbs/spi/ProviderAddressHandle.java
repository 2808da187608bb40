package dev.doorbell.verbs.spi;

/** An address handle of a driver. */
public interface ProviderAddressHandle extends AutoCloseable {
    /** What a UD work request carries to name it; the driver's own meaning. */
    int number();

    /** DESTROY_AH. */
    @Override
    void close();
}
