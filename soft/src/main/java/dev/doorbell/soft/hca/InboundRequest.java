package dev.doorbell.soft.hca;

import java.lang.foreign.MemorySegment;

/**
 * What reaches a responder: one packet's worth of a message, or a whole message at once. The transports fill it; the
 * responder's rules are the same for both.
 */
final class InboundRequest extends Padded {
    /** The payload of SEND and WRITE. */
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
    /** Bytes of the whole message, in the first request of WRITE, and in READ. */
    long messageBytes;

    long remoteAddress;
    int remoteKey;
    long compareAdd;
    long swap;
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
}
