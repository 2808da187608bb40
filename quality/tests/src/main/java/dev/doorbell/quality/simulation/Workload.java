package dev.doorbell.quality.simulation;

import dev.doorbell.spec.QueuePairType;
import java.util.List;

/** What a conversation consists of: its messages take these operations in turn. */
public enum Workload {
    SEND(QueuePairType.RC, Operation.SEND),
    SEND_IMM(QueuePairType.RC, Operation.SEND_IMM),
    WRITE(QueuePairType.RC, Operation.WRITE),
    WRITE_IMM(QueuePairType.RC, Operation.WRITE_IMM),
    READ(QueuePairType.RC, Operation.READ),
    ATOMIC(QueuePairType.RC, Operation.FETCH_ADD, Operation.COMPARE_SWAP),
    /** Two connections whose receives come from one shared queue. */
    SHARED_RECEIVE(QueuePairType.RC, Operation.SEND),
    /** Everything in turn; what follows a READ or an atomic is fenced now and then. */
    MIXED(
            QueuePairType.RC,
            Operation.WRITE,
            Operation.READ,
            Operation.SEND_IMM,
            Operation.FETCH_ADD,
            Operation.WRITE_IMM,
            Operation.READ,
            Operation.READ,
            Operation.SEND,
            Operation.COMPARE_SWAP),
    UC_SEND(QueuePairType.UC, Operation.SEND_IMM),
    UC_WRITE(QueuePairType.UC, Operation.WRITE_IMM),
    UD_SEND(QueuePairType.UD, Operation.SEND_IMM);

    private final QueuePairType type;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of, which cannot be changed
    private final List<Operation> operations;

    Workload(QueuePairType type, Operation... operations) {
        this.type = type;
        this.operations = List.of(operations);
    }

    /** The transport service. */
    public QueuePairType type() {
        return type;
    }

    /** Whether every message arrives, once and in its place. */
    public boolean isReliable() {
        return type == QueuePairType.RC;
    }

    /** Whether messages have the size that is asked for. */
    public boolean hasSize() {
        return this != ATOMIC;
    }

    int queuePairs() {
        return this == SHARED_RECEIVE ? 2 : 1;
    }

    Operation operation(long message) {
        return operations.get((int) (message % operations.size()));
    }

    boolean isFenced(long message) {
        return this == MIXED && message % 4 == 3;
    }
}
