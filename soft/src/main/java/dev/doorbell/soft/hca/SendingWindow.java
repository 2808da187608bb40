package dev.doorbell.soft.hca;

/**
 * How many sequence numbers may be outstanding (rule 3.4): all that a link's queue is made for while nothing is lost, half
 * as many after each loss, one more with each step that gets on. A queue that is too small for the full window is found
 * out instead of being flooded again, and what goes back after a loss is not much. Belongs to the requester and its lock.
 */
final class SendingWindow {
    /** Small enough for the queue of a link. */
    static final int MOST = 128;

    private static final int LEAST = 16;

    private int size = MOST;

    void start() {
        size = MOST;
    }

    /** A packet was lost. */
    void lost() {
        size = Math.max(LEAST, size >> 1);
    }

    /** Something was acknowledged. */
    void progress() {
        if (size < MOST) {
            size++;
        }
    }

    /** Whether a packet would be the last for now, so that it must ask for an acknowledgement. */
    boolean isFilledBy(int outstanding) {
        return outstanding >= size;
    }

    /** How many more numbers may be taken. */
    int room(int outstanding) {
        return (outstanding == 0 ? MOST : size) - outstanding;
    }

    /** Whether so many more numbers may be taken; a READ that asks for more than the window may, alone. */
    boolean hasRoom(int outstanding, int span) {
        return outstanding + span <= (outstanding == 0 ? MOST : size);
    }
}
