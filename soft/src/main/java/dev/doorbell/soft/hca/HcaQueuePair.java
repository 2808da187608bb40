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
    private final Hca hca;
    private final int number;
    private final QueuePairRequest request;
    private final Requester requester;
    private final Responder responder;

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
        QueueBuilder queues = new QueueBuilder(hca.limits(), request);
        SendQueue sends = queues.sendQueue();
        SendCompletions completions = new SendCompletions(this, sends, request.sendCompletions(), request.signalAll());
        this.requester = new Requester(this, hca.regions(), sends, completions, queues.sendSges());
        this.responder = new Responder(this, hca.regions(), queues.receives(), queues.receiveSges());
        request.sendCompletions().attach(requester.lock);
        request.receiveCompletions().attach(responder.lock);
    }

    /** The queue pair's number, 24 bits. */
    public int number() {
        return number;
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
     * Removes the queue pair without completions. When this returns, nothing of it is in use, and the consumer's indices
     * in its rings stand where the first work request lies that was not completed. Idempotent.
     */
    public void destroy() {
        boolean first = hca.remove(this);
        requester.lock.lock();
        responder.lock.lock();
        state = QueuePairState.RESET;
        requester.abandon();
        responder.abandon();
        responder.lock.unlock();
        requester.lock.unlock();
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

    Requester requester() {
        return requester;
    }

    Responder responder() {
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

    /** What packets are built in; null where none are needed, or no link would take them. */
    @Nullable
    Transmitter newTransmitter() {
        PacketLink link = hca.link();
        return link == null || local ? null : link.newTransmitter();
    }

    /** Whether packets from one address to the other belong to this connection. */
    boolean isConnectedTo(Gid source, Gid destination) {
        return settings.destinationGid.equals(source) && sourceGid.equals(destination);
    }

    /**
     * Takes a packet off the link.
     *
     * @return whether {@link #resume} has something to do
     */
    boolean accept(PacketView packet) {
        return Opcode.isResponse(packet.opcode()) ? answered(packet) : requested(packet);
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

    private boolean requested(PacketView packet) {
        boolean held = false;
        responder.lock.lock();
        try {
            PacketResponder packets = responder.packets();
            if (packets == null) {
                responder.counters.add(Counter.DROPPED_QP_STATE);
            } else {
                held = packets.accept(packet);
            }
        } finally {
            responder.lock.unlock();
        }
        settle();
        return held;
    }

    /** Sends what the responder held back; whether it still holds something back. */
    boolean resume() {
        boolean held;
        responder.lock.lock();
        try {
            PacketResponder packets = responder.packets();
            held = packets != null && packets.resume();
        } finally {
            responder.lock.unlock();
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
        responder.flush();
        responder.lock.unlock();
    }

    /** Does what could not be done under the locks that were held then. No lock is held. */
    void settle() {
        if (settling) {
            requester.lock.lock();
            if (settling) {
                settling = false;
                if (state == QueuePairState.ERROR) {
                    requester.flush();
                }
            }
            requester.lock.unlock();
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
        if (peer != null) {
            peer.settle();
        }
        settle();
    }
}
