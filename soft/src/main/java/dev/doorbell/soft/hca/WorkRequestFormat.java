package dev.doorbell.soft.hca;

import dev.doorbell.spec.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;

/**
 * How work requests and completions lie in rings. The engine executes {@link WorkRequest}s; this says where their fields
 * are. Everything in a ring is untrusted: a decoder reads each field once, and checks it before it counts on it.
 */
interface WorkRequestFormat {
    /**
     * Reads a send work request.
     *
     * @param memory the ring's memory
     * @param at offset of the element in it
     * @param limits what a work request of this queue may have
     * @param into receives the fields; {@link WorkRequest#id} is valid in any case
     * @return SUCCESS, or how the work request fails
     */
    WorkCompletionStatus decodeSend(MemorySegment memory, long at, Limits limits, WorkRequest into);

    /** Reads a receive work request; the rest is as for {@link #decodeSend}. */
    WorkCompletionStatus decodeReceive(MemorySegment memory, long at, Limits limits, ReceiveRequest into);

    /** Writes a completion into the element at that offset. */
    void encodeCompletion(MemorySegment memory, long at, Completion completion);

    /**
     * What an element can hold.
     *
     * @param elementSize bytes of a ring element
     * @param maxSge scatter/gather elements of one work request
     * @param maxInline bytes of inline data of one work request
     * @param maxMessage bytes of a message
     * @param datagrams whether send work requests say where they go
     */
    record Limits(int elementSize, int maxSge, int maxInline, long maxMessage, boolean datagrams) {}
}
