package dev.doorbell.soft.hca;

import dev.doorbell.spec.WorkCompletionOpcode;

/** What a work request does at the peer, and what a request asks for. */
enum Operation {
    SEND(WorkCompletionOpcode.SEND),
    WRITE(WorkCompletionOpcode.RDMA_WRITE),
    READ(WorkCompletionOpcode.RDMA_READ),
    COMPARE_SWAP(WorkCompletionOpcode.COMP_SWAP),
    FETCH_ADD(WorkCompletionOpcode.FETCH_ADD);

    private final WorkCompletionOpcode completion;

    Operation(WorkCompletionOpcode completion) {
        this.completion = completion;
    }

    /** How the requester's completion names it. */
    WorkCompletionOpcode completion() {
        return completion;
    }

    /** Whether the message travels from the requester to the responder. */
    boolean isMessage() {
        return this == SEND || this == WRITE;
    }

    /** Whether the answer carries data, and so needs a slot of the responder (max_dest_rd_atomic). */
    boolean isAnswered() {
        return !isMessage();
    }

    boolean isAtomic() {
        return this == COMPARE_SWAP || this == FETCH_ADD;
    }
}
