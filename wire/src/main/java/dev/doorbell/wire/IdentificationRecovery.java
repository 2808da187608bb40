package dev.doorbell.wire;

/**
 * Finds the IPv4 identification of a packet that the network layer does not show, from the packet's own invariant CRC.
 *
 * <p>A CRC is linear: the CRC with one identification and the CRC with another differ by a value that depends on
 * nothing but the two numbers and the count of bytes behind them. Running that difference backwards over those bytes
 * gives the exclusive or of the two identifications in 16 bits, and zero in the other 16, if nothing else was changed.
 *
 * <p>What this says is weaker than a CRC: of all corrupted packets, one in 65536 passes as a packet with a strange
 * identification. A receiver asks only where the identification that it expects does not fit.
 *
 * <p>Thread rules: not safe; it remembers the constants of lengths that occurred. Asking allocates nothing.
 */
public final class IdentificationRecovery {
    /** No identification explains the packet: it is corrupt. */
    public static final int CORRUPT = -1;

    /** Set in the result if the packet was sent without "don't fragment". */
    public static final int MAY_FRAGMENT = 1 << 16;

    // The polynomial as the CRC's register has it: the highest power of x in the lowest bit.
    private static final int POLYNOMIAL = 0xedb8_8320;
    private static final int ONE = 1 << 31;

    /** The powers of x repeat after as many steps as there are values but zero. */
    private static final long PERIOD = (1L << 32) - 1;

    /** From the first byte of the identification to the end of the UDP header, and the same for the flags. */
    private static final int HEADERS_FROM_IDENTIFICATION = 24;

    private static final int HEADERS_FROM_FLAGS = 22;
    private static final int DONT_FRAGMENT_BIT = 0x40;

    private static final int REMEMBERED = 64;

    private final int[] lengths = new int[REMEMBERED];
    private final int[] backwards = new int[REMEMBERED];
    private final int[] fragmentable = new int[REMEMBERED];

    /** Remembers nothing yet. */
    public IdentificationRecovery() {}

    /**
     * The identification of a packet.
     *
     * @param difference the CRC that was computed with {@code assumed} and "don't fragment", exclusive or the packet's
     * @param length bytes from the base transport header to the end of the pad
     * @param assumed the identification with which the CRC was computed
     * @return the identification, 16 bits, perhaps with {@link #MAY_FRAGMENT}; or {@link #CORRUPT}
     */
    public int recover(int difference, int length, int assumed) {
        int slot = slot(length);
        int back = multiply(backwards[slot], difference);
        if (back >>> 16 == 0) {
            return assumed ^ inHostOrder(back);
        }
        back ^= fragmentable[slot];
        return back >>> 16 == 0 ? assumed ^ inHostOrder(back) | MAY_FRAGMENT : CORRUPT;
    }

    /** The first byte on the wire is in the lowest bits of the register. */
    private static int inHostOrder(int registerBits) {
        return (registerBits & 0xff) << 8 | registerBits >>> 8;
    }

    private int slot(int length) {
        int slot = (length >>> 2 ^ length << 4) & REMEMBERED - 1;
        if (lengths[slot] != length) {
            lengths[slot] = length;
            backwards[slot] = power(PERIOD - Byte.SIZE * (long) (HEADERS_FROM_IDENTIFICATION + length));
            int flag = multiply(power(Byte.SIZE * (long) (HEADERS_FROM_FLAGS + length)), DONT_FRAGMENT_BIT);
            fragmentable[slot] = multiply(backwards[slot], flag);
        }
        return slot;
    }

    /** x to a power, modulo the polynomial. */
    private static int power(long exponent) {
        int result = ONE;
        int square = ONE >>> 1;
        for (long rest = exponent; rest != 0; rest >>>= 1) {
            if ((rest & 1) != 0) {
                result = multiply(result, square);
            }
            square = multiply(square, square);
        }
        return result;
    }

    /** The product of two polynomials modulo the CRC's. */
    private static int multiply(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int rest = a; rest != 0; rest <<= 1) {
            product ^= shifted & rest >> 31;
            shifted = shifted >>> 1 ^ POLYNOMIAL & -(shifted & 1);
        }
        return product;
    }
}
