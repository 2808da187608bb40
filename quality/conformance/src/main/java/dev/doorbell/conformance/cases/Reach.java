package dev.doorbell.conformance.cases;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;

/** Operations that reach the peer's memory by key, eight bytes of it. */
enum Reach {
    WRITE("write", AccessFlag.REMOTE_WRITE),
    WRITE_IMM("write.imm", AccessFlag.REMOTE_WRITE),
    READ("read", AccessFlag.REMOTE_READ),
    COMPARE_SWAP("atomic.compare-swap", AccessFlag.REMOTE_ATOMIC),
    FETCH_ADD("atomic.fetch-add", AccessFlag.REMOTE_ATOMIC);

    private final String label;
    private final AccessFlag needed;

    Reach(String label, AccessFlag needed) {
        this.label = label;
        this.needed = needed;
    }

    /** Its part of a case's name. */
    String label() {
        return label;
    }

    /** What it needs of region and queue pair. */
    AccessFlag needed() {
        return needed;
    }

    boolean isAtomic() {
        return needed == AccessFlag.REMOTE_ATOMIC;
    }

    /** All that regions grant. */
    static AccessFlag[] everything() {
        return new AccessFlag[] {
            AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC
        };
    }

    /** Opens the work request by address and key, so that the device checks and not the batch. */
    SendBatch open(SendBatch batch, long id, RemoteMemory remote) {
        return switch (this) {
            case WRITE -> batch.write(id, remote.address(), remote.rkey());
            case WRITE_IMM -> batch.writeWithImmediate(id, remote.address(), remote.rkey(), 2);
            case READ -> batch.read(id, remote.address(), remote.rkey());
            case COMPARE_SWAP -> batch.compareAndSwap(id, remote.address(), remote.rkey(), 0, 1);
            case FETCH_ADD -> batch.fetchAndAdd(id, remote.address(), remote.rkey(), 1);
        };
    }
}
