package dev.doorbell.kernel.abi.mlx5;

/**
 * The eight bytes of ordinary memory by which a program tells the device how far a queue was filled or emptied: two big-endian words,
 * written after what they announce.
 *
 * <pre>
 *   queue pair             0  receive counter, 16 bits      4  send counter in blocks, 16 bits
 *   completion queue       0  consumer index, 24 bits       4  arm word
 *   shared receive queue   0  counter, 16 bits              4  0
 * </pre>
 */
public final class DoorbellRecord {
    /** Bytes of a record. */
    public static final int SIZE = 8;

    /** Queue pair, and shared receive queue: work requests posted to it. */
    public static final int RECEIVE = 0;

    /** Queue pair: blocks posted to the send queue. */
    public static final int SEND = 4;

    /** Completion queue: entries taken. */
    public static final int CONSUMER = 0;

    /** Completion queue: the request for an event. */
    public static final int ARM = 4;

    /** In {@link #ARM}: solicited completions only. */
    public static final int ARM_SOLICITED = 1 << 24;

    /** In {@link #ARM}: shift of the two bits that count the events. */
    public static final int ARM_SEQUENCE_SHIFT = 28;

    private DoorbellRecord() {}
}
