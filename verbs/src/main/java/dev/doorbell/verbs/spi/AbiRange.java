package dev.doorbell.verbs.spi;

/**
 * Versions of a kernel driver's ABI, both ends included.
 *
 * @param lowest the oldest version
 * @param highest the newest version
 */
public record AbiRange(int lowest, int highest) {
    /** Whether a version lies in the range. */
    public boolean contains(int version) {
        return lowest <= version && version <= highest;
    }

    @Override
    public String toString() {
        return lowest == highest ? Integer.toString(lowest) : lowest + " to " + highest;
    }
}
