package dev.doorbell.soft.link;

import dev.doorbell.kernel.Errno;
import dev.doorbell.linux.syscall.IncomingMessages;
import dev.doorbell.linux.syscall.UdpSocket;
import dev.doorbell.spec.Gid;

/**
 * A socket to receive from, and how that is done best. In a stream the system hands over many datagrams together, and says
 * how long each of them is. A conversation of short messages pays for that with each of them, and has nothing of it: after
 * a while of nothing else the system is asked to leave datagrams alone, and then a call that takes the bytes and where they
 * came from is enough. It is asked for the contrary when a stream begins. Messages with an acknowledgement behind them, which
 * take longer to part than is won, show only while they come together: so now and then it is asked for that too.
 *
 * <pre>
 *   TOGETHER ── many single short ones, and none waits ── SETTLING ── none waits ── SINGLY
 *      └────────────── a long one, or several at once, or very many single ones ───────┘
 * </pre>
 *
 * <p>What comes together just while the system is asked not to is lost, since nobody says any more where one ends and the
 * next begins: that is the reason for asking only when nothing waits.
 *
 * <p>Thread rules: one thread at a time.
 */
final class ReceivingSocket {
    /** So many single messages are a conversation. */
    static final int CONVERSATION = 1 << 10;

    /** After so many it is tried again whether more than one would come together. */
    static final int TRIAL_EVERY = 1 << 14;

    /** How many single messages win as much as is lost by one that has to be parted. */
    private static final int PAIR = 1 << 6;

    /** What is longer belongs to a stream. */
    private static final int SHORT_BYTES = 1 << 11;

    /** A message, and an acknowledgement that goes with it. */
    private static final int FEW = 2;

    final UdpSocket socket;

    /** The address that it is bound to. */
    final Gid gid;

    private final int stripe;
    private final boolean mayJoin;
    private Manner manner;

    /** Single short messages since there were others, or since a trial; fewer for each pair. */
    private int singles;

    private enum Manner {
        TOGETHER,
        /** The system was asked not to join datagrams, but some that it joined before may wait. */
        SETTLING,
        SINGLY
    }

    /**
     * @param mayJoin whether the system may be asked to hand over datagrams together
     */
    ReceivingSocket(UdpSocket socket, Gid gid, boolean mayJoin) {
        this.socket = socket;
        this.gid = gid;
        this.stripe = socket.nextStripe();
        this.mayJoin = mayJoin;
        this.manner = mayJoin && socket.receiveTogether(true) ? Manner.TOGETHER : Manner.SINGLY;
    }

    /**
     * Receives messages that wait.
     *
     * @param most how many at most
     * @param fields whether messages must say what their headers say
     * @return how many, or a negative errno
     */
    int receive(IncomingMessages messages, int most, boolean fields) {
        int result = most == 1 && !fields && manner == Manner.SINGLY
                ? socket.receiveDatagram(stripe, messages)
                : socket.receive(stripe, messages, most);
        if (result > 0) {
            learn(messages, result);
        } else if (result == -Errno.EAGAIN && !fields) {
            settle();
        }
        return result;
    }

    private void learn(IncomingMessages messages, int count) {
        int length = messages.length(0);
        int segment = messages.segmentSize(0);
        boolean joined = segment > 0 && length > segment;
        if (count > FEW || length > SHORT_BYTES || joined && length > FEW * segment) {
            singles = 0;
            join();
        } else if (joined) {
            singles = Math.max(0, singles - PAIR);
        } else if (++singles >= TRIAL_EVERY && manner != Manner.TOGETHER) {
            singles = 0;
            join();
        }
    }

    private void join() {
        if (manner != Manner.TOGETHER && mayJoin && socket.receiveTogether(true)) {
            manner = Manner.TOGETHER;
        }
    }

    /** Nothing waits. */
    private void settle() {
        if (manner == Manner.SETTLING) {
            manner = Manner.SINGLY;
        } else if (manner == Manner.TOGETHER && singles >= CONVERSATION && socket.receiveTogether(false)) {
            manner = Manner.SETTLING;
        }
    }
}
