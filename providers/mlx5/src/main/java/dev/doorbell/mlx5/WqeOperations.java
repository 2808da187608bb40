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

    /** 16-byte units of the segment that says where a datagram goes. */
    static final int DATAGRAM_UNITS = 3;

    static final int UNITS_PER_BLOCK = 4;
    static final int BLOCK_SHIFT = 2;

    private static final int COUNT = 16;
    private static final int COMPLETION_SHIFT = 8;
    private static final int UNITS_SHIFT = 16;
    private static final int BYTE = 0xff;

    /** 16-byte units before the data 23..16, opcode of the completion 15..8, operation of the device 7..0. */
    private static final int[] KNOWN = new int[COUNT];

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
        KNOWN[verbs.code()] = units << UNITS_SHIFT | completion.code() << COMPLETION_SHIFT | opcode;
    }

    /** What is known of an operation, for the methods below; 0, which is NOP, of one that the device lacks: the API does not let it through. */
    static int of(int verbs) {
        return KNOWN[verbs & COUNT - 1];
    }

    /** The device's operation. */
    static int opcode(int known) {
        return known & BYTE;
    }

    /** The opcode of its completion. */
    static int completion(int known) {
        return known >>> COMPLETION_SHIFT & BYTE;
    }

    /** 16-byte units before the data, without those of a datagram. */
    static int units(int known) {
        return known >>> UNITS_SHIFT;
    }

    /** Whether it has a segment that says where it goes. */
    static boolean isRemote(int known) {
        return known >>> UNITS_SHIFT > 1;
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
