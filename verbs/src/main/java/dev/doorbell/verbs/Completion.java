package dev.doorbell.verbs;

import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;

/**
 * A copy of a completion. On a failed one only the first four components say something.
 *
 * <p>Follows {@code struct ibv_wc} (ibv_poll_cq(3)), without the timestamp and the sender's path (LID, service level, P_Key
 * index): read those from the {@link WorkCompletion}.
 *
 * <p>Thread rules: immutable.
 *
 * @param id identifier of the work request
 * @param status how it ended
 * @param vendorError the device's own error number
 * @param queuePairNumber number of the queue pair
 * @param opcode what was done; UNKNOWN on a failed completion
 * @param byteLength bytes received, read or fetched
 * @param flags bits of {@link dev.doorbell.spec.WorkCompletionFlag}
 * @param immediate immediate data as a number in network order, or the invalidated rkey; 0 without
 * @param sourceQueuePair number of the queue pair that sent it, of a datagram that was received; 0 otherwise
 */
public record Completion(
        long id,
        WorkCompletionStatus status,
        int vendorError,
        int queuePairNumber,
        WorkCompletionOpcode opcode,
        long byteLength,
        int flags,
        int immediate,
        int sourceQueuePair) {
    /** Whether the work request succeeded. */
    public boolean isSuccess() {
        return status.isSuccess();
    }
}
