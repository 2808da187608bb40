package dev.doorbell.conformance;

/** Lets packets get lost, or arrive twice. */
public interface LinkFaults {
    /** Packets of one kind. */
    enum Packets {
        /** Any request. */
        REQUEST,
        /** A READ request. */
        READ_REQUEST,
        /** An atomic request. */
        ATOMIC_REQUEST,
        /** A part of what a READ asked for. */
        READ_RESPONSE,
        /** An acknowledgement, a refusal included. */
        ACKNOWLEDGE,
        /** The answer to an atomic. */
        ATOMIC_ACKNOWLEDGE
    }

    /** Counts packets of a kind, whichever side they go to, from now on. */
    void count(Packets kind);

    /** How many packets were counted. */
    int counted();

    /**
     * Drops packets, whichever side they go to.
     *
     * @param pass how many of this kind pass before
     * @param count how many are dropped then
     */
    void drop(Packets kind, int pass, int count);

    /**
     * Delivers packets twice, whichever side they go to.
     *
     * @param pass how many of this kind pass before
     * @param count how many come twice then
     */
    void duplicate(Packets kind, int pass, int count);
}
