package dev.doorbell.soft.hca;

import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkCompletionFlag;
import dev.doorbell.spec.WorkCompletionStatus;

/** Completes send work requests, in the order in which they were posted. Belongs to the requester and its lock. */
final class SendCompletions extends Padded {
    private static final int SIGNALED = SendFlag.SIGNALED.bit();
    private static final int WITH_IMM = WorkCompletionFlag.WITH_IMM.bit();

    private final HcaQueuePair queuePair;
    private final SendQueue queue;
    private final HcaCompletionQueue completions;
    private final boolean signalAll;
    private final Completion completion;

    SendCompletions(HcaQueuePair queuePair, SendQueue queue, HcaCompletionQueue completions, boolean signalAll) {
        this.queuePair = queuePair;
        this.queue = queue;
        this.completions = completions;
        this.signalAll = signalAll;
        this.completion = new Completion(queuePair.userIndex(), true);
    }

    /**
     * Completes the oldest work request with success; visibly, if it asked for that. Its element is the program's again
     * before the completion can be seen.
     *
     * @return false if the completion queue overflowed
     */
    boolean succeed(WorkRequest work) {
        queue.complete();
        if (!signalAll && (work.flags & SIGNALED) == 0) {
            return true;
        }
        completion.id = work.id;
        completion.status = WorkCompletionStatus.SUCCESS;
        completion.opcode = work.operation.completion();
        completion.bytes = work.length;
        completion.flags = work.hasImmediate ? WITH_IMM : 0;
        completion.queuePair = queuePair.number();
        return completions.post(completion);
    }

    /** Completes the oldest work request with an error, visibly in any case (rule 3.8). */
    void fail(long id, WorkCompletionStatus status) {
        queue.complete();
        completion.failed(id, status, queuePair.number());
        completions.post(completion);
    }
}
