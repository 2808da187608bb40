package dev.doorbell.linux.netlink;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.NetlinkError;
import dev.doorbell.kernel.abi.NetlinkHeader;
import dev.doorbell.kernel.abi.NldevIds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * One request and its answers at a time. Nothing that comes in is trusted: lengths are checked against what was
 * received, messages with another number or type are passed over, and both the number of messages and the time that an
 * exchange may take are bounded.
 *
 * <p>Thread rules: used by one thread at a time.
 */
final class NetlinkClient implements AutoCloseable {
    /** The kernel fills at most 32 KiB at once; a longer datagram would be cut. */
    static final int DATAGRAM_SIZE = 1 << 16;

    /** More devices, ports or contexts than any host has. */
    static final int MAX_MESSAGES = 1 << 14;

    private static final int MAX_ATTEMPTS = 8;
    private static final int ALIGNMENT = 4;

    private final NetlinkTransport transport;
    private final long timeoutNs;
    private final MemorySegment datagram = Arena.ofAuto().allocate(DATAGRAM_SIZE, Long.BYTES);
    private int sequence;

    /**
     * A client.
     *
     * @param firstSequence where its requests' numbers begin
     * @param timeoutNs how long one exchange may take after the request was taken
     */
    NetlinkClient(NetlinkTransport transport, int firstSequence, long timeoutNs) {
        this.transport = transport;
        this.sequence = firstSequence;
        this.timeoutNs = timeoutNs;
    }

    /**
     * A list. One that changed while the kernel went through it is asked for again.
     *
     * @throws KernelException with the errno that the kernel gave; EAGAIN if the list would not stand still, ETIMEDOUT if
     *     it did not end, EPROTO if what came was no netlink
     */
    List<NetlinkAttributes> list(NetlinkRequest request) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            Answer answer = exchange(request, false);
            if (!answer.interrupted) {
                return answer.messages;
            }
        }
        throw new KernelException(Errno.EAGAIN, "netlink: the list of devices changes faster than it can be read");
    }

    /** One answer. Throws as {@link #list}, and EPROTO if there was none. */
    NetlinkAttributes get(NetlinkRequest request) {
        List<NetlinkAttributes> messages = exchange(request, true).messages;
        if (messages.isEmpty()) {
            throw new KernelException(Errno.EPROTO, "netlink: an answer without content");
        }
        return messages.getFirst();
    }

    /** An order, which must carry {@link NldevIds#FLAG_ACK}. Throws as {@link #list}. */
    void order(NetlinkRequest request) {
        exchange(request, false);
    }

    private Answer exchange(NetlinkRequest request, boolean single) {
        sequence++;
        transport.send(request.message(sequence));
        Answer answer = new Answer(request.type(), sequence, single);
        long start = System.nanoTime();
        while (!answer.done) {
            long left = timeoutNs - (System.nanoTime() - start);
            int size = left <= 0 ? 0 : transport.receive(datagram, left);
            if (size == 0) {
                throw new KernelException(
                        Errno.ETIMEDOUT, "netlink: no end of the answer within " + timeoutNs / 1_000_000 + " ms");
            }
            answer.take(datagram.asSlice(0, Math.min(size, DATAGRAM_SIZE)));
        }
        return answer;
    }

    @Override
    public void close() {
        transport.close();
    }

    /** What has come of an answer so far. */
    private static final class Answer {
        private final List<NetlinkAttributes> messages = new ArrayList<>();
        private final int type;
        private final int sequence;
        private final boolean single;
        private boolean done;
        private boolean interrupted;

        Answer(int type, int sequence, boolean single) {
            this.type = type;
            this.sequence = sequence;
            this.single = single;
        }

        void take(MemorySegment datagram) {
            long at = 0;
            while (!done && at < datagram.byteSize()) {
                long left = datagram.byteSize() - at;
                int length = left < NetlinkHeader.SIZE ? 0 : NetlinkHeader.length(datagram, at);
                if (length < NetlinkHeader.SIZE || length > left) {
                    throw new KernelException(
                            Errno.EPROTO, "netlink: a message of %d bytes where %d came".formatted(length, left));
                }
                message(datagram.asSlice(at, length));
                at += length + ALIGNMENT - 1L & -ALIGNMENT;
            }
        }

        private void message(MemorySegment message) {
            if (NetlinkHeader.sequence(message, 0) != sequence) {
                return;
            }
            interrupted |= (NetlinkHeader.flags(message, 0) & NldevIds.FLAG_DUMP_INTERRUPTED) != 0;
            int kind = NetlinkHeader.type(message, 0);
            if (kind == NldevIds.MESSAGE_DONE) {
                done = true;
            } else if (kind == NldevIds.MESSAGE_ERROR) {
                error(message);
            } else if (kind == type) {
                content(message);
            }
        }

        private void error(MemorySegment message) {
            if (message.byteSize() < NetlinkHeader.SIZE + Integer.BYTES) {
                throw new KernelException(Errno.EPROTO, "netlink: an error message without its error");
            }
            int error = NetlinkError.error(message, NetlinkHeader.SIZE);
            if (error != 0) {
                // A positive one is no errno; its negative would be one that nobody gave.
                throw new KernelException(error < 0 && error != Integer.MIN_VALUE ? -error : Errno.EPROTO, "netlink");
            }
            done = true;
        }

        private void content(MemorySegment message) {
            if (messages.size() == MAX_MESSAGES) {
                throw new KernelException(
                        Errno.EPROTO, "netlink: an answer of more than " + MAX_MESSAGES + " messages");
            }
            // The buffer is used for the next datagram, so what is kept is a copy.
            MemorySegment content = MemorySegment.ofArray(new byte[(int) message.byteSize() - NetlinkHeader.SIZE]);
            MemorySegment.copy(message, NetlinkHeader.SIZE, content, 0, content.byteSize());
            messages.add(NetlinkAttributes.parse(content));
            done = single;
        }
    }
}
