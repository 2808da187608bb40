package dev.doorbell.soft.hca;

/**
 * How many sequence numbers may be outstanding (rule 3.4). All that a link's queue is made for while nothing is lost; half as many after each
 * loss, and one more for each window that gets through: so a queue that is too small for the full window is found out instead of
 * being flooded again, and what goes back after a loss is not much. Belongs to the requester and its lock.
 */
final class SendingWindow {
    /** Small enough for the queue of a link. */
    static final int MOST = 128;

    private static final int LEAST = 4;

    /** How many packets may go without asking for an acknowledgement, while the window is wide open (rule 3.4). */
    private static final int ASK_EVERY = 32;

    /** So many answers are on their way for a window, so that it moves on instead of standing still for each of them. */
    private static final int ANSWERS = 4;

    private int size = MOST;

    /** Packets that got through since the window last grew. */
    private int credit;

    /** Whether one packet asks if the others were lost; nothing else goes until the answer is there. */
    private boolean asking;

    void start() {
        size = MOST;
        credit = 0;
        asking = false;
    }

    /** A packet was lost. */
    void lost() {
        asking = false;
        credit = 0;
        size = Math.max(LEAST, size >> 1);
    }

    /** One packet goes, to ask whether the others were lost. */
    void ask() {
        asking = true;
    }

    /** So many more numbers were acknowledged; perhaps only part of what a number stands for. */
    void progress(int numbers) {
        if (asking) {
            lost();
        } else if (size < MOST) {
            credit += numbers;
            if (credit >= size) {
                credit -= size;
                size++;
            }
        }
    }

    /**
     * Whether a packet must ask for an acknowledgement.
     *
     * @param outstanding numbers with it
     * @param unasked packets since one last asked, with it
     */
    boolean asks(int outstanding, int unasked) {
        return asking || outstanding >= size || unasked >= (size == MOST ? ASK_EVERY : size / ANSWERS);
    }

    /** How many more numbers may be taken. */
    int room(int outstanding) {
        return (outstanding == 0 ? MOST : size) - outstanding;
    }

    /** Whether so many more numbers may be taken; a READ that asks for more than the window may, alone. */
    boolean hasRoom(int outstanding, int span) {
        return outstanding == 0 ? span <= MOST : !asking && outstanding + span <= size;
    }

    /** Packets that one READ request should ask for: a power of two. A longer READ goes in several requests. */
    int readChunk() {
        return Integer.highestOneBit(size >> 1);
    }
}
