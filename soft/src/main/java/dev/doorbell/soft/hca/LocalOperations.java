package dev.doorbell.soft.hca;

import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/**
 * Work requests that change this device and say nothing to the peer: BIND MW and LOCAL INV (rule 3.14). They are carried
 * out when everything before them is complete, and before anything after them begins. Belongs to the requester and its
 * lock.
 */
final class LocalOperations {
    private final HcaQueuePair queuePair;
    private final MemoryRegions regions;
    private final MemoryWindows windows;

    LocalOperations(HcaQueuePair queuePair, MemoryRegions regions, MemoryWindows windows) {
        this.queuePair = queuePair;
        this.regions = regions;
        this.windows = windows;
    }

    /** Carries one out; how it ends. */
    WorkCompletionStatus execute(WorkRequest work) {
        if (work.operation == Operation.BIND) {
            return bind(work);
        }
        // A region that a program registered cannot be invalidated: it has no key but the one it was registered with.
        HcaMemoryWindow window = MemoryWindows.owns(work.invalidateKey) ? windows.find(work.invalidateKey) : null;
        boolean done = window != null
                && queuePair.type() == QueuePairType.RC
                && window.invalidate(work.invalidateKey, queuePair);
        return done ? WorkCompletionStatus.SUCCESS : WorkCompletionStatus.LOC_QP_OP_ERR;
    }

    private WorkCompletionStatus bind(WorkRequest work) {
        if (queuePair.type() != QueuePairType.RC && queuePair.type() != QueuePairType.UC) {
            return WorkCompletionStatus.LOC_QP_OP_ERR;
        }
        HcaMemoryWindow window = MemoryWindows.owns(work.remoteKey) ? windows.find(work.remoteKey) : null;
        HcaMemoryRegion under = regionUnder(work);
        if (window == null || (under == null && work.bindLength != 0)) {
            return WorkCompletionStatus.MW_BIND_ERR;
        }
        return window.bind(work, queuePair, under) ? WorkCompletionStatus.SUCCESS : WorkCompletionStatus.MW_BIND_ERR;
    }

    private @Nullable HcaMemoryRegion regionUnder(WorkRequest work) {
        return work.bindLength == 0 ? null : regions.find(work.bindRegionKey, queuePair.domain());
    }
}
