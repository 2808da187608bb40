package dev.doorbell.soft.cm;

/** Times of the messages, from their codes of 5 bits: about 4.096 µs times two to the power of the code. */
public final class CmTimes {
    /** How long either side takes to answer at most: 4.1 s. */
    public static final int RESPONSE_TIMEOUT = 20;

    /** How often a message is repeated. */
    public static final int MAX_RETRIES = 15;

    /** How long a packet may travel, as Linux assumes on RoCE. */
    public static final int PACKET_LIFE_TIME = 16;

    /** How long this device may take for an acknowledgement. */
    public static final int ACK_DELAY = 15;

    /** How long a program may take to decide, told to whoever asks again: 65 s. */
    public static final int SERVICE_TIMEOUT = 24;

    private static final int MILLISECOND_CODE = 8;
    private static final int MAX_CODE = 31;
    private static final long MILLISECOND_NS = 1_000_000;

    private CmTimes() {}

    /** The time of a code, rounded as Linux rounds it: a millisecond at least. */
    public static long nanos(int code) {
        return MILLISECOND_NS << Math.max((code & MAX_CODE) - MILLISECOND_CODE, 0);
    }

    /**
     * The code of the acknowledgement timeout: two packets' life and the other side's delay.
     *
     * @param ackDelay code of the delay
     * @param packetLifeTime code of the life time
     */
    public static int ackTimeout(int ackDelay, int packetLifeTime) {
        int both = packetLifeTime + 1;
        int code = both >= ackDelay ? both + (ackDelay >= both - 1 ? 1 : 0) : ackDelay + (both >= ackDelay - 1 ? 1 : 0);
        return Math.min(code, MAX_CODE);
    }
}
