package dev.doorbell.soft.hca;

import dev.doorbell.kernel.Errno;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Opcode;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.wire.PacketView;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair of the device.
 *
 * <p>Thread rules: any thread. {@link #ring()} is the data path: it carries out work requests in the caller's thread.
 */
public final class HcaQueuePair {
    private static final System.Logger LOG = System.getLogger(HcaQueuePair.class.getName());

    private final Hca hca;
    private final int number;
    private final QueuePairRequest request;
    private final RequestingHalf requester;
    private final RespondingHalf responder;

    // Written with the locks of both halves held, or by the half that fails: any reader sees a whole value.
    private volatile QueuePairState state = QueuePairState.RESET;

    /** Replaced, never changed; written with the locks of both halves held. */
    private volatile QueuePairSettings settings = new QueuePairSettings();

    /** The responder went into error and the send queue has not been flushed since. */
    private volatile boolean settling;

    private volatile Gid sourceGid = Gid.ZERO;

    /** Whether the destination is an address of this device. */
    private volatile boolean local;

    HcaQueuePair(Hca hca, int number, QueuePairRequest request) {
        this.hca = hca;
        this.number = number;
        this.request = request;
        QueueBuilder queues = new QueueBuilder(hca, request);
        SendQueue sends = queues.sendQueue();
        SendCompletions completions = new SendCompletions(this, sends, request.sendCompletions(), request.signalAll());
        MemoryRegions regions = hca.regions();
        ReceiveSource receives = queues.receives();
        this.requester = switch (request.type()) {
            case RC -> new Requester(this, regions, sends, completions, queues.sendSges());
            case UC -> new UnreliableRequester(this, regions, sends, completions, queues.sendSges());
            case UD -> new DatagramRequester(this, regions, sends, completions, queues.sendSges());
        };
        this.responder = switch (request.type()) {
            case RC -> new Responder(this, regions, receives, queues.receiveSges());
            case UC -> new UnreliableResponder(this, regions, receives, queues.receiveSges());
            case UD -> new DatagramResponder(this, regions, receives, queues.receiveSges());
        };
        request.sendCompletions().attach(requester.lock);
        request.receiveCompletions().attach(responder.lock);
    }

    /** The queue pair's number, 24 bits. */
    public int number() {
        return number;
    }

    /** The number that the program chose for it, which some formats of completions carry. */
    int userIndex() {
        return request.userIndex();
    }

    /** Its transport service. */
    public QueuePairType type() {
        return request.type();
    }

    /** The present state. */
    public QueuePairState state() {
        return state;
    }

    /**
     * Changes attributes and state, as MODIFY_QP asks.
     *
     * @param changes the values
     * @param mask which of them count: {@code QueuePairAttribute} bits
     * @return 0, or EINVAL if the transition or a value is refused; nothing has changed then
     */
    public int modify(QueuePairSettings changes, int mask) {
        int errno;
        HcaQueuePair peer;
        requester.lock.lock();
        try {
            responder.lock.lock();
            try {
                errno = new Modification(this, changes, mask).apply();
            } finally {
                responder.lock.unlock();
            }
            peer = errno == 0 ? requester.run() : null;
        } finally {
            requester.lock.unlock();
        }
        settleAll(peer);
        return errno;
    }

    /** The present attributes; a copy. */
    public QueuePairSettings query() {
        requester.lock.lock();
        try {
            QueuePairSettings copy = settings.copy();
            copy.state = state.code();
            copy.currentState = copy.state;
            copy.draining = isDraining() && requester.isBusy();
            return copy;
        } finally {
            requester.lock.unlock();
        }
    }

    /**
     * The doorbell: executes what the program has released into the send ring, in the caller's thread as far as
     * possible. In the error state it flushes both queues.
     *
     * @return 0, or EINVAL if the state is below RTS
     */
    public int ring() {
        switch (state) {
            case RESET, INIT, RTR -> {
                return Errno.EINVAL;
            }
            case RTS, SQD, SQE, ERROR -> {}
        }
        HcaQueuePair peer;
        requester.lock.lock();
        try {
            peer = requester.run();
        } finally {
            requester.lock.unlock();
        }
        settleAll(peer);
        if (state == QueuePairState.ERROR) {
            flushReceives();
        }
        return 0;
    }

    /** In the error state no message comes that would make the responder look at what was posted since. */
    private void flushReceives() {
        responder.lock.lock();
        try {
            if (state == QueuePairState.ERROR) {
                responder.flush();
            }
        } finally {
            responder.lock.unlock();
        }
    }

    /**
     * Receives from now on what is sent to a multicast group. Attaching twice is attaching once.
     *
     * @return 0; EINVAL if this is not UD or that no group; ENOMEM for a group or a member too many
     */
    public int attach(Gid group) {
        return type() == QueuePairType.UD && group.isMulticast() ? hca.groups().attach(group, this) : Errno.EINVAL;
    }

    /** Receives no more of a multicast group. Answers 0, or EINVAL if it is not attached. */
    public int detach(Gid group) {
        return hca.groups().detach(group, this);
    }

    /** Whether it receives a multicast group. */
    public boolean isAttached() {
        return hca.groups().contains(this);
    }

    /**
     * Removes the queue pair without completions. When this returns, nothing of it is in use, and the consumer's indices
     * in its rings stand where the first work request lies that was not completed. Idempotent.
     */
    public void destroy() {
        boolean first = hca.remove(this);
        hca.groups().forget(this);
        requester.lock.lock();
        try {
            responder.lock.lock();
            try {
                state = QueuePairState.RESET;
                requester.abandon();
                responder.abandon();
            } finally {
                responder.lock.unlock();
            }
        } catch (RuntimeException broken) {
            // A link that cannot send what was held back must not keep the queue pair from going.
            LOG.log(System.Logger.Level.WARNING, "queue pair " + number + " goes, its link fails", broken);
        } finally {
            requester.lock.unlock();
        }
        if (first) {
            request.sendCompletions().detach();
            request.receiveCompletions().detach();
        }
    }

    Hca hca() {
        return hca;
    }

    HcaProtectionDomain domain() {
        return request.domain();
    }

    HcaCompletionQueue receiveCompletions() {
        return request.receiveCompletions();
    }

    QueuePairSettings settings() {
        return settings;
    }

    RequestingHalf requester() {
        return requester;
    }

    RespondingHalf responder() {
        return responder;
    }

    /** Where packets go, if that is a queue pair of this device; null if there is none with its number. */
    @Nullable
    HcaQueuePair peer() {
        return local ? hca.queuePair(settings.destinationQp) : null;
    }

    /** Changes when a queue pair of the device was destroyed: until then, a peer that was found is still there. */
    int peerGeneration() {
        return hca.queuePairGeneration();
    }

    /** Whether the destination is an address of this device, so that no packets are needed. */
    boolean isLocal() {
        return local;
    }

    /** What packets are built in; null where none are needed, or no link would take them. */
    @Nullable
    Transmitter newTransmitter() {
        PacketLink link = hca.link();
        return link == null || local ? null : link.newTransmitter();
    }

    /** Packets may come for this queue pair, which itself sends none in answer. */
    void listen() {
        PacketLink link = hca.link();
        if (link != null && !local) {
            link.listen();
        }
    }

    /** Whether packets from one address to the other are for this queue pair: of its connection, or of anybody. */
    boolean listensTo(Gid source, Gid destination) {
        if (type() == QueuePairType.UD) {
            return destination.isMulticast() || hca.isLocal(destination);
        }
        return settings.destinationGid.equals(source) && sourceGid.equals(destination);
    }

    /**
     * Takes a packet off the link.
     *
     * @return whether {@link #resume} has something to do
     */
    boolean accept(PacketView packet, Gid source, Gid destination) {
        return Opcode.isResponse(packet.opcode()) ? answered(packet) : requested(packet, source, destination);
    }

    private boolean answered(PacketView packet) {
        HcaQueuePair peer;
        requester.lock.lock();
        try {
            peer = requester.answer(packet);
        } finally {
            requester.lock.unlock();
        }
        settleAll(peer);
        return false;
    }

    private boolean requested(PacketView packet, Gid source, Gid destination) {
        boolean held;
        responder.lock.lock();
        try {
            held = responder.acceptPacket(packet, source, destination);
        } finally {
            responder.unlock();
        }
        settle();
        return held;
    }

    /** Lets packets of the requester go, whose lock is held; what the responder holds back may go along. */
    void flush(Transmitter transmitter) {
        if (!responder.awaitsReply()) {
            transmitter.flush();
            return;
        }
        if (responder.repliesAlone()) {
            transmitter.flush();
        }
        responder.lock.lock();
        try {
            responder.reply(transmitter, hca.nowNs());
        } finally {
            responder.unlock();
        }
        transmitter.flush();
    }

    /**
     * Sends what the responder held back; whether it still holds something back.
     *
     * @param carrier what an acknowledgement may leave through, together with others; the caller flushes it
     * @param nowNs device time
     * @param patient whether an acknowledgement may wait for what the program sends
     */
    boolean resume(@Nullable Transmitter carrier, long nowNs, boolean patient) {
        boolean held;
        responder.lock.lock();
        try {
            held = responder.resume(carrier, nowNs, patient);
        } finally {
            responder.unlock();
        }
        settle();
        return held;
    }

    /**
     * Whether this queue pair is connected to that one, which lives in the same device. The answer stays the same until
     * the settings of one of them are replaced.
     */
    boolean isPeerOf(HcaQueuePair from) {
        QueuePairSettings own = settings;
        return type() == from.type()
                && own.destinationQp == from.number
                && own.destinationGid.equals(from.sourceGid)
                && from.settings.destinationGid.equals(sourceGid);
    }

    /** Whether new work requests may be started. */
    boolean sends() {
        return state == QueuePairState.RTS;
    }

    boolean isDraining() {
        return state == QueuePairState.SQD;
    }

    boolean isReceiving() {
        return switch (state) {
            case RTR, RTS, SQD, SQE -> true;
            case RESET, INIT, ERROR -> false;
        };
    }

    /** Takes over new attributes. With both locks. */
    void install(QueuePairSettings changed, Gid source) {
        settings = changed;
        sourceGid = source;
        local = hca.isLocal(changed.destinationGid);
    }

    Gid sourceGid() {
        return sourceGid;
    }

    /** The one place where the state changes. */
    void transition(QueuePairState next) {
        state = next;
    }

    /** A request arrived for the first time: of interest while the program has not gone on to RTS (COMM_EST). */
    void communicationEstablished() {
        if (state == QueuePairState.RTR) {
            hca.listener().queuePairEvent(this, AsyncEventType.COMM_EST);
        }
    }

    /** The send queue is drained. */
    void drained() {
        if (settings.notifyDrained) {
            hca.listener().queuePairEvent(this, AsyncEventType.SQ_DRAINED);
        }
    }

    /** The responder goes into error; its lock is held, so the send queue is flushed later, by {@link #settle}. */
    void failedByResponder(AsyncEventType event) {
        transition(QueuePairState.ERROR);
        settling = true;
        hca.listener().queuePairEvent(this, event);
    }

    /** The requester goes into error; its lock is held, and no responder's. */
    void failedByRequester() {
        transition(QueuePairState.ERROR);
        responder.lock.lock();
        try {
            responder.finish();
            responder.flush();
        } finally {
            responder.lock.unlock();
        }
    }

    /** Whether {@link #settle} has something to do. */
    boolean isUnsettled() {
        return settling;
    }

    /** A work request failed that only concerns the sender: its lock is held, and no responder's. */
    void failedSends() {
        responder.lock.lock();
        try {
            if (state == QueuePairState.RTS || state == QueuePairState.SQD) {
                transition(QueuePairState.SQE);
            }
        } finally {
            responder.lock.unlock();
        }
    }

    /** A completion of the requester did not fit; otherwise as {@link #failedByRequester}. */
    void overflowedByRequester() {
        hca.listener().queuePairEvent(this, AsyncEventType.QP_FATAL);
        failedByRequester();
    }

    /** Does what could not be done under the locks that were held then. No lock is held. */
    void settle() {
        if (settling) {
            requester.lock.lock();
            try {
                if (settling) {
                    settling = false;
                    if (state == QueuePairState.ERROR) {
                        requester.flush();
                    }
                }
            } finally {
                requester.lock.unlock();
            }
        }
    }

    /** A timer of the device has expired; perhaps this one's. */
    void expire(long nowNs) {
        HcaQueuePair peer = null;
        requester.lock.lock();
        try {
            if (requester.timer.deadlineNs() <= nowNs) {
                peer = requester.expire();
            }
        } finally {
            requester.lock.unlock();
        }
        settleAll(peer);
    }

    /** Returns after everybody who held one of the locks has let go of it. */
    void quiesce() {
        requester.lock.lock();
        requester.lock.unlock();
        responder.lock.lock();
        responder.lock.unlock();
    }

    private void settleAll(@Nullable HcaQueuePair peer) {
        HcaQueuePair failed = peer;
        while (failed != null) {
            failed.settle();
            requester.lock.lock();
            try {
                failed = requester.nextFailedPeer();
            } finally {
                requester.lock.unlock();
            }
        }
        settle();
    }
}
