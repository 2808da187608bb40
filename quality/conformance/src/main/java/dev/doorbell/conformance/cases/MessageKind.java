package dev.doorbell.conformance.cases;

import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;

/** The ways in which bytes get from one side to the other. */
enum MessageKind {
    SEND("send", WorkCompletionOpcode.SEND),
    SEND_IMM("send.imm", WorkCompletionOpcode.SEND),
    WRITE("write", WorkCompletionOpcode.RDMA_WRITE),
    WRITE_IMM("write.imm", WorkCompletionOpcode.RDMA_WRITE),
    READ("read", WorkCompletionOpcode.RDMA_READ);

    private final String label;
    private final WorkCompletionOpcode completion;

    MessageKind(String label, WorkCompletionOpcode completion) {
        this.label = label;
        this.completion = completion;
    }

    /** Its part of a case's name. */
    String label() {
        return label;
    }

    /** What its completion says. */
    WorkCompletionOpcode completion() {
        return completion;
    }

    /** Whether it takes a receive work request of the peer. */
    boolean takesReceive() {
        return this != WRITE && this != READ;
    }

    /** Whether the receive work request says where the bytes go. */
    boolean isSend() {
        return this == SEND || this == SEND_IMM;
    }

    /** Whether immediate data travel with it. */
    boolean hasImmediate() {
        return this == SEND_IMM || this == WRITE_IMM;
    }

    /** Opens the work request by address and key, so that the device checks and not the batch. */
    SendBatch open(SendBatch batch, long id, RemoteMemory remote, long offset, int immediate) {
        long address = remote.address() + offset;
        return switch (this) {
            case SEND -> batch.send(id);
            case SEND_IMM -> batch.sendWithImmediate(id, immediate);
            case WRITE -> batch.write(id, address, remote.rkey());
            case WRITE_IMM -> batch.writeWithImmediate(id, address, remote.rkey(), immediate);
            case READ -> batch.read(id, address, remote.rkey());
        };
    }
}
