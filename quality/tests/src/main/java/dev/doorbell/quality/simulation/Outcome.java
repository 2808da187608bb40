package dev.doorbell.quality.simulation;

import java.util.Locale;

/**
 * What a simulation came to.
 *
 * @param delivered messages that arrived
 * @param bytes their bytes
 * @param elapsedNs virtual time from the first post to the last completion
 * @param packets packets that both devices sent
 * @param again request packets that were sent again
 * @param probes of those, packets that were sent to find out whether the end of a burst was lost
 */
public record Outcome(long delivered, long bytes, long elapsedNs, long packets, long again, long probes) {
    private static final double MEGA = 1e6;
    private static final double NANOS = 1e9;

    /** Bytes of messages a second, in virtual time. */
    public double bytesPerSecond() {
        return elapsedNs == 0 ? 0 : bytes * NANOS / elapsedNs;
    }

    /** One line. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d delivered, %.1f us, %.1f MB/s, %d packets, %d again, %d probes",
                delivered,
                elapsedNs / 1e3,
                bytesPerSecond() / MEGA,
                packets,
                again,
                probes);
    }
}
