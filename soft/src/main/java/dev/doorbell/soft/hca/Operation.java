package dev.doorbell.soft.hca;

import dev.doorbell.spec.WorkCompletionOpcode;

/** What a work request does, at the peer or here, and what a request asks for. */
enum Operation {
    SEND(WorkCompletionOpcode.SEND, Kind.MESSAGE),
    WRITE(WorkCompletionOpcode.RDMA_WRITE, Kind.MESSAGE),
    READ(WorkCompletionOpcode.RDMA_READ, Kind.ANSWERED),
    COMPARE_SWAP(WorkCompletionOpcode.COMP_SWAP, Kind.ANSWERED),
    FETCH_ADD(WorkCompletionOpcode.FETCH_ADD, Kind.ANSWERED),
    ATOMIC_WRITE(WorkCompletionOpcode.ATOMIC_WRITE, Kind.ANSWERED),
    FLUSH(WorkCompletionOpcode.FLUSH, Kind.ANSWERED),
    BIND(WorkCompletionOpcode.BIND_MW, Kind.LOCAL),
    INVALIDATE(WorkCompletionOpcode.LOCAL_INV, Kind.LOCAL);

    private enum Kind {
        MESSAGE,
        ANSWERED,
        LOCAL
    }

    private final WorkCompletionOpcode completion;
    private final Kind kind;

    Operation(WorkCompletionOpcode completion, Kind kind) {
        this.completion = completion;
        this.kind = kind;
    }

    /** How the requester's completion names it. */
    WorkCompletionOpcode completion() {
        return completion;
    }

    /** Whether an acknowledgement is all that comes back: a message from the requester to the responder. */
    boolean isMessage() {
        return kind == Kind.MESSAGE;
    }

    /** Whether it has an answer of its own, which no acknowledgement stands for. */
    boolean isAnswered() {
        return kind == Kind.ANSWERED;
    }

    /** Whether the responder must remember it, and so allows only so many at a time (max_dest_rd_atomic). */
    boolean takesResource() {
        return kind == Kind.ANSWERED && this != FLUSH;
    }

    /** Whether its answer brings back what the memory held. */
    boolean isAtomic() {
        return this == COMPARE_SWAP || this == FETCH_ADD;
    }

    /** Whether it is carried out here, without the peer. */
    boolean isLocal() {
        return kind == Kind.LOCAL;
    }
}
