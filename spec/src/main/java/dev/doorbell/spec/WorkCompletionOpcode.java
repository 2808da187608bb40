package dev.doorbell.spec;

import java.util.Arrays;

/**
 * What a completion completes (IBV_WC_*).
 *
 * <p>Follows ibv_poll_cq(3).
 *
 * <p>Thread rules: immutable.
 */
public enum WorkCompletionOpcode {
    /** A SEND of any kind. */
    SEND(0),
    /** An RDMA WRITE of any kind. */
    RDMA_WRITE(1),
    /** An RDMA READ. */
    RDMA_READ(2),
    /** An atomic compare and swap. */
    COMP_SWAP(3),
    /** An atomic fetch and add. */
    FETCH_ADD(4),
    /** A bind of a memory window. */
    BIND_MW(5),
    /** A local invalidate. */
    LOCAL_INV(6),
    /** A segmented raw packet. */
    TSO(7),
    /** A FLUSH. */
    FLUSH(8),
    /** An ATOMIC WRITE. */
    ATOMIC_WRITE(9),
    /** A receive work request that a SEND filled. */
    RECV(128),
    /** A receive work request that an RDMA WRITE with immediate data took. */
    RECV_RDMA_WITH_IMM(129),
    /** Tag matching: an entry was added. */
    TM_ADD(130),
    /** Tag matching: an entry was removed. */
    TM_DEL(131),
    /** Tag matching: lists were synchronised. */
    TM_SYNC(132),
    /** Tag matching: a message was received. */
    TM_RECV(133),
    /** Tag matching: a message without a tag was received. */
    TM_NO_TAG(134),
    /** Belongs to the driver. */
    DRIVER1(135),
    /** Belongs to the driver. */
    DRIVER2(136),
    /** Belongs to the driver. */
    DRIVER3(137),
    /** A number without a name here; whoever holds the number shows it. */
    UNKNOWN(-1);

    private static final WorkCompletionOpcode[] BY_CODE = new WorkCompletionOpcode[138];

    static {
        Arrays.fill(BY_CODE, UNKNOWN);
        for (WorkCompletionOpcode value : values()) {
            if (value != UNKNOWN) {
                BY_CODE[value.code] = value;
            }
        }
    }

    private final int code;

    WorkCompletionOpcode(int code) {
        this.code = code;
    }

    /** The number that kernel commands use. -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** The constant with this number; {@link #UNKNOWN} for a number that has none. */
    public static WorkCompletionOpcode of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : UNKNOWN;
    }

    /** Whether it completes a receive work request. */
    public boolean isReceive() {
        return this == RECV || this == RECV_RDMA_WITH_IMM;
    }
}
