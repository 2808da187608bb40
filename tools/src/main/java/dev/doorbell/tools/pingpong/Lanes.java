package dev.doorbell.tools.pingpong;

import dev.doorbell.verbs.Endpoint;
import dev.doorbell.verbs.GidChoice;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SendBatch;
import java.util.List;

/** The queue pairs that a ping-pong plays on. What differs between the transport services is in here and nowhere else. */
interface Lanes extends AutoCloseable {
    /** Identifier of receives. */
    long RECEIVE = 1;

    /** Identifier of sends. */
    long SEND = 2;

    /** What the peer has to know, a queue pair each. */
    List<PortAddress> local();

    /** The GID that they use, and why. */
    GidChoice gid();

    /** Gets ready to receive and to send. Called once. */
    void connect(List<PortAddress> remote);

    /** Posts this many receives, with {@link #RECEIVE}. */
    void postReceives(int count);

    /** Posts a signaled send, with {@link #SEND}. */
    void postSend(int lane);

    /** Which of them has this number; -1 if none has. */
    int laneOf(int queuePairNumber);

    /** Idempotent. */
    @Override
    void close();

    /** Creates them, ready for receives to be posted. What was created before a failure is closed with the context. */
    static Lanes open(Setup setup) {
        return switch (setup.settings().service()) {
            case RC, UC -> new ConnectedLanes(setup, builder -> builder);
            case SRQ -> new SharedLanes(setup);
            case UD -> new DatagramLanes(setup);
        };
    }

    /** What all services ask of a queue pair. */
    static QueuePair.Builder describe(Setup setup) {
        Settings settings = setup.settings();
        QueuePair.Builder builder = setup.domain()
                .queuePair(setup.completions())
                .type(settings.service().type())
                .depth(1, settings.receiveDepth())
                .port(settings.port())
                .readAtomicDepth(1);
        return settings.gidIndex() < 0 ? builder : builder.gidIndex(settings.gidIndex());
    }

    /** What the peer has to know of a queue pair. */
    static PortAddress addressOf(QueuePair queuePair) {
        Endpoint endpoint = queuePair.endpoint();
        return new PortAddress(endpoint.lid(), endpoint.queuePairNumber(), endpoint.psn(), endpoint.gid());
    }

    /** Posts receives of the whole inbox. */
    static void receives(ReceiveBatch batch, int count, Ball ball) {
        for (int i = 0; i < count; i++) {
            batch.receive(RECEIVE).sge(ball.inbox());
        }
        batch.submit();
    }

    /** Puts the message into a work request: inline where it fits, as the C programs do. */
    static void message(SendBatch request, QueuePair queuePair, Ball ball) {
        int size = (int) ball.outbox().length();
        if (size <= queuePair.capacity().maxInline()) {
            request.inline(ball.message(), 0, size);
        } else {
            request.sge(ball.outbox());
        }
        request.signaled();
    }
}
