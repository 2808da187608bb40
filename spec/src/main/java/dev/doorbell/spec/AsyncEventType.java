package dev.doorbell.spec;

import java.util.Arrays;

/**
 * Asynchronous events (IBV_EVENT_*).
 *
 * <p>Follows ibv_get_async_event(3).
 *
 * <p>Thread rules: immutable.
 */
public enum AsyncEventType {
    /** A completion queue overran or failed. */
    CQ_ERR(0, "CQ error"),
    /** A queue pair failed. */
    QP_FATAL(1, "local work queue catastrophic error"),
    /** A peer sent an invalid request. */
    QP_REQ_ERR(2, "invalid request local work queue error"),
    /** A peer asked for memory that it may not touch. */
    QP_ACCESS_ERR(3, "local access violation work queue error"),
    /** A packet came before the connection was said to be made. */
    COMM_EST(4, "communication established"),
    /** A send queue is drained. */
    SQ_DRAINED(5, "send queue drained"),
    /** A connection moved to its alternate path. */
    PATH_MIG(6, "path migrated"),
    /** A connection failed to move. */
    PATH_MIG_ERR(7, "path migration request error"),
    /** The device failed. */
    DEVICE_FATAL(8, "local catastrophic error"),
    /** A port became active. */
    PORT_ACTIVE(9, "port active"),
    /** A port went down. */
    PORT_ERR(10, "port error"),
    /** A local identifier changed. */
    LID_CHANGE(11, "LID change"),
    /** A partition key table changed. */
    PKEY_CHANGE(12, "P_Key change"),
    /** The subnet manager changed. */
    SM_CHANGE(13, "SM change"),
    /** A shared receive queue failed. */
    SRQ_ERR(14, "SRQ catastrophic error"),
    /** A shared receive queue fell below its limit. */
    SRQ_LIMIT_REACHED(15, "SRQ limit reached"),
    /** A queue pair takes no more from its shared receive queue. */
    QP_LAST_WQE_REACHED(16, "last WQE reached"),
    /** The subnet manager asks to register again. */
    CLIENT_REREGISTER(17, "client reregistration"),
    /** A GID table changed. */
    GID_CHANGE(18, "GID table change"),
    /** A receive work queue failed. */
    WQ_FATAL(19, "work queue fatal error"),
    /** The speed of a port changed. */
    DEVICE_SPEED_CHANGE(20, "device speed change"),
    /** A number without a name here; whoever holds the number shows it. */
    UNKNOWN(-1, "unknown");

    private static final AsyncEventType[] BY_CODE = new AsyncEventType[21];

    static {
        Arrays.fill(BY_CODE, UNKNOWN);
        for (AsyncEventType value : values()) {
            if (value != UNKNOWN) {
                BY_CODE[value.code] = value;
            }
        }
    }

    private final int code;
    private final String label;

    AsyncEventType(int code, String label) {
        this.code = code;
        this.label = label;
    }

    /** The number that kernel commands use. -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** The name for people. */
    public String label() {
        return label;
    }

    /** The constant with this number; {@link #UNKNOWN} for a number that has none. */
    public static AsyncEventType of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : UNKNOWN;
    }

    /** Whether the event's element is a port number; it is a cookie of a queue, or nothing for the device, otherwise. */
    public boolean isPortEvent() {
        return switch (this) {
            case PORT_ACTIVE,
                    PORT_ERR,
                    LID_CHANGE,
                    PKEY_CHANGE,
                    SM_CHANGE,
                    CLIENT_REREGISTER,
                    GID_CHANGE,
                    DEVICE_SPEED_CHANGE -> true;
            case CQ_ERR,
                    QP_FATAL,
                    QP_REQ_ERR,
                    QP_ACCESS_ERR,
                    COMM_EST,
                    SQ_DRAINED,
                    PATH_MIG,
                    PATH_MIG_ERR,
                    DEVICE_FATAL,
                    SRQ_ERR,
                    SRQ_LIMIT_REACHED,
                    QP_LAST_WQE_REACHED,
                    WQ_FATAL,
                    UNKNOWN -> false;
        };
    }
}
