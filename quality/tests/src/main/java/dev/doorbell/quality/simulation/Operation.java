package dev.doorbell.quality.simulation;

/** One message's operation. */
enum Operation {
    SEND,
    SEND_IMM,
    WRITE,
    WRITE_IMM,
    READ,
    FETCH_ADD,
    COMPARE_SWAP;

    /** Whether a receive work request of the peer is completed. */
    boolean isReceived() {
        return this == SEND || this == SEND_IMM || this == WRITE_IMM;
    }

    boolean isAtomic() {
        return this == FETCH_ADD || this == COMPARE_SWAP;
    }

    boolean hasImmediate() {
        return this == SEND_IMM || this == WRITE_IMM;
    }
}
