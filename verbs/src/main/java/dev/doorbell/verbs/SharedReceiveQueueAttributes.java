package dev.doorbell.verbs;

/**
 * What a kernel says of a shared receive queue ({@code struct ibv_srq_attr}, ibv_query_srq(3)).
 *
 * <p>Thread rules: immutable.
 *
 * @param maxWorkRequests work requests that it holds: at least what was asked for
 * @param maxSge most scatter/gather elements of a work request: at least what was asked for
 * @param limit the limit that is armed; 0 if none is, or if it was reported
 */
public record SharedReceiveQueueAttributes(int maxWorkRequests, int maxSge, int limit) {}
