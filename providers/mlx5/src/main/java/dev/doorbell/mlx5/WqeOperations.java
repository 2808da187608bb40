package dev.doorbell.mlx5;

import dev.doorbell.kernel.abi.mlx5.WqeOpcode;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkRequestOpcode;

/** What an operation of the verbs is to the device, by the number of {@link WorkRequestOpcode}. */
final class WqeOperations {
    static final int UMR = WqeOpcode.UMR;
    static final int SEND = WorkCompletionOpcode.SEND.code();
    static final int LOCAL_INV = WorkCompletionOpcode.LOCAL_INV.code();
    static final int COMP_SWAP = WorkCompletionOpcode.COMP_SWAP.code();
    static final int FETCH_ADD = WorkCompletionOpcode.FETCH_ADD.code();
    static final int RDMA_READ = WorkCompletionOpcode.RDMA_READ.code();
    static final int RDMA_WRITE = WorkCompletionOpcode.RDMA_WRITE.code();

    private static final int COUNT = 16;
    private static final byte[] OPCODES = new byte[COUNT];
    private static final byte[] COMPLETIONS = new byte[COUNT];
    /** 16-byte units before the data. */
    private static final byte[] UNITS = new byte[COUNT];

    static {
        put(WorkRequestOpcode.RDMA_WRITE, WqeOpcode.RDMA_WRITE, WorkCompletionOpcode.RDMA_WRITE, 2);
        put(WorkRequestOpcode.RDMA_WRITE_WITH_IMM, WqeOpcode.RDMA_WRITE_IMMEDIATE, WorkCompletionOpcode.RDMA_WRITE, 2);
        put(WorkRequestOpcode.SEND, WqeOpcode.SEND, WorkCompletionOpcode.SEND, 1);
        put(WorkRequestOpcode.SEND_WITH_IMM, WqeOpcode.SEND_IMMEDIATE, WorkCompletionOpcode.SEND, 1);
        put(WorkRequestOpcode.SEND_WITH_INV, WqeOpcode.SEND_INVALIDATE, WorkCompletionOpcode.SEND, 1);
        put(WorkRequestOpcode.RDMA_READ, WqeOpcode.RDMA_READ, WorkCompletionOpcode.RDMA_READ, 2);
        put(WorkRequestOpcode.ATOMIC_CMP_AND_SWP, WqeOpcode.COMPARE_AND_SWAP, WorkCompletionOpcode.COMP_SWAP, 3);
        put(WorkRequestOpcode.ATOMIC_FETCH_AND_ADD, WqeOpcode.FETCH_AND_ADD, WorkCompletionOpcode.FETCH_ADD, 3);
        put(WorkRequestOpcode.LOCAL_INV, WqeOpcode.UMR, WorkCompletionOpcode.LOCAL_INV, 1);
        put(WorkRequestOpcode.BIND_MW, WqeOpcode.UMR, WorkCompletionOpcode.BIND_MW, 1);
    }

    private WqeOperations() {}

    private static void put(WorkRequestOpcode verbs, int opcode, WorkCompletionOpcode completion, int units) {
        OPCODES[verbs.code()] = (byte) opcode;
        COMPLETIONS[verbs.code()] = (byte) completion.code();
        UNITS[verbs.code()] = (byte) units;
    }

    /** The device's operation; NOP for one that it lacks, which the API does not let through. */
    static int opcode(int verbs) {
        return OPCODES[verbs & COUNT - 1];
    }

    /** The opcode of its completion. */
    static int completion(int verbs) {
        return COMPLETIONS[verbs & COUNT - 1];
    }

    /** 16-byte units before the data. */
    static int units(int verbs, boolean datagram) {
        return UNITS[verbs & COUNT - 1] + (datagram ? 3 : 0);
    }

    static boolean isAtomic(int completion) {
        return completion == COMP_SWAP || completion == FETCH_ADD;
    }

    /** The completion opcode of a device operation; that of SEND for one without a meaning here. */
    static int completionOf(int opcode, int posted) {
        return switch (opcode) {
            case WqeOpcode.RDMA_WRITE, WqeOpcode.RDMA_WRITE_IMMEDIATE -> RDMA_WRITE;
            case WqeOpcode.RDMA_READ -> RDMA_READ;
            case WqeOpcode.COMPARE_AND_SWAP -> COMP_SWAP;
            case WqeOpcode.FETCH_AND_ADD -> FETCH_ADD;
            case WqeOpcode.UMR -> posted;
            default -> SEND;
        };
    }
}
