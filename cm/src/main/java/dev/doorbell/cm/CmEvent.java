package dev.doorbell.cm;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.RejectReason;
import dev.doorbell.verbs.VerbsException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to an identifier (rdma_get_cm_event(3)). The library has done its part already when a program sees
 * one: queue pairs have been moved, memberships attached, new identifiers made. Nothing needs to be acknowledged.
 *
 * <p>Thread rules: immutable, but for what {@link #id()} leads to.
 */
public final class CmEvent {
    private final CmEventType type;
    private final int code;
    private final CmId id;
    private final int status;
    private final Details details;

    /** What only some events have. */
    static final class Details {
        private final @Nullable ConnectionParameters parameters;
        private final @Nullable DatagramDestination datagrams;
        private final byte[] privateData;
        private final @Nullable MulticastMembership membership;
        private final @Nullable VerbsException cause;

        private Details(
                @Nullable ConnectionParameters parameters,
                @Nullable DatagramDestination datagrams,
                byte[] privateData,
                @Nullable MulticastMembership membership,
                @Nullable VerbsException cause) {
            this.parameters = parameters;
            this.datagrams = datagrams;
            this.privateData = privateData;
            this.membership = membership;
            this.cause = cause;
        }

        static final Details NONE = new Details(null, null, new byte[0], null, null);

        static Details of(ConnectionParameters parameters) {
            return new Details(parameters, null, parameters.privateData(), null, null);
        }

        static Details of(@Nullable DatagramDestination datagrams, byte[] privateData) {
            return new Details(null, datagrams, privateData, null, null);
        }

        static Details of(MulticastMembership membership, @Nullable DatagramDestination datagrams) {
            return new Details(null, datagrams, new byte[0], membership, null);
        }

        static Details of(VerbsException cause) {
            return new Details(null, null, new byte[0], null, cause);
        }
    }

    CmEvent(CmEventType type, int code, CmId id, int status, Details details) {
        this.type = type;
        this.code = code;
        this.id = id;
        this.status = status;
        this.details = details;
    }

    /** What happened. */
    public CmEventType type() {
        return type;
    }

    /** The kernel's number for it, which {@link CmEventType#UNKNOWN} has none of. */
    public int code() {
        return code;
    }

    /** The identifier that it happened to; for {@link CmEventType#CONNECT_REQUEST} a new one, which the program closes. */
    public CmId id() {
        return id;
    }

    /** The listener that was asked, for {@link CmEventType#CONNECT_REQUEST}. */
    public Optional<CmId> listener() {
        return type == CmEventType.CONNECT_REQUEST ? id.listener() : Optional.empty();
    }

    /** 0, a negative errno, or in {@link CmEventType#REJECTED} the number of a reason. */
    public int status() {
        return status;
    }

    /** Why the peer refused, in {@link CmEventType#REJECTED}. */
    public Optional<RejectReason> rejectReason() {
        return type == CmEventType.REJECTED ? Optional.of(RejectReason.of(status)) : Optional.empty();
    }

    /** What the peer asks for or grants, in CONNECT_REQUEST, CONNECT_RESPONSE and ESTABLISHED of connections. */
    public Optional<ConnectionParameters> parameters() {
        return Optional.ofNullable(details.parameters);
    }

    /** Where datagrams go, in ESTABLISHED of datagram port spaces and in MULTICAST_JOIN. */
    public Optional<DatagramDestination> datagrams() {
        return Optional.ofNullable(details.datagrams);
    }

    /** The membership, in MULTICAST_JOIN and MULTICAST_ERROR. */
    public Optional<MulticastMembership> membership() {
        return Optional.ofNullable(details.membership);
    }

    /** What the program on the other side sent along, as long as the message's field, with zeros behind. */
    public byte[] privateData() {
        return details.privateData.clone();
    }

    /**
     * The failure that this event tells of; empty if it tells of none. A {@link CmEventType#DISCONNECTED} is none, but is
     * one for {@link #expect}.
     */
    public Optional<CmException> failure() {
        return switch (type) {
            case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED, DEVICE_REMOVAL, MULTICAST_ERROR ->
                Optional.of(exception());
            case ADDR_RESOLVED,
                    ROUTE_RESOLVED,
                    CONNECT_REQUEST,
                    CONNECT_RESPONSE,
                    ESTABLISHED,
                    DISCONNECTED,
                    MULTICAST_JOIN,
                    ADDR_CHANGE,
                    TIMEWAIT_EXIT,
                    UNKNOWN -> Optional.empty();
        };
    }

    /**
     * This event, if it is of the type that a program waits for.
     *
     * @throws CmException what it tells of otherwise
     */
    public CmEvent expect(CmEventType expected) {
        if (type != expected) {
            throw exception();
        }
        return this;
    }

    private CmException exception() {
        CmException told = Failures.of(this, id.toString());
        if (details.cause != null) {
            int errno = details.cause.errno() == 0 ? Errno.EIO : details.cause.errno();
            return new CmException(
                    told.operation(),
                    told.object(),
                    errno,
                    String.valueOf(details.cause.getMessage()),
                    details.cause.remedy(),
                    type,
                    details.cause);
        }
        return told;
    }

    @Override
    public String toString() {
        return (type == CmEventType.UNKNOWN ? "event " + code : type.toString())
                + (status == 0 ? "" : " (" + (status < 0 ? Errno.name(-status) : "status " + status) + ")")
                + " of " + id;
    }
}
