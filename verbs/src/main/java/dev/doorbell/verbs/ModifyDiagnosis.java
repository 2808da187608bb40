package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairTransition;
import dev.doorbell.spec.QueuePairTransitions;

/** Why a kernel may have refused to modify a queue pair. It is asked afterwards: the kernel is the judge. */
final class ModifyDiagnosis {
    private ModifyDiagnosis() {}

    static VerbsException explain(RuntimeException fault, QueuePair queuePair, QueuePairAttributes attributes) {
        Refusal refusal = Refusal.of(fault, "MODIFY_QP", queuePair.toString());
        return switch (refusal.errno) {
            case Errno.EINVAL -> invalid(refusal, queuePair, attributes).exception();
            case Errno.ETIMEDOUT, Errno.ENETUNREACH, Errno.EADDRNOTAVAIL ->
                refusal.rule("the peer's address " + attributes.address().destination()
                                + " cannot be resolved from GID index "
                                + attributes.address().sourceGidIndex())
                        .remedy("Check that both GIDs are of the same network, and try another gidIndex()")
                        .exception();
            default -> refusal.exception();
        };
    }

    private static Refusal invalid(Refusal refusal, QueuePair queuePair, QueuePairAttributes attributes) {
        QueuePairState from =
                attributes.has(QueuePairAttribute.CURRENT_STATE) ? attributes.currentState() : queuePair.state();
        QueuePairState to = attributes.has(QueuePairAttribute.STATE) ? attributes.state() : from;
        QueuePairTransition verdict =
                QueuePairTransitions.check(queuePair.type(), from, to, QueuePairAttribute.mask(attributes.mask()));
        if (!verdict.isAllowed()) {
            return refusal.rule(verdict.explain()).remedy("Set what is missing and leave out what is superfluous");
        }
        QueuePairState present = present(queuePair, from);
        if (present != from) {
            return refusal.rule("it is in " + present + ": the device has moved it there from " + from)
                    .remedy(
                            "Let a queue pair that failed come to ERROR before RESET: its completion may come before that");
        }
        return refusal.rule("the transition is right, so a value is not: " + values(attributes))
                .remedy("Check port, GID index, P_Key index, path MTU and depths against the port and the device");
    }

    private static QueuePairState present(QueuePair queuePair, QueuePairState known) {
        try {
            return queuePair.query().state();
        } catch (VerbsException e) {
            return known;
        }
    }

    private static String values(QueuePairAttributes attributes) {
        StringBuilder text = new StringBuilder();
        for (QueuePairAttribute attribute : attributes.mask()) {
            text.append(text.isEmpty() ? "" : ", ")
                    .append(attribute)
                    .append(' ')
                    .append(value(attributes, attribute));
        }
        return text.toString();
    }

    private static Object value(QueuePairAttributes attributes, QueuePairAttribute attribute) {
        return switch (attribute) {
            case STATE -> attributes.state();
            case CURRENT_STATE -> attributes.currentState();
            case SQD_ASYNC_NOTIFY -> attributes.sqdAsyncNotify();
            case ACCESS_FLAGS -> "0x" + Integer.toHexString(attributes.access());
            case PKEY_INDEX -> attributes.pkeyIndex();
            case PORT -> attributes.port();
            case QKEY -> "0x" + Integer.toHexString(attributes.qkey());
            case ADDRESS_VECTOR -> attributes.address();
            case PATH_MTU -> attributes.pathMtu();
            case TIMEOUT -> attributes.timeout();
            case RETRY_COUNT -> attributes.retryCount();
            case RNR_RETRY -> attributes.rnrRetry();
            case RECEIVE_PSN -> attributes.receivePsn();
            case MAX_READ_ATOMIC -> attributes.maxReadAtomic();
            case MIN_RNR_TIMER -> attributes.minRnrTimer();
            case SEND_PSN -> attributes.sendPsn();
            case MAX_DEST_READ_ATOMIC -> attributes.maxDestReadAtomic();
            case DESTINATION_QP -> "0x" + Integer.toHexString(attributes.destinationQueuePair());
            case ALTERNATE_PATH, PATH_MIGRATION_STATE, CAPACITY, RATE_LIMIT -> "set";
        };
    }
}
