package dev.doorbell.soft.hca;

import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;

/** A completion on its way into a ring. */
final class Completion extends Padded {
    /** Whose queue pair it is, by the number that the program chose; for formats that have one. */
    final int userIndex;

    /** Whether it is the requester's. */
    final boolean ofSend;

    long id;
    WorkCompletionStatus status = WorkCompletionStatus.SUCCESS;
    WorkCompletionOpcode opcode = WorkCompletionOpcode.UNKNOWN;
    long bytes;
    /** {@code WorkCompletionFlag} bits; they say which of the next two counts. */
    int flags;

    int immediate;
    int invalidatedKey;
    int queuePair;
    int sourceQueuePair;
    int port;
    boolean solicited;

    Completion(int userIndex, boolean ofSend) {
        this.userIndex = userIndex;
        this.ofSend = ofSend;
    }

    /** Only what a failed completion may say; the rest is zero, as rxe leaves it. */
    void failed(long requestId, WorkCompletionStatus reason, int queuePairNumber) {
        id = requestId;
        status = reason;
        queuePair = queuePairNumber;
        opcode = WorkCompletionOpcode.SEND;
        bytes = 0;
        flags = 0;
        immediate = 0;
        sourceQueuePair = 0;
        port = 0;
        solicited = false;
    }
}
