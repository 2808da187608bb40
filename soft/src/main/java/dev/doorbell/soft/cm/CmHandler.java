package dev.doorbell.soft.cm;

import dev.doorbell.wire.cm.CmRej;
import dev.doorbell.wire.cm.CmRep;

/**
 * Gets to know what becomes of a connection. Called in the middle of the agent's work, after the endpoint has gone on to
 * its next state; may command the endpoint.
 */
public interface CmHandler {
    /** For endpoints that nobody cares about any more. */
    CmHandler NOBODY = new CmHandler() {};

    /** The other side accepted; {@link CmEndpoint#ready} is expected next. */
    default void onReply(CmRep reply) {}

    /** The other side is ready: the connection is established. Only where this side accepted. */
    default void onEstablished() {}

    /** The other side refused, or changed its mind. */
    default void onRejected(CmRej reject) {}

    /** The other side does not answer. */
    default void onUnreachable() {}

    /**
     * The connection has ended.
     *
     * @param timedOut whether the other side did not say so, but does not answer
     */
    default void onDisconnected(boolean timedOut) {}

    /** The time in which late messages may come is over. */
    default void onTimeWaitOver() {}
}
