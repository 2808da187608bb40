package dev.doorbell.soft.hca;

import dev.doorbell.memory.Be;
import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.ExtendedHeader;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Opcode;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.wire.Bth;
import dev.doorbell.wire.Deth;
import dev.doorbell.wire.Headers;
import dev.doorbell.wire.Icrc;
import dev.doorbell.wire.ImmDt;
import java.lang.foreign.MemorySegment;

/** Makes the one packet of a datagram and sends it. Belongs to the requester and its lock. */
final class DatagramSender extends Padded {
    private static final int UDP_HEADER = 8;

    private final HcaQueuePair queuePair;
    private final Transmitter transmitter;
    private final MemorySegment packet;
    private final MemoryCursor source;
    private final MemoryCursor target;
    private final Transfer transfer;

    DatagramSender(HcaQueuePair queuePair, MemoryRegions regions, Transmitter transmitter) {
        this.queuePair = queuePair;
        this.transmitter = transmitter;
        this.packet = transmitter.memory();
        this.source = new MemoryCursor(regions);
        this.target = new MemoryCursor(regions);
        this.transfer = new Transfer(regions);
    }

    /** Bytes of the UDP datagram around a payload: what an IP header calls its length. */
    static int udpBytes(long payloadBytes, boolean hasImmediate) {
        int opcode = hasImmediate ? Opcode.UD_SEND_ONLY_IMM : Opcode.UD_SEND_ONLY;
        return UDP_HEADER + Headers.length(opcode) + (int) payloadBytes + Headers.pad(payloadBytes) + Icrc.SIZE;
    }

    Transmitter transmitter() {
        return transmitter;
    }

    /**
     * Sends a datagram.
     *
     * @param address where it goes, and where it comes from
     * @return false if the work request's memory may not be read
     */
    boolean send(WorkRequest work, int qkey, HcaAddressHandle address) {
        Gid to = address.destination();
        int bytes = (int) work.length;
        int pad = Headers.pad(bytes);
        int opcode = work.hasImmediate ? Opcode.UD_SEND_ONLY_IMM : Opcode.UD_SEND_ONLY;
        long at = transmitter.claim();
        Bth.write(packet, at, opcode, pad, to.isMulticast() ? Bth.MULTICAST_QP : work.remoteQueuePair, work.firstPsn);
        Bth.setSolicited(packet, at, work.has(SendFlag.SOLICITED));
        long header = at + Bth.SIZE;
        Be.setLong(packet, header, 0);
        Deth.setQkey(packet, header, qkey);
        Deth.setSrcQp(packet, header, queuePair.number());
        if (work.hasImmediate) {
            ImmDt.setImmediate(packet, at + Headers.offset(opcode, ExtendedHeader.IMM_DT), work.immediate);
        }
        long payload = at + Headers.length(opcode);
        work.gather(source, queuePair.domain());
        target.range(packet, payload, bytes);
        if (transfer.copy(source, target, bytes) != Transfer.Outcome.DONE) {
            return false;
        }
        for (int offset = 0; offset < pad; offset++) {
            Be.setByte(packet, payload + bytes + offset, 0);
        }
        transmitter.mark(address.fields());
        transmitter.send((int) (payload - at) + bytes + pad, address.source(), to);
        return true;
    }

    void flush() {
        transmitter.flush();
    }
}
