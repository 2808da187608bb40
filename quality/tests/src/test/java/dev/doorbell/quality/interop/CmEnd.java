package dev.doorbell.quality.interop;

/** One end of a program of rdmacm-utils that is being played: the C program, or ours in this JVM or in the other one. */
interface CmEnd extends AutoCloseable {
    /** Waits until a server listens, or a member of a group has joined it. */
    void awaitReady();

    /**
     * Waits until it has ended well.
     *
     * @throws AssertionError if it did not
     */
    void await();

    /** Has it end when it is done with what it is at, if it would go on otherwise. */
    default void enough() {}

    /** What it is called, and what it has printed so far. */
    String report();

    /** Ends it, if it has not ended. */
    @Override
    void close();
}
