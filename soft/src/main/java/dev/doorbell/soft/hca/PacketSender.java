package dev.doorbell.soft.hca;

import dev.doorbell.memory.Be;
import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.ExtendedHeader;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Opcode;
import dev.doorbell.spec.Psn;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.wire.AtomicEth;
import dev.doorbell.wire.Bth;
import dev.doorbell.wire.Feth;
import dev.doorbell.wire.Headers;
import dev.doorbell.wire.Ieth;
import dev.doorbell.wire.ImmDt;
import dev.doorbell.wire.Reth;
import java.lang.foreign.MemorySegment;

/**
 * Cuts work requests into packets and sends them. Any packet of a message can be made by itself, so that a restart in
 * the middle needs no more than the sequence number. Belongs to the requester and its lock.
 */
final class PacketSender extends Padded {
    private final HcaQueuePair queuePair;
    private final Transmitter transmitter;
    private final MemorySegment packet;
    private final MemoryCursor source;
    private final MemoryCursor target;
    private final Transfer transfer;

    /** Added to the codes of RC, which UC's resemble. */
    private final int service;

    private final boolean acknowledged;
    private QueuePairSettings settings;
    private Gid sourceGid;
    private int mtuShift;

    /** Whether something was taken of the transmitter since {@link #flush}. */
    private boolean unflushed;

    PacketSender(HcaQueuePair queuePair, MemoryRegions regions, Transmitter transmitter) {
        this.queuePair = queuePair;
        this.transmitter = transmitter;
        this.packet = transmitter.memory();
        this.source = new MemoryCursor(regions);
        this.target = new MemoryCursor(regions);
        this.transfer = new Transfer(regions);
        this.acknowledged = queuePair.type() == QueuePairType.RC;
        this.service = acknowledged ? 0 : Opcode.UC_SEND_FIRST;
        this.settings = queuePair.settings();
        this.sourceGid = queuePair.sourceGid();
        this.mtuShift = settings.mtuShift();
        transmitter.mark(settings.ipFields());
    }

    /** Takes over changed attributes. */
    void configure() {
        settings = queuePair.settings();
        sourceGid = queuePair.sourceGid();
        mtuShift = settings.mtuShift();
        transmitter.mark(settings.ipFields());
    }

    /**
     * Sends the packet with this number.
     *
     * @param span sequence numbers that it takes
     * @param ask whether to ask for an acknowledgement, beside what the end of a message asks for
     * @return false if the work request's memory may not be read
     */
    boolean send(WorkRequest work, int psn, int span, boolean ask) {
        long at = transmitter.claim();
        unflushed = true;
        int length = switch (work.operation) {
            case SEND, WRITE -> message(work, psn, ask, at);
            case READ -> read(work, psn, span, at);
            case COMPARE_SWAP, FETCH_ADD -> atomic(work, psn, at);
            case ATOMIC_WRITE -> atomicWrite(work, psn, at);
            case FLUSH -> flush(work, psn, at);
            case BIND, INVALIDATE -> throw new AssertionError(work.operation + " does not travel");
        };
        if (length < 0) {
            return false;
        }
        transmitter.send(length, sourceGid, settings.destinationGid);
        return true;
    }

    /** Lets the packets go, and with them what the responder holds back. */
    void flush() {
        if (unflushed) {
            unflushed = false;
            queuePair.flush(transmitter);
        }
    }

    private int message(WorkRequest work, int psn, boolean ask, long at) {
        int index = Psn.diff(psn, work.firstPsn);
        boolean first = index == 0;
        boolean last = index == work.packets - 1;
        long position = (long) index << mtuShift;
        int bytes = (int) Math.min(1L << mtuShift, work.length - position);
        int opcode = service + opcode(work, first, last);
        int pad = Headers.pad(bytes);
        Bth.write(packet, at, opcode, pad, settings.destinationQp, psn);
        Bth.setAckRequested(packet, at, acknowledged && (last || ask));
        // Rule 3.11: the bit has a meaning on the last packet of what takes a receive work request.
        boolean takesReceive = work.operation == Operation.SEND || work.hasImmediate;
        Bth.setSolicited(packet, at, last && takesReceive && work.has(SendFlag.SOLICITED));
        if (first && work.operation == Operation.WRITE) {
            reth(at + Headers.offset(opcode, ExtendedHeader.RETH), work, 0, work.length);
        }
        if (last && work.hasImmediate) {
            ImmDt.setImmediate(packet, at + Headers.offset(opcode, ExtendedHeader.IMM_DT), work.immediate);
        }
        if (last && work.hasInvalidate) {
            Ieth.setRkey(packet, at + Headers.offset(opcode, ExtendedHeader.IETH), work.invalidateKey);
        }
        long payload = at + Headers.length(opcode);
        if (!gather(work, position, payload, bytes)) {
            return -1;
        }
        for (int offset = 0; offset < pad; offset++) {
            Be.setByte(packet, payload + bytes + offset, 0);
        }
        return (int) (payload - at) + bytes + pad;
    }

