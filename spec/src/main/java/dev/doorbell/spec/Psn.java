package dev.doorbell.spec;

/**
 * Packet sequence numbers: 24 bits that wrap. Half of the circle lies ahead of a number and half behind it, so only
 * numbers less than 2^23 apart can be compared.
 *
 * <p>Follows the InfiniBand Architecture Specification, volume 1, chapter 9 (transport layer).
 *
 * <p>Thread rules: static methods without state, from any thread.
 */
public final class Psn {
    /** How many numbers there are. */
    public static final int COUNT = 1 << 24;

    /** The largest number. */
    public static final int MASK = COUNT - 1;

    /** How many packets may be outstanding at most. */
    public static final int MAX_OUTSTANDING = (1 << 23) - 1;

    private static final int UNUSED_BITS = 8;

    private Psn() {}

    /** The number that lies {@code packets} after {@code psn}; before it if negative. */
    public static int add(int psn, int packets) {
        return psn + packets & MASK;
    }

    /** The number after {@code psn}. */
    public static int next(int psn) {
        return psn + 1 & MASK;
    }

    /** How far {@code psn} lies after {@code base}: negative if before it, from -2^23 to 2^23 - 1. */
    public static int diff(int psn, int base) {
        return psn - base << UNUSED_BITS >> UNUSED_BITS;
    }

    /** Negative, 0 or positive as {@code left} lies before, at or after {@code right}. */
    public static int compare(int left, int right) {
        return diff(left, right);
    }

    /** Whether {@code psn} is one of the {@code packets} numbers from {@code first} on, at most 2^24. */
    public static boolean inRange(int psn, int first, int packets) {
        return (psn - first & MASK) < packets;
    }

    /** Six hexadecimal digits, as the ibverbs-utils programs print it. */
    public static String toString(int psn) {
        return "%06x".formatted(psn & MASK);
    }
}
