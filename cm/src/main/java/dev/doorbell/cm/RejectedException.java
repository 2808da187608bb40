package dev.doorbell.cm;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.RejectReason;

/**
 * The peer, or its connection manager, refused the connection (RDMA_CM_EVENT_REJECTED); ECONNREFUSED.
 *
 * <p>{@link RejectReason#INVALID_SERVICE_ID} means that nobody listens there; {@link RejectReason#CONSUMER_DEFINED} that
 * the program refused. A full backlog is no refusal: the kernel leaves the request unanswered, so that it is repeated.
 *
 * <p>Thread rules: immutable.
 */
public final class RejectedException extends CmException {
    private static final long serialVersionUID = 1L;

    private final RejectReason reason;
    private final int reasonCode;
    private final byte[] privateData;

    RejectedException(String object, int reasonCode, byte[] privateData) {
        super(
                "connect",
                object,
                Errno.ECONNREFUSED,
                "rejected with reason " + reasonCode + ": "
                        + RejectReason.of(reasonCode).label(),
                remedy(RejectReason.of(reasonCode)),
                CmEventType.REJECTED);
        this.reason = RejectReason.of(reasonCode);
        this.reasonCode = reasonCode;
        this.privateData = privateData.clone();
    }

    private static String remedy(RejectReason reason) {
        return switch (reason) {
            case INVALID_SERVICE_ID -> "Start the server, or check the port and the port space";
            case CONSUMER_DEFINED -> "Ask the server why; it may have said so in its private data";
            case STALE_CONNECTION -> "Try again: the peer has now forgotten the earlier connection";
            default -> "";
        };
    }

    /** The reason; {@link RejectReason#UNKNOWN} for a number without a name. */
    public RejectReason reason() {
        return reason;
    }

    /** The reason's number. */
    public int reasonCode() {
        return reasonCode;
    }

    /** What the refusing program sent along, followed by zeros up to what the message holds: 148 bytes, or none. */
    public byte[] privateData() {
        return privateData.clone();
    }
}
