package dev.doorbell.soft.hca;

import dev.doorbell.spec.Opcode;
import dev.doorbell.wire.PacketView;
import java.lang.foreign.MemorySegment;

/**
 * What reaches a responder: one packet's worth of a message, or a whole message at once. The transports fill it; the
 * responder's rules are the same for both.
 */
final class InboundRequest extends Padded {
    /** The payload of SEND, WRITE and ATOMIC WRITE. */
    final MemoryCursor payload;

    Operation operation = Operation.SEND;
    int psn;
    /** Sequence numbers that it takes. */
    int packets;

    boolean first;
    boolean last;
    /** Whether payload and pad are not what such a request must have. */
    boolean badLength;
    /** Bytes of payload in this request. */
    long payloadBytes;
    /** Bytes of the whole message, in the first request of WRITE, in READ, and of what a FLUSH is for. */
    long messageBytes;

    long remoteAddress;
    int remoteKey;
    long compareAdd;
    long swap;
    int placement;
    int selectivity;
    boolean hasImmediate;
    int immediate;
    boolean hasInvalidate;
    int invalidateKey;
    boolean solicited;

    /** Answer to READ: where the bytes lie. Valid while the responder's lock is held. */
    MemorySegment answer = MemorySegment.NULL;

    long answerAt;
    /** Answer to an atomic: what the memory held. */
    long original;

    InboundRequest(MemoryRegions regions) {
        payload = new MemoryCursor(regions);
    }

    /** Takes over what packets of every kind have. */
    void read(PacketView packet) {
        int opcode = packet.opcode();
        psn = packet.psn();
        packets = 1;
        solicited = packet.solicited();
        hasImmediate = Opcode.hasImmediate(opcode);
        immediate = packet.immediate();
        hasInvalidate = Opcode.hasInvalidate(opcode);
        invalidateKey = packet.invalidateKey();
        remoteAddress = packet.va();
        remoteKey = packet.rkey();
        messageBytes = packet.dmaLength();
        payloadBytes = packet.payloadLength();
        payload.range(packet.segment(), packet.payloadOffset(), packet.payloadLength());
    }

    /** Takes over what packets of a SEND or WRITE have beside that. */
    void readMessage(PacketView packet, int mtu) {
        int opcode = packet.opcode();
        operation = Opcode.isSend(opcode) ? Operation.SEND : Operation.WRITE;
        first = Opcode.startsMessage(opcode);
        last = Opcode.endsMessage(opcode);
        badLength = !isLengthValid(packet, mtu);
    }

    /** Rule 1.5: FIRST and MIDDLE are full, LAST has at least a byte, ONLY may be empty. */
    private boolean isLengthValid(PacketView packet, int mtu) {
        int bytes = packet.payloadLength();
        if (!last) {
            return bytes == mtu && packet.padCount() == 0;
        }
        return bytes <= mtu && (first || bytes > 0);
    }
}
