package dev.doorbell.soft.hca;

import dev.doorbell.spec.Syndrome;
import java.util.Arrays;

/**
 * Answers that may not be sent yet, since an unfinished READ response is before them (rule 3.5), oldest first. Each
 * remembers the count of messages at its time. One that finds no room is lost: the requester asks again, as if the wire had lost it.
 * Belongs to the responder and its lock.
 */
final class WaitingAnswers extends Padded {
    /** What has to be said. */
    enum Kind {
        /** ACK, NAK or RNR NAK. */
        ACKNOWLEDGE,
        ATOMIC,
        /** What answers ATOMIC WRITE and FLUSH. */
        EMPTY,
        READ
    }

    private static final Kind[] NO_KINDS = {};
    private static final int[] NO_INTS = {};
    private static final long[] NO_LONGS = {};

    private final int capacity;

    // Made for the first that has to wait: many a connection never sees one.
    private Kind[] kinds = NO_KINDS;
    private int[] psns = NO_INTS;
    private int[] messages = NO_INTS;
    private int[] syndromes = NO_INTS;
    private long[] originals = NO_LONGS;
    private int[] packets = NO_INTS;
    private long[] lengths = NO_LONGS;
    private long[] addresses = NO_LONGS;
    private int[] keys = NO_INTS;
    private int head;
    private int tail;

    /**
     * None.
     *
     * @param capacity a power of two
     */
    WaitingAnswers(int capacity) {
        this.capacity = capacity;
    }

    private void allocate() {
        kinds = new Kind[capacity];
        Arrays.fill(kinds, Kind.EMPTY);
        psns = new int[capacity];
        messages = new int[capacity];
        syndromes = new int[capacity];
        originals = new long[capacity];
        packets = new int[capacity];
        lengths = new long[capacity];
        addresses = new long[capacity];
        keys = new int[capacity];
    }

    boolean isEmpty() {
        return head == tail;
    }

    void clear() {
        head = tail;
    }

    /** An acknowledgement behind another covers it. */
    void addAcknowledge(int psn, int syndrome, int count) {
        int last = tail - 1 & capacity - 1;
        boolean covers = head != tail
                && kinds[last] == Kind.ACKNOWLEDGE
                && Syndrome.isAck(syndromes[last])
                && Syndrome.isAck(syndrome);
        if (covers) {
            psns[last] = psn;
            messages[last] = count;
        } else {
            int slot = claim(Kind.ACKNOWLEDGE, psn, count);
            if (slot >= 0) {
                syndromes[slot] = syndrome;
            }
        }
    }

    void addAtomic(int psn, int count, long original) {
        int slot = claim(Kind.ATOMIC, psn, count);
        if (slot >= 0) {
            originals[slot] = original;
        }
    }

    void addEmpty(int psn, int count) {
        claim(Kind.EMPTY, psn, count);
    }

    void addRead(InboundRequest request, int count) {
        int slot = claim(Kind.READ, request.psn, count);
        if (slot >= 0) {
            packets[slot] = request.packets;
            lengths[slot] = request.messageBytes;
            addresses[slot] = request.remoteAddress;
            keys[slot] = request.remoteKey;
        }
    }

    private int claim(Kind kind, int psn, int count) {
        if (tail - head == capacity) {
            return -1;
        }
        if (kinds.length == 0) {
            allocate();
        }
        int slot = tail++ & capacity - 1;
        kinds[slot] = kind;
        psns[slot] = psn;
        messages[slot] = count;
        return slot;
    }

    /** What the oldest one is. There must be one; the accessors below are about it. */
    Kind kind() {
        return kinds[oldest()];
    }

    int psn() {
        return psns[oldest()];
    }

    int messages() {
        return messages[oldest()];
    }

    int syndrome() {
        return syndromes[oldest()];
    }

    long original() {
        return originals[oldest()];
    }

    /** Makes the oldest one, a READ, the one to send. */
    void copyRead(InboundRequest into) {
        int slot = oldest();
        into.psn = psns[slot];
        into.packets = packets[slot];
        into.messageBytes = lengths[slot];
        into.remoteAddress = addresses[slot];
        into.remoteKey = keys[slot];
    }

    void remove() {
        head++;
    }

    private int oldest() {
        return head & capacity - 1;
    }
}
