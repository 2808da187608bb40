package dev.doorbell.bench.udp;

/** One end of a contest, in its own process or thread. */
interface Player extends AutoCloseable {
    /**
     * Plays one round.
     *
     * @param amount what is asked for: chunks of round trips, or bytes
     * @return what the client measured; the server's means nothing
     */
    double play(long amount);

    @Override
    void close();
}
