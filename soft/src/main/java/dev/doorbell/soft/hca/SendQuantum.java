package dev.doorbell.soft.hca;

/**
 * Where in a long message a requester may stop for want of room in its window. Packets that leave with one send cost less
 * each, and a send takes packets of one size, of which only the last may be shorter; so while much is under way, a send
 * is begun when there is room for all of it.
 *
 * <pre>
 *   FIRST MIDDLE │ MIDDLE … │ MIDDLE … │ … LAST      the first packet has a longer header, so it ends a send early
 * </pre>
 *
 * <p>Belongs to the requester and its lock.
 */
final class SendQuantum {
    /** What fits in one send, with room for headers. */
    private static final int SEND_BYTES = 60 << 10;

    /** More gain little, and would make the peer wait. */
    private static final int MOST = 32;

    /** Packets of the send that starts a message. */
    private static final int HEAD = 2;

    private int packets = 1;

    void configure(int mtuShift) {
        packets = Math.clamp(SEND_BYTES >> mtuShift, 1, MOST);
    }

    /**
     * Whether a packet had better wait for more room.
     *
     * @param index which packet of its message it is
     * @param of how many
     * @param room how many the window has room for
     * @param outstanding how many are under way
     */
    boolean waits(int index, int of, int room, int outstanding) {
        if (outstanding <= 2 * packets || index < HEAD || (index - HEAD) % packets != 0) {
            return false;
        }
        return room < Math.min(packets, of - index);
    }
}
