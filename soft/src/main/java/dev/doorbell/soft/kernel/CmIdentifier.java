package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.soft.cm.CmEndpoint;
import dev.doorbell.soft.cm.CmHandler;
import dev.doorbell.soft.cm.CmTimes;
import dev.doorbell.soft.cm.SidrHandler;
import dev.doorbell.soft.cm.SidrQuestion;
import dev.doorbell.soft.cm.SidrRequest;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.PortSpace;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.wire.cm.CmRej;
import dev.doorbell.wire.cm.CmRep;
import dev.doorbell.wire.cm.CmSidrRep;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An identifier: what a program has of a connection, a listener or a datagram service. Guarded by the connection manager's
 * lock, but for what reading an event does to it.
 */
final class CmIdentifier implements CmHandler, SidrHandler {
    final int number;
    final EventSource source = new EventSource(0);
    /** Identifiers of requests that were not read yet: they end with this one, which listens. */
    final Set<CmIdentifier> unread = ConcurrentHashMap.newKeySet();
    /** How many requests may still come before one is read. */
    final AtomicInteger backlog = new AtomicInteger();

    final Set<CmMembership> memberships = new HashSet<>(0);

    /** The program's cookie; 0 for a request that was not accepted yet, of which the program hears nothing. */
    long uid;

    CmIdState state = CmIdState.IDLE;
    CmAddress local = CmAddress.ANY;
    CmAddress remote = CmAddress.ANY;
    boolean hasPort;
    /** The device; null while it is not known. */
    @Nullable
    CmPort port;
    /** Devices that are kept attached. */
    Set<CmPort> held = Set.of();

    /** The first number that the other side sends, as this side chose it. */
    final int sequence;

    int queueKey = Defaults.QKEY;
    int typeOfService;
    boolean reuseAddress;
    boolean familyOnly;
    int packetLifeTime = CmTimes.PACKET_LIFE_TIME;
    boolean hasAckTimeout;

    @Nullable
    CmEndpoint endpoint;

    @Nullable
    SidrRequest request;

    @Nullable
    SidrQuestion question;

    private final PortSpace space;
    private final QueuePairType type;
    private final @Nullable CmIdentifier listener;
    private RdmaCmFile file;

    /** Numbers that everybody uses who says nothing else. */
    static final class Defaults {
        /** The Q_Key of datagrams. */
        static final int QKEY = 0x01234567;

        private Defaults() {}
    }

    CmIdentifier(
            RdmaCmFile file,
            int number,
            int sequence,
            PortSpace space,
            QueuePairType type,
            @Nullable CmIdentifier listener) {
        this.file = file;
        this.number = number;
        this.sequence = sequence;
        this.space = space;
        this.type = type;
        this.listener = listener;
    }

    PortSpace space() {
        return space;
    }

    QueuePairType type() {
        return type;
    }

    boolean isDatagram() {
        return type == QueuePairType.UD;
    }

    RdmaCmFile file() {
        return file;
    }

    void move(RdmaCmFile to) {
        file = to;
    }

    /** The event with its request was read: the identifier is the program's. */
    void delivered() {
        CmIdentifier from = listener;
        if (from != null && from.unread.remove(this)) {
            from.backlog.incrementAndGet();
        }
    }

    void raise(CmEventType event, int status) {
        raise(event, status, MemorySegment.NULL);
    }

    private void raise(CmEventType event, int status, MemorySegment parameters) {
        if (uid == 0 && listener != null) {
            // As on Linux: whoever has not accepted learns of the end when it does.
            return;
        }
        file.raise(new CmNotice(source, uid, number, event, status, parameters, null));
    }

    private boolean isConnecting() {
        return state == CmIdState.CONNECTING;
    }

    @Override
    public void onReply(CmRep reply) {
        if (isConnecting()) {
            raise(CmEventType.CONNECT_RESPONSE, 0, CmEventParameters.of(reply));
        }
    }

    @Override
    public void onEstablished() {
        if (isConnecting()) {
            raise(CmEventType.ESTABLISHED, 0);
        }
    }

    @Override
    public void onRejected(CmRej reject) {
        if (isConnecting()) {
            raise(CmEventType.REJECTED, reject.reason(), CmEventParameters.of(reject.privateData()));
        }
    }

    @Override
    public void onUnreachable() {
        if (isConnecting()) {
            raise(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT);
        }
    }

    @Override
    public void onDisconnected(boolean timedOut) {
        if (isConnecting()) {
            state = CmIdState.DISCONNECTED;
            raise(CmEventType.DISCONNECTED, timedOut ? -Errno.ETIMEDOUT : 0);
        }
    }

    @Override
    public void onTimeWaitOver() {
        endpoint = null;
        if (state == CmIdState.DISCONNECTED) {
            raise(CmEventType.TIMEWAIT_EXIT, 0);
        }
    }

    @Override
    public void onAnswer(CmSidrRep answer) {
        request = null;
        if (!isConnecting()) {
            return;
        }
        if (answer.status() == CmSidrRep.VALID) {
            queueKey = answer.qkey();
            raise(CmEventType.ESTABLISHED, 0, CmEventParameters.of(answer, CmRoute.of(this)));
        } else {
            raise(CmEventType.UNREACHABLE, answer.status(), CmEventParameters.refused(answer));
        }
    }
}
