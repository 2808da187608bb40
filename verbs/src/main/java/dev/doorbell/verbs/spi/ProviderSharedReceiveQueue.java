package dev.doorbell.verbs.spi;

/** A shared receive queue of a driver. */
public interface ProviderSharedReceiveQueue extends AutoCloseable {
    /** The kernel's handle. */
    int handle();

    /** The queue's end for posting. */
    ReceiveQueue receiveQueue();

    /** DESTROY_SRQ. */
    @Override
    void close();
}
