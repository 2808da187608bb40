package dev.doorbell.spec;

/**
 * The first byte of an acknowledgement's AETH: what kind of answer it is, and a number of five bits.
 *
 * <pre>
 *   0 0 0 c c c c c   ACK      c = credits, 31 for "not counted"
 *   0 0 1 t t t t t   RNR NAK  t = code of the RNR timer
 *   0 1 1 n n n n n   NAK      n = NAK code
 * </pre>
 *
 * <p>It stays a plain number, so that an unknown one keeps its value.
 *
 * <p>Follows the InfiniBand Architecture Specification, volume 1, chapter 9 (transport layer).
 *
 * <p>Thread rules: static methods without state, from any thread.
 */
public final class Syndrome {
    /** An acknowledgement that counts no credits: the only one that is sent. */
    public static final int ACK = 0x1f;

    /** A packet is missing. */
    public static final int NAK_PSN_SEQUENCE = 0x60;
    /** The request makes no sense. */
    public static final int NAK_INVALID_REQUEST = 0x61;
    /** Key, range or rights are wrong. */
    public static final int NAK_REMOTE_ACCESS = 0x62;
    /** The responder failed by itself. */
    public static final int NAK_REMOTE_OPERATIONAL = 0x63;

    private static final int KIND_MASK = 0xe0;
    private static final int KIND_ACK = 0x00;
    private static final int KIND_RNR = 0x20;
    private static final int KIND_NAK = 0x60;
    private static final int VALUE_MASK = 0x1f;

    private Syndrome() {}

    /** The syndrome of "receiver not ready" with a timer code. */
    public static int rnr(int timerCode) {
        return KIND_RNR | timerCode & VALUE_MASK;
    }

    /** Whether it acknowledges. */
    public static boolean isAck(int syndrome) {
        return (syndrome & KIND_MASK) == KIND_ACK;
    }

    /** Whether the receiver was not ready. */
    public static boolean isRnr(int syndrome) {
        return (syndrome & KIND_MASK) == KIND_RNR;
    }

    /** Whether it refuses. */
    public static boolean isNak(int syndrome) {
        return (syndrome & KIND_MASK) == KIND_NAK;
    }

    /** The low five bits: credits, timer code or NAK code. */
    public static int value(int syndrome) {
        return syndrome & VALUE_MASK;
    }

    /** What it says, for people. */
    public static String toString(int syndrome) {
        if (isAck(syndrome)) {
            return value(syndrome) == ACK ? "ACK" : "ACK credit code " + value(syndrome);
        }
        if (isRnr(syndrome)) {
            return "RNR NAK timer " + value(syndrome);
        }
        if (isNak(syndrome)) {
            NakCode code = NakCode.of(value(syndrome));
            return "NAK " + (code == NakCode.UNKNOWN ? "code " + value(syndrome) : code.name());
        }
        return "syndrome 0x%02x".formatted(syndrome);
    }
}
