package dev.doorbell.cm;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.AhAttributes;
import dev.doorbell.kernel.abi.CmQpAttributes;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.Rate;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Moves a queue pair through its states with what the kernel says (INIT_QP_ATTR), as librdmacm does.
 *
 * <p>The kernel knows what the peer may do only when both sides have said their depths, so a connected queue pair goes to
 * INIT a second time before it goes to RTR.
 */
final class QueuePairMoves {
    private final CmId id;
    private final QueuePair queuePair;

    QueuePairMoves(CmId id, QueuePair queuePair) {
        this.id = id;
        this.queuePair = queuePair;
    }

    /** Makes a fresh queue pair ready for receives; one for datagrams ready for everything. */
    void prepare() {
        queuePair.modify(id.queuePairAttributes(QueuePairState.INIT));
        if (queuePair.type() == QueuePairType.UD) {
            queuePair.modify(to(QueuePairState.RTR).build());
            queuePair.modify(to(QueuePairState.RTS).sendPsn(0).build());
        }
    }

    /**
     * Brings a connected queue pair up.
     *
     * @param responderResources READs and atomics to serve; {@link ConnectionParameters#AUTOMATIC} for what was agreed
     * @param initiatorDepth those to have outstanding, likewise
     */
    void bringUp(int responderResources, int initiatorDepth) {
        queuePair.modify(id.queuePairAttributes(QueuePairState.INIT));
        MemorySegment toReceive = id.queryAttributes(QueuePairState.RTR);
        if (responderResources != ConnectionParameters.AUTOMATIC) {
            CmQpAttributes.setMaxDestRdAtomic(toReceive, 0, responderResources);
        }
        queuePair.modify(decode(toReceive, QueuePairState.RTR));
        MemorySegment toSend = id.queryAttributes(QueuePairState.RTS);
        if (initiatorDepth != ConnectionParameters.AUTOMATIC) {
            CmQpAttributes.setMaxRdAtomic(toSend, 0, initiatorDepth);
        }
        queuePair.modify(decode(toSend, QueuePairState.RTS));
    }

    /** Lets what is outstanding flush, unless the program has closed the queue pair. */
    void failIfOpen() {
        try {
            if (queuePair.type() != QueuePairType.UD && queuePair.state() != QueuePairState.RESET) {
                queuePair.modify(to(QueuePairState.ERROR).build());
            }
        } catch (ClosedException e) {
            // Closed is as good.
        }
    }

    /** What is said when an identifier cannot use a queue pair. */
    static CmException unusable(
            String name, @Nullable QueuePair present, QueuePair candidate, QueuePairType type, Context here) {
        return new CmException(
                "use queue pair",
                name,
                Errno.EINVAL,
                present != null
                        ? "it has " + present + " already"
                        : candidate + " is of type " + candidate.type() + " in "
                                + candidate.protectionDomain().context(),
                "It takes one queue pair of type " + type + ", from a protection domain of " + here,
                null);
    }

    private static QueuePairAttributes.Builder to(QueuePairState state) {
        return QueuePairAttributes.builder().state(state);
    }

    /** What INIT_QP_ATTR answered. Bits of the mask without a meaning to a program are dropped: kernels before 4.9 set some. */
    static QueuePairAttributes decode(MemorySegment answer, QueuePairState state) {
        QueuePairAttributes.Builder attributes = to(state);
        for (QueuePairAttribute attribute : QueuePairAttribute.set(CmQpAttributes.qpAttrMask(answer, 0))) {
            put(attributes, attribute, answer);
        }
        return attributes.build();
    }

    private static void put(QueuePairAttributes.Builder to, QueuePairAttribute attribute, MemorySegment answer) {
        switch (attribute) {
            case ACCESS_FLAGS -> to.access(CmQpAttributes.qpAccessFlags(answer, 0));
            case PKEY_INDEX -> to.pkeyIndex(CmQpAttributes.pkeyIndex(answer, 0));
            case PORT -> to.port(CmQpAttributes.portNum(answer, 0));
            case QKEY -> to.qkey(CmQpAttributes.qkey(answer, 0));
            case ADDRESS_VECTOR -> to.address(address(answer, CmQpAttributes.AH_ATTR));
            case PATH_MTU -> to.pathMtu(Mtu.of(Math.clamp(CmQpAttributes.pathMtu(answer, 0), 1, 5)));
            case TIMEOUT -> to.timeout(CmQpAttributes.timeout(answer, 0));
            case RETRY_COUNT -> to.retryCount(CmQpAttributes.retryCnt(answer, 0));
            case RNR_RETRY -> to.rnrRetry(CmQpAttributes.rnrRetry(answer, 0));
            case RECEIVE_PSN -> to.receivePsn(CmQpAttributes.rqPsn(answer, 0));
            case MAX_READ_ATOMIC -> to.maxReadAtomic(CmQpAttributes.maxRdAtomic(answer, 0));
            case MIN_RNR_TIMER -> to.minRnrTimer(CmQpAttributes.minRnrTimer(answer, 0));
            case SEND_PSN -> to.sendPsn(CmQpAttributes.sqPsn(answer, 0));
            case MAX_DEST_READ_ATOMIC -> to.maxDestReadAtomic(CmQpAttributes.maxDestRdAtomic(answer, 0));
            case DESTINATION_QP -> to.destinationQueuePair(CmQpAttributes.destQpNum(answer, 0));
            // The state is known; the others are not part of a connection.
            case STATE,
                    CURRENT_STATE,
                    SQD_ASYNC_NOTIFY,
                    ALTERNATE_PATH,
                    PATH_MIGRATION_STATE,
                    CAPACITY,
                    RATE_LIMIT -> {}
        }
    }

    /** An address vector. */
    static AddressVector address(MemorySegment struct, long at) {
        return new AddressVector(
                AhAttributes.dgid(struct, at),
                AhAttributes.sgidIndex(struct, at),
                AhAttributes.flowLabel(struct, at),
                AhAttributes.hopLimit(struct, at),
                AhAttributes.trafficClass(struct, at),
                AhAttributes.portNum(struct, at),
                AhAttributes.sl(struct, at),
                AhAttributes.dlid(struct, at),
                AhAttributes.isGlobal(struct, at) != 0,
                AhAttributes.srcPathBits(struct, at),
                Rate.of(AhAttributes.staticRate(struct, at)));
    }
}
