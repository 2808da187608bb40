package dev.doorbell.soft.hca;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AckTimeout;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.Psn;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairTransitions;
import dev.doorbell.spec.RnrTimer;
import java.util.List;

/**
 * One MODIFY_QP: checked as a whole, then carried out as a whole. The locks of both halves are held.
 */
final class Modification {
    private static final int MAX_RETRIES = 7;
    private static final int MAX_QPN = (1 << 24) - 1;
    private static final int PORT = 1;

    private final HcaQueuePair queuePair;
    private final QueuePairSettings changes;
    private final int mask;
    private final HcaLimits limits;
    private final List<Gid> gids;

    Modification(HcaQueuePair queuePair, QueuePairSettings changes, int mask) {
        this.queuePair = queuePair;
        this.changes = changes;
        this.mask = mask;
        this.limits = queuePair.hca().limits();
        this.gids = queuePair.hca().gids();
    }

    /** Carries it out. Answers 0 or EINVAL. */
    int apply() {
        QueuePairState from = queuePair.state();
        if (has(QueuePairAttribute.CURRENT_STATE) && changes.currentState != from.code()) {
            return Errno.EINVAL;
        }
        QueuePairState to = from;
        if (has(QueuePairAttribute.STATE)) {
            if (changes.state < 0 || changes.state > QueuePairState.ERROR.code()) {
                return Errno.EINVAL;
            }
            to = QueuePairState.of(changes.state);
        }
        boolean busy = from == QueuePairState.SQD && queuePair.requester().isBusy();
        boolean ends = to == QueuePairState.ERROR || to == QueuePairState.RESET;
        if ((busy && !ends)
                || !QueuePairTransitions.check(queuePair.type(), from, to, mask).isAllowed()
                || !isValid()) {
            return Errno.EINVAL;
        }
        carryOut(from, to);
        return 0;
    }

    private void carryOut(QueuePairState from, QueuePairState to) {
        if (to == QueuePairState.RESET) {
            queuePair.transition(to);
            queuePair.requester().reset();
            queuePair.responder().reset();
            queuePair.install(new QueuePairSettings(), Gid.ZERO);
            return;
        }
        QueuePairSettings next = queuePair.settings().copy();
        merge(next);
        Gid source = has(QueuePairAttribute.ADDRESS_VECTOR) ? gids.get(next.sourceGidIndex) : queuePair.sourceGid();
        boolean before = queuePair.isLocal();
        queuePair.install(next, source);
        if (from == QueuePairState.SQD && to == QueuePairState.SQD && queuePair.isLocal() != before) {
            queuePair.responder().reroute();
            queuePair.requester().reroute();
        }
        if (from == QueuePairState.INIT && to == QueuePairState.RTR) {
            queuePair.responder().start(next);
        } else {
            queuePair.responder().configure(next);
        }
        if (from == QueuePairState.RTR && to == QueuePairState.RTS) {
            queuePair.requester().start(next);
        } else {
            queuePair.requester().configure(next);
        }
        queuePair.transition(to);
        if (to == QueuePairState.ERROR) {
            queuePair.responder().finish();
            queuePair.responder().flush();
        }
    }

    private boolean isValid() {
        return isConnectionValid() && isReliabilityValid();
    }

    private boolean isConnectionValid() {
        return (!has(QueuePairAttribute.PORT) || changes.port == PORT)
                && (!has(QueuePairAttribute.PKEY_INDEX) || changes.pkeyIndex == 0)
                && (!has(QueuePairAttribute.ADDRESS_VECTOR) || isAddressValid())
                && (!has(QueuePairAttribute.DESTINATION_QP) || inRange(changes.destinationQp, MAX_QPN))
                && (!has(QueuePairAttribute.PATH_MTU)
                        || (changes.pathMtu >= Mtu.MTU_256.code()
                                && changes.pathMtu
                                        <= queuePair.hca().activeMtu().code()))
                && !has(QueuePairAttribute.ALTERNATE_PATH)
                && !has(QueuePairAttribute.PATH_MIGRATION_STATE)
                && !has(QueuePairAttribute.CAPACITY);
    }

