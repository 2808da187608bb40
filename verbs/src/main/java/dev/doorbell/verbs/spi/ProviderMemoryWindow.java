package dev.doorbell.verbs.spi;

/** A memory window of a driver. */
public interface ProviderMemoryWindow extends AutoCloseable {
    /** The key that it got when it was allocated. */
    int rkey();

    /** DEALLOC_MW. */
    @Override
    void close();
}