    private boolean gather(WorkRequest work, long position, long payload, int bytes) {
        MemorySegment inline = work.inline;
        if (inline == null) {
            source.elements(work.sges, queuePair.domain(), 0);
            source.seek(position);
        } else {
            source.range(inline, work.inlineAt + position, bytes);
        }
        target.range(packet, payload, bytes);
        return transfer.copy(source, target, bytes) == Transfer.Outcome.DONE;
    }

    /** A READ request, from the packet with this number on (rule 3.4, resumed READ). */
    private int read(WorkRequest work, int psn, int span, long at) {
        long position = (long) Psn.diff(psn, work.firstPsn) << mtuShift;
        long bytes = Math.min((long) span << mtuShift, work.length - position);
        Bth.write(packet, at, Opcode.RC_READ_REQUEST, 0, settings.destinationQp, psn);
        Bth.setAckRequested(packet, at, true);
        reth(at + Bth.SIZE, work, position, bytes);
        return Bth.SIZE + Reth.SIZE;
    }

    private int atomic(WorkRequest work, int psn, long at) {
        boolean swaps = work.operation == Operation.COMPARE_SWAP;
        int opcode = swaps ? Opcode.RC_COMPARE_SWAP : Opcode.RC_FETCH_ADD;
        Bth.write(packet, at, opcode, 0, settings.destinationQp, psn);
        Bth.setAckRequested(packet, at, true);
        long header = at + Bth.SIZE;
        AtomicEth.setVa(packet, header, work.remoteAddress);
        AtomicEth.setRkey(packet, header, work.remoteKey);
        AtomicEth.setSwapOrAdd(packet, header, swaps ? work.swap : work.compareAdd);
        AtomicEth.setCompare(packet, header, swaps ? work.compareAdd : 0);
        return Bth.SIZE + AtomicEth.SIZE;
    }

    /** Rule 3.15. */
    private int atomicWrite(WorkRequest work, int psn, long at) {
        Bth.write(packet, at, Opcode.RC_ATOMIC_WRITE, 0, settings.destinationQp, psn);
        Bth.setAckRequested(packet, at, true);
        reth(at + Bth.SIZE, work, 0, work.length);
        long payload = at + Bth.SIZE + Reth.SIZE;
        return gather(work, 0, payload, Long.BYTES) ? Bth.SIZE + Reth.SIZE + Long.BYTES : -1;
    }

    /** Rule 3.15. */
    private int flush(WorkRequest work, int psn, long at) {
        Bth.write(packet, at, Opcode.RC_FLUSH, 0, settings.destinationQp, psn);
        Bth.setAckRequested(packet, at, true);
        Feth.set(packet, at + Bth.SIZE, work.placement, work.selectivity);
        reth(at + Bth.SIZE + Feth.SIZE, work, 0, work.flushLength);
        return Bth.SIZE + Feth.SIZE + Reth.SIZE;
    }

    private void reth(long at, WorkRequest work, long position, long bytes) {
        Reth.setVa(packet, at, work.remoteAddress + position);
        Reth.setRkey(packet, at, work.remoteKey);
        Reth.setDmaLength(packet, at, bytes);
    }

    private static int opcode(WorkRequest work, boolean first, boolean last) {
        boolean sends = work.operation == Operation.SEND;
        if (!last) {
            int start = sends ? Opcode.RC_SEND_FIRST : Opcode.RC_WRITE_FIRST;
            int middle = sends ? Opcode.RC_SEND_MIDDLE : Opcode.RC_WRITE_MIDDLE;
            return first ? start : middle;
        }
        if (work.hasInvalidate) {
            return first ? Opcode.RC_SEND_ONLY_INV : Opcode.RC_SEND_LAST_INV;
        }
        int only = sends ? Opcode.RC_SEND_ONLY : Opcode.RC_WRITE_ONLY;
        int end = sends ? Opcode.RC_SEND_LAST : Opcode.RC_WRITE_LAST;
        // The code with immediate data follows the one without.
        return (first ? only : end) + (work.hasImmediate ? 1 : 0);
    }
}
