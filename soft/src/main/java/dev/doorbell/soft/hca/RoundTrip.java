package dev.doorbell.soft.hca;

import dev.doorbell.spec.Psn;

/**
 * How long answers take, and so after how long a silence is worth a question. Measured with one packet at a time, and only now and
 * then, since looking at the clock is not free; not with packets that were sent again, once there is a measure. Belongs to the requester and its lock.
 */
final class RoundTrip {
    /** Nothing was measured yet. */
    static final long UNKNOWN = Long.MAX_VALUE;

    /** Shorter silences are everyday: the peer has other work, or waits for a processor. */
    static final long LEAST_NS = 500_000;

    /** Packets that ask for an answer between two measurements. */
    private static final int EVERY = 8;

    private static final int VARIATIONS = 4;

    /** What is taken for suspicious while the peer was heard, but nothing measured. */
    private static final long GUESS_NS = 2_000_000;

    private long smoothedNs = UNKNOWN;
    private long variationNs;
    private boolean heard;
    private boolean measuring;
    private int psn;
    private long sentNs;
    private int skipped = EVERY;

    void start() {
        smoothedNs = UNKNOWN;
        variationNs = 0;
        heard = false;
        measuring = false;
        skipped = EVERY;
    }

    /**
     * Whether the next packet that asks for an answer should be measured.
     *
     * @param again whether it is sent again: better a wrong measure than none
     */
    boolean wants(boolean again) {
        return !measuring && (again ? smoothedNs == UNKNOWN : ++skipped >= EVERY);
    }

    /** A packet that asks for an answer leaves. */
    void sent(int number, long nowNs) {
        measuring = true;
        psn = number;
        sentNs = nowNs;
    }

    /** Something is sent again: an answer would not say to which. */
    void forget() {
        measuring = false;
    }

    /** Whether the answer to the packet that is measured has come. */
    boolean isAnswered(int oldestPsn) {
        return measuring && Psn.diff(oldestPsn, psn) > 0;
    }

    /** It has. */
    void answered(long nowNs) {
        measuring = false;
        skipped = 0;
        long sample = Math.max(0, nowNs - sentNs);
        if (smoothedNs == UNKNOWN) {
            smoothedNs = sample;
            variationNs = sample / 2;
        } else {
            variationNs += (Math.abs(sample - smoothedNs) - variationNs) / 4;
            smoothedNs += (sample - smoothedNs) / 8;
        }
    }

    /** The peer was heard; true if that is new. */
    boolean hear() {
        boolean first = !heard;
        heard = true;
        return first;
    }

    /** After how long a silence a question is in place; {@link #UNKNOWN} while the peer was not heard. */
    long questionNs() {
        if (smoothedNs == UNKNOWN) {
            return heard ? GUESS_NS : UNKNOWN;
        }
        return Math.max(LEAST_NS, smoothedNs + VARIATIONS * variationNs);
    }
}
