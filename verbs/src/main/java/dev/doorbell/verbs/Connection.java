package dev.doorbell.verbs;

import dev.doorbell.spec.Mtu;
import java.time.Duration;

/**
 * What two ends agreed on, with the values that are really in force.
 *
 * <p>Follows the attributes of ibv_modify_qp(3). On an unreliable connection, whose service has no retries, READs and
 * atomics, the values from {@code ackTimeout} to {@code maxDestReadAtomic} are zero.
 *
 * <p>Thread rules: immutable.
 *
 * @param local this end
 * @param remote the peer
 * @param mtu path MTU: the smallest of both ports' and the options'
 * @param ackTimeout time until a message that was not acknowledged is sent again; zero means never
 * @param retryCount how often it is sent again
 * @param rnrTimer time that the peer is asked to wait when no receive is posted here
 * @param rnrRetry how often a message is sent again when the peer has no receive posted; 7 has no end
 * @param maxReadAtomic READs and atomics that this end has outstanding at most
 * @param maxDestReadAtomic READs and atomics of the peer that this end takes at a time
 * @param gidReason why this GID was chosen
 */
public record Connection(
        Endpoint local,
        Endpoint remote,
        Mtu mtu,
        Duration ackTimeout,
        int retryCount,
        Duration rnrTimer,
        int rnrRetry,
        int maxReadAtomic,
        int maxDestReadAtomic,
        String gidReason) {}
