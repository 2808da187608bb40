package dev.doorbell.spec;

/**
 * Events of the connection manager (RDMA_CM_EVENT_*).
 *
 * <p>Follows rdma_get_cm_event(3).
 *
 * <p>Thread rules: immutable.
 */
public enum CmEventType {
    /** The address was resolved: device, port and GIDs are known. */
    ADDR_RESOLVED,
    /** The address was not resolved. */
    ADDR_ERROR,
    /** The route was resolved. */
    ROUTE_RESOLVED,
    /** The route was not resolved. */
    ROUTE_ERROR,
    /** A peer asks a listener for a connection. */
    CONNECT_REQUEST,
    /** The peer has answered; the connection waits for this side's confirmation. */
    CONNECT_RESPONSE,
    /** Connecting failed. */
    CONNECT_ERROR,
    /** The peer does not answer, or cannot be reached. */
    UNREACHABLE,
    /** The peer, or its connection manager, refused. */
    REJECTED,
    /** The connection is made; for datagrams: the peer's queue pair is known. */
    ESTABLISHED,
    /** The connection was ended. */
    DISCONNECTED,
    /** The device is going away. */
    DEVICE_REMOVAL,
    /** The multicast group was joined. */
    MULTICAST_JOIN,
    /** The multicast group was not joined, or was lost. */
    MULTICAST_ERROR,
    /** The address that the identifier is bound to has moved to other hardware. */
    ADDR_CHANGE,
    /** The queue pair may be used for another connection now. */
    TIMEWAIT_EXIT,
    /** A number without a name here; whoever holds the number shows it. */
    UNKNOWN;

    private static final CmEventType[] VALUES = values();

    /** The number that kernel commands use; -1 for {@link #UNKNOWN}. */
    public int code() {
        return this == UNKNOWN ? -1 : ordinal();
    }

    /** The constant with this number; {@link #UNKNOWN} for a number that has none. */
    public static CmEventType of(int code) {
        return code >= 0 && code < UNKNOWN.ordinal() ? VALUES[code] : UNKNOWN;
    }
}
