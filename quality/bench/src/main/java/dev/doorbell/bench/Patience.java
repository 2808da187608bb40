package dev.doorbell.bench;

/** Ends a wait for a partner that is gone. Looked at once in a million spins, so that it costs nothing. */
public final class Patience {
    private static final int SPINS_BETWEEN_LOOKS = 1 << 20;
    private static final long LIMIT_NS = 30_000_000_000L;

    private long firstLookNs;

    /** Called with a count that starts at 1 in each wait and grows while nothing comes. */
    public void check(int spins) {
        if ((spins & SPINS_BETWEEN_LOOKS - 1) == 0) {
            look(spins);
        }
    }

    private void look(int spins) {
        long nowNs = System.nanoTime();
        if (spins == SPINS_BETWEEN_LOOKS) {
            firstLookNs = nowNs;
        } else if (nowNs - firstLookNs > LIMIT_NS) {
            throw new IllegalStateException("the other thread has not answered for 30 seconds");
        }
    }
}
