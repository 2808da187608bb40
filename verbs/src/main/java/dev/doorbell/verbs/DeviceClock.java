package dev.doorbell.verbs;

/**
 * A reading of a device's clock (ibv_query_rt_values_ex(3)), which stamps completions.
 *
 * <p>Thread rules: immutable.
 *
 * @param ticks the clock, in the bits that the device counts
 * @param kilohertz its speed
 * @param mask the bits that count
 * @param wallclockNs this machine's time at the same moment, in nanoseconds since 1970
 */
public record DeviceClock(long ticks, long kilohertz, long mask, long wallclockNs) {
    private static final long NANOS_PER_KILOHERTZ = 1_000_000;

    /** This machine's time when the clock stood, or will stand, at a number of ticks; the clocks may drift apart. */
    public long wallclockNs(long at) {
        long passed = at - ticks & mask;
        return wallclockNs
                + passed / kilohertz * NANOS_PER_KILOHERTZ
                + passed % kilohertz * NANOS_PER_KILOHERTZ / kilohertz;
    }
}
