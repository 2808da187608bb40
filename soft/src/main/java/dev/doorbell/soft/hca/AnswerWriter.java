package dev.doorbell.soft.hca;

import dev.doorbell.memory.Be;
import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Opcode;
import dev.doorbell.spec.Psn;
import dev.doorbell.spec.Syndrome;
import dev.doorbell.wire.Aeth;
import dev.doorbell.wire.AtomicAckEth;
import dev.doorbell.wire.Bth;
import dev.doorbell.wire.Headers;
import java.lang.foreign.MemorySegment;

/** Writes a responder's packets. Belongs to the responder and its lock. */
final class AnswerWriter {
    private final Transmitter transmitter;
    private final MemorySegment packet;
    private final HcaQueuePair queuePair;
    private QueuePairSettings settings;
    private Gid sourceGid;
    private final Counters counters;
    private final MemoryCursor payload;
    private final Transfer transfer;
    private boolean holding;

    AnswerWriter(HcaQueuePair queuePair, MemoryRegions regions, Transmitter transmitter, Counters counters) {
        this.queuePair = queuePair;
        this.transmitter = transmitter;
        this.packet = transmitter.memory();
        this.settings = queuePair.settings();
        this.sourceGid = queuePair.sourceGid();
        transmitter.mark(settings.ipFields());
        this.counters = counters;
        this.payload = new MemoryCursor(regions);
        this.transfer = new Transfer(regions);
    }

    /** Takes over changed attributes. */
    void configure() {
        settings = queuePair.settings();
        sourceGid = queuePair.sourceGid();
        transmitter.mark(settings.ipFields());
    }

    /** ACK, NAK and RNR NAK. */
    void acknowledge(int psn, int syndrome, int messages) {
        long at = transmitter.claim();
        acknowledgement(packet, at, psn, syndrome, messages);
        send(Bth.SIZE + Aeth.SIZE);
    }

    /** An acknowledgement among packets that somebody else sends to the same peer. */
    void acknowledgeThrough(Transmitter other, int psn, int messages) {
        MemorySegment memory = other.memory();
        long at = other.claim();
        acknowledgement(memory, at, psn, Syndrome.ACK, messages);
        counters.add(Counter.SENT_PKTS);
        other.mark(settings.ipFields());
        other.send(Bth.SIZE + Aeth.SIZE, sourceGid, settings.destinationGid);
    }

    private void acknowledgement(MemorySegment memory, long at, int psn, int syndrome, int messages) {
        Bth.write(memory, at, Opcode.RC_ACKNOWLEDGE, 0, settings.destinationQp, psn);
        aeth(memory, at + Bth.SIZE, syndrome, messages);
    }

    /** The answer of ATOMIC WRITE and FLUSH: a READ response without payload. */
    void emptyResponse(int psn, int syndrome, int messages) {
        long at = begin(Opcode.RC_READ_RESPONSE_ONLY, 0, psn);
        aeth(packet, at + Bth.SIZE, syndrome, messages);
        send(Bth.SIZE + Aeth.SIZE);
    }

    void atomicAnswer(int psn, int syndrome, int messages, long original) {
        long at = begin(Opcode.RC_ATOMIC_ACKNOWLEDGE, 0, psn);
        aeth(packet, at + Bth.SIZE, syndrome, messages);
        AtomicAckEth.setOriginal(packet, at + Bth.SIZE + Aeth.SIZE, original);
        send(Bth.SIZE + Aeth.SIZE + AtomicAckEth.SIZE);
    }

    /**
     * One packet of a READ's answer.
     *
     * @param request whose {@link InboundRequest#answer} is valid
     * @param index which of its packets
     * @return false if the memory is not there any more; nothing was sent
     */
    boolean readResponse(InboundRequest request, int index, int syndrome, int messages) {
        boolean first = index == 0;
        boolean last = index == request.packets - 1;
        int opcode = readOpcode(first, last);
        long position = (long) index << settings.mtuShift();
        int bytes = (int) Math.min(1L << settings.mtuShift(), request.messageBytes - position);
        int pad = Headers.pad(bytes);
        long at = begin(opcode, pad, Psn.add(request.psn, index));
        if (first || last) {
            aeth(packet, at + Bth.SIZE, syndrome, messages);
        }
        long body = at + Headers.length(opcode);
        request.payload.range(request.answer, request.answerAt + position, bytes);
        payload.range(packet, body, bytes);
        if (transfer.copy(request.payload, payload, bytes) != Transfer.Outcome.DONE) {
            return false;
        }
        for (int offset = 0; offset < pad; offset++) {
            Be.setByte(packet, body + bytes + offset, 0);
        }
        send((int) (body - at) + bytes + pad);
        return true;
    }

    /** Whether answers wait for {@link #flush}. */
    boolean isHolding() {
        return holding;
    }

    void flush() {
        holding = false;
        transmitter.flush();
    }

    private static int readOpcode(boolean first, boolean last) {
        if (first) {
            return last ? Opcode.RC_READ_RESPONSE_ONLY : Opcode.RC_READ_RESPONSE_FIRST;
        }
        return last ? Opcode.RC_READ_RESPONSE_LAST : Opcode.RC_READ_RESPONSE_MIDDLE;
    }

    private long begin(int opcode, int pad, int psn) {
        long at = transmitter.claim();
        Bth.write(packet, at, opcode, pad, settings.destinationQp, psn);
        return at;
    }

    private static void aeth(MemorySegment memory, long at, int syndrome, int messages) {
        Aeth.setSyndrome(memory, at, syndrome);
        Aeth.setMsn(memory, at, messages);
    }

    private void send(int length) {
        counters.add(Counter.SENT_PKTS);
        holding = true;
        transmitter.send(length, sourceGid, settings.destinationGid);
    }
}
