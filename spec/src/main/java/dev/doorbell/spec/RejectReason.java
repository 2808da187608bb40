package dev.doorbell.spec;

/**
 * Why a connection request is refused, as REJ messages say it.
 *
 * <p>Follows the InfiniBand Architecture Specification, volume 1, section 12.6.7.2.
 *
 * <p>Thread rules: immutable.
 */
public enum RejectReason {
    /** No queue pair is available. */
    NO_QP(1, "no queue pair is available"),
    /** No end-to-end context is available. */
    NO_EEC(2, "no end-to-end context is available"),
    /** Resources are short. */
    NO_RESOURCES(3, "resources are short"),
    /** An answer took too long. */
    TIMEOUT(4, "an answer took too long"),
    /** The request is not supported. */
    UNSUPPORTED_REQUEST(5, "the request is not supported"),
    /** The communication identifier is unknown. */
    INVALID_COMM_ID(6, "the communication identifier is unknown"),
    /** The communication instance is unknown. */
    INVALID_COMM_INSTANCE(7, "the communication instance is unknown"),
    /** Nobody listens at that port. */
    INVALID_SERVICE_ID(8, "nobody listens at that port"),
    /** The transport type does not fit. */
    INVALID_TRANSPORT_TYPE(9, "the transport type does not fit"),
    /** The queue pair is taken for an earlier connection. */
    STALE_CONNECTION(10, "the queue pair is taken for an earlier connection"),
    /** The reliable datagram channel does not exist. */
    RDC_DOES_NOT_EXIST(11, "the reliable datagram channel does not exist"),
    /** The primary GID is not accepted. */
    INVALID_GID(12, "the primary GID is not accepted"),
    /** The primary local identifier is not accepted. */
    INVALID_LID(13, "the primary local identifier is not accepted"),
    /** The primary service level is not accepted. */
    INVALID_SL(14, "the primary service level is not accepted"),
    /** The primary traffic class is not accepted. */
    INVALID_TRAFFIC_CLASS(15, "the primary traffic class is not accepted"),
    /** The primary hop limit is not accepted. */
    INVALID_HOP_LIMIT(16, "the primary hop limit is not accepted"),
    /** The primary packet rate is not accepted. */
    INVALID_PACKET_RATE(17, "the primary packet rate is not accepted"),
    /** The alternate GID is not accepted. */
    INVALID_ALT_GID(18, "the alternate GID is not accepted"),
    /** The alternate local identifier is not accepted. */
    INVALID_ALT_LID(19, "the alternate local identifier is not accepted"),
    /** The alternate service level is not accepted. */
    INVALID_ALT_SL(20, "the alternate service level is not accepted"),
    /** The alternate traffic class is not accepted. */
    INVALID_ALT_TRAFFIC_CLASS(21, "the alternate traffic class is not accepted"),
    /** The alternate hop limit is not accepted. */
    INVALID_ALT_HOP_LIMIT(22, "the alternate hop limit is not accepted"),
    /** The alternate packet rate is not accepted. */
    INVALID_ALT_PACKET_RATE(23, "the alternate packet rate is not accepted"),
    /** The connection manager is elsewhere. */
    PORT_CM_REDIRECT(24, "the connection manager is elsewhere"),
    /** The port is elsewhere. */
    PORT_REDIRECT(25, "the port is elsewhere"),
    /** The path MTU is too large. */
    INVALID_MTU(26, "the path MTU is too large"),
    /** Too few READs and atomics can be served at a time. */
    INSUFFICIENT_RESPONDER_RESOURCES(27, "too few READs and atomics can be served at a time"),
    /** The program refused; see its private data. */
    CONSUMER_DEFINED(28, "the program refused; see its private data"),
    /** The RNR retry count is not accepted. */
    INVALID_RNR_RETRY(29, "the RNR retry count is not accepted"),
    /** The communication identifier is in use. */
    DUPLICATE_LOCAL_COMM_ID(30, "the communication identifier is in use"),
    /** The version of the messages is not known. */
    INVALID_CLASS_VERSION(31, "the version of the messages is not known"),
    /** The primary flow label is not accepted. */
    INVALID_FLOW_LABEL(32, "the primary flow label is not accepted"),
    /** The alternate flow label is not accepted. */
    INVALID_ALT_FLOW_LABEL(33, "the alternate flow label is not accepted"),
    /** A vendor option is not supported. */
    VENDOR_OPTION_NOT_SUPPORTED(35, "a vendor option is not supported"),
    /** A number without a name here; whoever holds the number shows it. */
    UNKNOWN(-1, "unknown");

    private static final RejectReason[] VALUES = values();

    private final int code;
    private final String label;

    RejectReason(int code, String label) {
        this.code = code;
        this.label = label;
    }

    /** The number in messages; -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** The meaning, for people. */
    public String label() {
        return label;
    }

    /** The constant with this number; {@link #UNKNOWN} for a number that has none. */
    public static RejectReason of(int code) {
        for (RejectReason value : VALUES) {
            if (value.code == code) {
                return value;
            }
        }
        return UNKNOWN;
    }
}
