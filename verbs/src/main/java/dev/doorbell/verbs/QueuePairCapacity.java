package dev.doorbell.verbs;

/**
 * Sizes of a queue pair ({@code struct ibv_qp_cap}).
 *
 * <p>Thread rules: immutable.
 *
 * @param maxSendRequests work requests that the send queue holds
 * @param maxReceiveRequests work requests that the receive queue holds; 0 with a shared receive queue
 * @param maxSendSge most scatter/gather elements of a send work request
 * @param maxReceiveSge most scatter/gather elements of a receive work request
 * @param maxInline most inline bytes of a send work request
 */
public record QueuePairCapacity(
        int maxSendRequests, int maxReceiveRequests, int maxSendSge, int maxReceiveSge, int maxInline) {}
