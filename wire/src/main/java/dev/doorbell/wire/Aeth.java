package dev.doorbell.wire;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.Syndrome;
import java.lang.foreign.MemorySegment;

/**
 * The acknowledgement header.
 *
 * <pre>
 *      0  be8   syndrome  kind of answer, see {@link Syndrome}
 *      1  be24  msn       messages that the responder has done, modulo 2^24
 *      4  bytes in all
 * </pre>
 */
public final class Aeth {
    /** Bytes of the header. */
    public static final int SIZE = 4;

    private static final int SYNDROME = 0;
    private static final int MSN = 1;

    private Aeth() {}

    /** Kind of answer, see {@link Syndrome}. */
    public static int syndrome(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + SYNDROME);
    }

    /** Stores {@link #syndrome}. */
    public static void setSyndrome(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + SYNDROME, value);
    }

    /** Messages that the responder has done, modulo 2^24. */
    public static int msn(MemorySegment segment, long at) {
        return Be.getUnsigned24(segment, at + MSN);
    }

    /** Stores {@link #msn}. */
    public static void setMsn(MemorySegment segment, long at, int value) {
        Be.set24(segment, at + MSN, value);
    }

    /** The header on one line. */
    public static String print(MemorySegment segment, long at) {
        return "AETH " + Syndrome.toString(syndrome(segment, at)) + " msn=" + msn(segment, at);
    }
}
