package dev.doorbell.quality.interop;

import dev.doorbell.spec.QueuePairType;

/** What the requester of a bout does to the responder. */
enum Traffic {
    SEND(QueuePairType.RC),
    WRITE(QueuePairType.RC),
    WRITE_IMM(QueuePairType.RC),
    READ(QueuePairType.RC),
    ATOMIC(QueuePairType.RC),
    ATOMIC_WRITE(QueuePairType.RC),
    UC_SEND(QueuePairType.UC),
    UC_WRITE_IMM(QueuePairType.UC),
    UD_SEND(QueuePairType.UD);

    private final QueuePairType type;

    Traffic(QueuePairType type) {
        this.type = type;
    }

    QueuePairType type() {
        return type;
    }

    /** Whether each message takes a receive. */
    boolean takesReceives() {
        return this != WRITE && this != READ && isMessages();
    }

    /** Whether the receives are for immediate data only: the requester says where the bytes go. */
    boolean isWriteImm() {
        return this == WRITE_IMM || this == UC_WRITE_IMM;
    }

    /** Whether it is about messages of given sizes, and not about words in the responder's memory. */
    boolean isMessages() {
        return this != ATOMIC && this != ATOMIC_WRITE;
    }
}
