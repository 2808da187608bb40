package dev.doorbell.soft.hca;

import dev.doorbell.memory.Be;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Opcode;
import dev.doorbell.spec.Psn;
import dev.doorbell.wire.Bth;
import dev.doorbell.wire.Deth;
import dev.doorbell.wire.PacketView;
import dev.doorbell.wire.cm.CmMad;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Queue pair number 1, the general services interface: datagrams by which devices manage their connections. It belongs to
 * the kernel; programs neither see it nor can name it.
 *
 * <p>Thread rules: any thread.
 */
public final class GeneralServices {
    private static final int HEADERS = Bth.SIZE + Deth.SIZE;

    private final Hca hca;
    private final @Nullable PacketLink link;
    private final ReentrantLock sending = new ReentrantLock();

    // Guarded by sending.
    private @Nullable Transmitter transmitter;
    private int psn;
    private long sent;

    private volatile ManagementSink sink = (memory, at, length, source, destination) -> {};

    GeneralServices(Hca hca, @Nullable PacketLink link) {
        this.hca = hca;
        this.link = link;
    }

    /** Sets who gets what comes. */
    public void setSink(ManagementSink value) {
        sink = value;
    }

    /** From now on something may come without anything having been sent before. */
    public void listen() {
        PacketLink packets = link;
        if (packets != null) {
            packets.listen();
        }
    }

    /** The device has moved: what was made for the link as it was is not used any more. */
    void restart() {
        sending.lock();
        try {
            transmitter = null;
        } finally {
            sending.unlock();
        }
    }

    /** A datagram for this queue pair. Returns what is wrong with it, or null. */
    @Nullable
    Counter accept(PacketView packet, Gid source, Gid destination) {
        if (packet.qkey() != CmMad.QKEY) {
            return Counter.DROPPED_QKEY_MISMATCH;
        }
        if (packet.srcQp() != CmMad.QUEUE_PAIR) {
            return Counter.DROPPED_REQUEST;
        }
        sink.onDatagram(packet.segment(), packet.payloadOffset(), packet.payloadLength(), source, destination);
        return null;
    }

    /**
     * Sends a datagram to the same queue pair of another device, or of this one. What cannot be sent is lost.
     *
     * @param datagram a multiple of four bytes
     * @param from the address that it comes from
     * @param to the address that it goes to
     */
    public void send(MemorySegment datagram, Gid from, Gid to) {
        int bytes = (int) datagram.byteSize();
        if (hca.isLocal(to)) {
            sink.onDatagram(datagram, 0, bytes, from, to);
            return;
        }
        PacketLink packets = link;
        if (packets == null) {
            return;
        }
        sending.lock();
        try {
            Transmitter out = transmitter;
            if (out == null) {
                out = packets.newTransmitter();
                transmitter = out;
            }
            MemorySegment packet = out.memory();
            long at = out.claim();
            Bth.write(packet, at, Opcode.UD_SEND_ONLY, 0, CmMad.QUEUE_PAIR, psn);
            Be.setLong(packet, at + Bth.SIZE, 0);
            Deth.setQkey(packet, at + Bth.SIZE, CmMad.QKEY);
            Deth.setSrcQp(packet, at + Bth.SIZE, CmMad.QUEUE_PAIR);
            MemorySegment.copy(datagram, 0, packet, at + HEADERS, bytes);
            psn = Psn.next(psn);
            sent++;
            out.send(HEADERS + bytes, from, to);
            out.flush();
        } finally {
            sending.unlock();
        }
    }

    /** Packets that were sent. */
    long sent() {
        sending.lock();
        try {
            return sent;
        } finally {
            sending.unlock();
        }
    }
}
