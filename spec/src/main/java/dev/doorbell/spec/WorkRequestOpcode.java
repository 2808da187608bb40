package dev.doorbell.spec;

import java.util.Arrays;

/**
 * Operations of send work requests (IBV_WR_*).
 *
 * <p>Follows ibv_post_send(3) and ibv_wr_start(3).
 *
 * <p>Thread rules: immutable.
 */
public enum WorkRequestOpcode {
    /** Writes into the peer's memory. */
    RDMA_WRITE(0),
    /** Writes, and completes a receive work request of the peer with immediate data. */
    RDMA_WRITE_WITH_IMM(1),
    /** Fills a receive work request of the peer. */
    SEND(2),
    /** The same, with immediate data. */
    SEND_WITH_IMM(3),
    /** Reads from the peer's memory. */
    RDMA_READ(4),
    /** Replaces eight bytes of the peer's memory if they hold a value. */
    ATOMIC_CMP_AND_SWP(5),
    /** Adds to eight bytes of the peer's memory. */
    ATOMIC_FETCH_AND_ADD(6),
    /** Invalidates a key of this device. */
    LOCAL_INV(7),
    /** Binds a memory window. */
    BIND_MW(8),
    /** A SEND that also invalidates a key of the peer. */
    SEND_WITH_INV(9),
    /** A raw packet that the device segments. */
    TSO(10),
    /** Belongs to the driver. */
    DRIVER1(11),
    /** Makes earlier writes visible or persistent at the peer. */
    FLUSH(14),
    /** Writes eight bytes of the peer's memory at once. */
    ATOMIC_WRITE(15),
    /** A number without a name here; whoever holds the number shows it. */
    UNKNOWN(-1);

    private static final WorkRequestOpcode[] BY_CODE = new WorkRequestOpcode[16];

    static {
        Arrays.fill(BY_CODE, UNKNOWN);
        for (WorkRequestOpcode value : values()) {
            if (value != UNKNOWN) {
                BY_CODE[value.code] = value;
            }
        }
    }

    private final int code;

    WorkRequestOpcode(int code) {
        this.code = code;
    }

    /** The number that kernel commands use. -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** The constant with this number; {@link #UNKNOWN} for a number that has none. */
    public static WorkRequestOpcode of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : UNKNOWN;
    }
}
