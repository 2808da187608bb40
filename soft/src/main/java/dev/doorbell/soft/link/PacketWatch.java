package dev.doorbell.soft.link;

/**
 * How threads sleep until packets arrive at a link whose arrivals nobody announces, such as a socket.
 *
 * <p>Thread rules: any thread; each seat has one sleeper at a time.
 */
public interface PacketWatch {
    /** Where a thread sleeps. */
    enum Seat {
        /** The device's own thread. */
        BACKGROUND,
        /** A program's thread that waits for an event. */
        WAITER
    }

    /** Whether packets may arrive that somebody waits for. While not, nobody need ask or sleep here. Reads only. */
    boolean isNeeded();

    /** Whether a seat can be taken by the calling thread. */
    boolean offers(Seat seat);

    /**
     * Sleeps until a packet waits, until somebody wakes this seat, or for this long; perhaps for no reason. Being
     * interrupted neither wakes nor breaks anything.
     *
     * @param timeoutNs {@link Long#MAX_VALUE} is for ever
     */
    void await(Seat seat, long timeoutNs);

    /** Wakes the sleeper of a seat, or the next one if nobody sleeps. */
    void wake(Seat seat);
}
