package dev.doorbell.verbs.spi;

/**
 * Versions of a kernel driver's ABI, both ends included.
 *
 * <p>Follows {@code match_min_abi_version} and {@code match_max_abi_version} of the C library's drivers.
 *
 * <p>Thread rules: immutable.
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