    private boolean isAddressValid() {
        return changes.sourceGidIndex >= 0
                && changes.sourceGidIndex < gids.size()
                && !gids.get(changes.sourceGidIndex).isZero()
                && !changes.destinationGid.isZero();
    }

    private boolean isReliabilityValid() {
        return (!has(QueuePairAttribute.TIMEOUT) || inRange(changes.timeout, AckTimeout.MAX_CODE))
                && (!has(QueuePairAttribute.RETRY_COUNT) || inRange(changes.retryCount, MAX_RETRIES))
                && (!has(QueuePairAttribute.RNR_RETRY) || inRange(changes.rnrRetry, MAX_RETRIES))
                && (!has(QueuePairAttribute.MIN_RNR_TIMER) || inRange(changes.minRnrTimer, RnrTimer.CODES - 1))
                && (!has(QueuePairAttribute.MAX_READ_ATOMIC) || inRange(changes.maxReadAtomic, limits.maxReadAtomic()))
                && (!has(QueuePairAttribute.MAX_DEST_READ_ATOMIC)
                        || inRange(changes.maxDestReadAtomic, limits.maxReadAtomic()));
    }

    private void merge(QueuePairSettings next) {
        next.accessFlags = has(QueuePairAttribute.ACCESS_FLAGS) ? changes.accessFlags : next.accessFlags;
        next.pkeyIndex = has(QueuePairAttribute.PKEY_INDEX) ? changes.pkeyIndex : next.pkeyIndex;
        next.port = has(QueuePairAttribute.PORT) ? changes.port : next.port;
        next.qkey = has(QueuePairAttribute.QKEY) ? changes.qkey : next.qkey;
        next.pathMtu = has(QueuePairAttribute.PATH_MTU) ? changes.pathMtu : next.pathMtu;
        next.timeout = has(QueuePairAttribute.TIMEOUT) ? changes.timeout : next.timeout;
        next.retryCount = has(QueuePairAttribute.RETRY_COUNT) ? changes.retryCount : next.retryCount;
        next.rnrRetry = has(QueuePairAttribute.RNR_RETRY) ? changes.rnrRetry : next.rnrRetry;
        next.minRnrTimer = has(QueuePairAttribute.MIN_RNR_TIMER) ? changes.minRnrTimer : next.minRnrTimer;
        next.receivePsn = has(QueuePairAttribute.RECEIVE_PSN) ? changes.receivePsn & Psn.MASK : next.receivePsn;
        next.sendPsn = has(QueuePairAttribute.SEND_PSN) ? changes.sendPsn & Psn.MASK : next.sendPsn;
        next.destinationQp = has(QueuePairAttribute.DESTINATION_QP) ? changes.destinationQp : next.destinationQp;
        next.notifyDrained = has(QueuePairAttribute.SQD_ASYNC_NOTIFY) && changes.notifyDrained;
        if (has(QueuePairAttribute.MAX_READ_ATOMIC)) {
            next.initiatorDepth = changes.maxReadAtomic;
            next.maxReadAtomic = roundUp(changes.maxReadAtomic);
        }
        if (has(QueuePairAttribute.MAX_DEST_READ_ATOMIC)) {
            next.maxDestReadAtomic = roundUp(changes.maxDestReadAtomic);
        }
        if (has(QueuePairAttribute.ADDRESS_VECTOR)) {
            mergeAddress(next);
        }
    }

    private void mergeAddress(QueuePairSettings next) {
        next.destinationGid = changes.destinationGid;
        next.sourceGidIndex = changes.sourceGidIndex;
        next.flowLabel = changes.flowLabel;
        next.hopLimit = changes.hopLimit;
        next.trafficClass = changes.trafficClass;
        next.serviceLevel = changes.serviceLevel;
    }

    /** As rxe does: to the next power of two. */
    private static int roundUp(int value) {
        return value <= 1 ? value : Integer.highestOneBit(value - 1) << 1;
    }

    private boolean has(QueuePairAttribute attribute) {
        return (mask & attribute.bit()) != 0;
    }

    private static boolean inRange(int value, int max) {
        return value >= 0 && value <= max;
    }
}
