package dev.doorbell.soft.hca;

import dev.doorbell.spec.Psn;

/**
 * What a requester has under way: the work requests that were taken out of the ring and are not complete, oldest first,
 * and how far their packets have got. Belongs to the requester and its lock.
 *
 * <pre>
 *   acknowledged │ oldestPsn … sent, not acknowledged … │ sendPsn … taken, not sent … │ takenPsn
 * </pre>
 *
 * <p>After a rewind, {@code sendPsn} lies behind {@code endPsn}, the end of what was ever sent.
 */
final class Flight extends Padded {
    private final int capacity;
    private final int maxSge;

    /** As many as there ever were at a time, rounded up to a power of two: a connection that is idle takes little. */
    private WorkRequest[] slots;

    private int head;
    private int tail;

    /** The work request that holds {@link #sendPsn}, counted like head and tail. */
    private int sending;

    int oldestPsn;
    int sendPsn;
    int endPsn;
    int takenPsn;

    /** READ and atomic requests that were sent and not answered. */
    int answersDue;

    /** Packets sent since an acknowledgement was last asked for. */
    int unasked;

    /**
     * Nothing under way.
     *
     * @param capacity work requests at a time, a power of two
     */
    Flight(int capacity, int maxSge) {
        this.capacity = capacity;
        this.maxSge = maxSge;
        slots = new WorkRequest[] {new WorkRequest(maxSge)};
    }

    void start(int firstPsn) {
        head = 0;
        tail = 0;
        sending = 0;
        oldestPsn = firstPsn;
        sendPsn = firstPsn;
        endPsn = firstPsn;
        takenPsn = firstPsn;
        answersDue = 0;
        unasked = 0;
    }

    boolean isEmpty() {
        return head == tail;
    }

    boolean isFull() {
        return tail - head == capacity;
    }

    /** How many there is memory for. */
    int slots() {
        return slots.length;
    }

    /** The oldest work request. There must be one. */
    WorkRequest oldest() {
        return slots[head & slots.length - 1];
    }

    /** Makes room for one more at the end. There must be room. */
    WorkRequest add() {
        if (tail - head == slots.length) {
            grow();
        }
        return slots[tail++ & slots.length - 1];
    }

    private void grow() {
        WorkRequest[] more = new WorkRequest[2 * slots.length];
        for (int index = head; index != head + more.length; index++) {
            more[index & more.length - 1] =
                    index - head < slots.length ? slots[index & slots.length - 1] : new WorkRequest(maxSge);
        }
        slots = more;
    }

    /**
     * Gives the latest one its sequence numbers.
     *
     * @param readChunk packets that one READ request asks for, a power of two
     */
    void number(WorkRequest work, int packets, int readChunk) {
        work.firstPsn = takenPsn;
        work.packets = packets;
        work.answered = 0;
        work.readChunk = readChunk;
        work.firstReadChunk = readChunk;
        takenPsn = Psn.add(takenPsn, packets);
    }

    /** Removes the oldest work request. */
    void remove() {
        if (sending == head) {
            sending++;
        }
        head++;
    }

    /** Whether something that was taken has not been sent, or must be sent again. */
    boolean hasUnsent() {
        return sending != tail;
    }

    /** The work request to send from. There must be one. */
    WorkRequest sending() {
        return slots[sending & slots.length - 1];
    }

    /** Counts packets as sent. */
    void sent(int packets) {
        sendPsn = Psn.add(sendPsn, packets);
        if (Psn.diff(sendPsn, endPsn) > 0) {
            endPsn = sendPsn;
        }
        if (Psn.diff(sendPsn, sending().lastPsn()) > 0) {
            sending++;
        }
    }

    /** Sequence numbers that wait for an answer. */
    int outstanding() {
        return Psn.diff(sendPsn, oldestPsn);
    }

    /**
     * How many sequence numbers the request at {@code psn} takes. The requests of a READ start at fixed places, so that one
     * which is sent again asks for no more than was asked for before (rule 3.6, READ).
     */
    static int span(WorkRequest work, int psn) {
        if (work.operation != Operation.READ) {
            return 1;
        }
        int index = Psn.diff(psn, work.firstPsn);
        return Math.min(work.readChunk - index % work.readChunk, work.packets - index);
    }

    /**
     * Goes back to the oldest packet that was not acknowledged (rule 3.4, go-back-N).
     *
     * @param readChunk packets that one READ request asks for from now on at most, a power of two
     */
    void rewind(int readChunk) {
        for (int index = head; index != tail; index++) {
            WorkRequest work = slots[index & slots.length - 1];
            work.readChunk = Math.min(work.readChunk, readChunk);
        }
        sendPsn = oldestPsn;
        sending = head;
        answersDue = 0;
        unasked = 0;
    }

    /** Whether a READ or atomic that was posted before the one to send is not complete (rule 3.4, fence). */
    boolean hasEarlierAnswersDue() {
        for (int index = head; index != sending; index++) {
            if (slots[index & slots.length - 1].operation.isAnswered()) {
                return true;
            }
        }
        return false;
    }

    /** Acknowledges what lies before {@code psn}, inside the oldest work request. */
    void advance(int psn) {
        oldestPsn = psn;
        if (Psn.diff(sendPsn, oldestPsn) < 0) {
            // An answer to what was sent before the rewind: it need not be sent again.
            sendPsn = oldestPsn;
            sending = head;
            while (sending != tail && Psn.diff(sendPsn, sending().lastPsn()) > 0) {
                sending++;
            }
        }
    }
}
