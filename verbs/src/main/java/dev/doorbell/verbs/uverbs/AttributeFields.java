package dev.doorbell.verbs.uverbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.ModifyQp;
import dev.doorbell.kernel.abi.QpDestination;
import dev.doorbell.kernel.abi.QueryQpResponse;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.Rate;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;

/** Attributes of a queue pair as MODIFY_QP carries them and QUERY_QP answers them. */
public final class AttributeFields {
    private AttributeFields() {}

    /** Writes the mask, and the fields that are in it; the rest stays 0. */
    public static void write(MemorySegment in, QueuePairAttributes attributes) {
        ModifyQp.setAttrMask(in, 0, QueuePairAttribute.mask(attributes.mask()));
        for (QueuePairAttribute attribute : attributes.mask()) {
            write(in, attributes, attribute);
        }
    }

    private static void write(MemorySegment in, QueuePairAttributes attributes, QueuePairAttribute attribute) {
        switch (attribute) {
            case STATE -> ModifyQp.setQpState(in, 0, attributes.state().code());
            case CURRENT_STATE ->
                ModifyQp.setCurQpState(in, 0, attributes.currentState().code());
            case SQD_ASYNC_NOTIFY -> ModifyQp.setEnSqdAsyncNotify(in, 0, attributes.sqdAsyncNotify() ? 1 : 0);
            case ACCESS_FLAGS -> ModifyQp.setQpAccessFlags(in, 0, attributes.access());
            case PKEY_INDEX -> ModifyQp.setPkeyIndex(in, 0, attributes.pkeyIndex());
            case PORT -> ModifyQp.setPortNum(in, 0, attributes.port());
            case QKEY -> ModifyQp.setQkey(in, 0, attributes.qkey());
            case ADDRESS_VECTOR -> writeAddress(in, ModifyQp.DEST, attributes.address());
            case PATH_MTU -> ModifyQp.setPathMtu(in, 0, attributes.pathMtu().code());
            case TIMEOUT -> ModifyQp.setTimeout(in, 0, attributes.timeout());
            case RETRY_COUNT -> ModifyQp.setRetryCnt(in, 0, attributes.retryCount());
            case RNR_RETRY -> ModifyQp.setRnrRetry(in, 0, attributes.rnrRetry());
            case RECEIVE_PSN -> ModifyQp.setRqPsn(in, 0, attributes.receivePsn());
            case MAX_READ_ATOMIC -> ModifyQp.setMaxRdAtomic(in, 0, attributes.maxReadAtomic());
            case MIN_RNR_TIMER -> ModifyQp.setMinRnrTimer(in, 0, attributes.minRnrTimer());
            case SEND_PSN -> ModifyQp.setSqPsn(in, 0, attributes.sendPsn());
            case MAX_DEST_READ_ATOMIC -> ModifyQp.setMaxDestRdAtomic(in, 0, attributes.maxDestReadAtomic());
            case DESTINATION_QP -> ModifyQp.setDestQpNum(in, 0, attributes.destinationQueuePair());
            case ALTERNATE_PATH, PATH_MIGRATION_STATE, CAPACITY, RATE_LIMIT ->
                // No value for these can be set in attributes.
                throw new VerbsFault(Errno.EOPNOTSUPP, "MODIFY_QP of " + attribute);
        }
    }

    private static void writeAddress(MemorySegment in, long at, AddressVector address) {
        QpDestination.setDgid(in, at, address.destination());
        QpDestination.setFlowLabel(in, at, address.flowLabel());
        QpDestination.setDlid(in, at, address.destinationLid());
        QpDestination.setSgidIndex(in, at, address.sourceGidIndex());
        QpDestination.setHopLimit(in, at, address.hopLimit());
        QpDestination.setTrafficClass(in, at, address.trafficClass());
        QpDestination.setSl(in, at, address.serviceLevel());
        QpDestination.setIsGlobal(in, at, address.isGlobal() ? 1 : 0);
        QpDestination.setPortNum(in, at, address.port());
        QpDestination.setSrcPathBits(in, at, address.sourcePathBits());
        QpDestination.setStaticRate(in, at, address.rate().code());
    }

    /** All that QUERY_QP answers; EIO for a state that there is not. */
    public static QueuePairAttributes read(MemorySegment out) {
        QueuePairAttributes.Builder attributes = QueuePairAttributes.builder()
                .state(state(QueryQpResponse.qpState(out, 0)))
                .currentState(state(QueryQpResponse.curQpState(out, 0)))
                .access(QueryQpResponse.qpAccessFlags(out, 0))
                .pkeyIndex(QueryQpResponse.pkeyIndex(out, 0))
                .port(QueryQpResponse.portNum(out, 0))
                .qkey(QueryQpResponse.qkey(out, 0))
                .address(readAddress(out, QueryQpResponse.DEST))
                .timeout(QueryQpResponse.timeout(out, 0))
                .retryCount(QueryQpResponse.retryCnt(out, 0))
                .rnrRetry(QueryQpResponse.rnrRetry(out, 0))
                .receivePsn(QueryQpResponse.rqPsn(out, 0))
                .sendPsn(QueryQpResponse.sqPsn(out, 0))
                .maxReadAtomic(QueryQpResponse.maxRdAtomic(out, 0))
                .maxDestReadAtomic(QueryQpResponse.maxDestRdAtomic(out, 0))
                .minRnrTimer(QueryQpResponse.minRnrTimer(out, 0))
                .destinationQueuePair(QueryQpResponse.destQpNum(out, 0))
                .sqDraining(QueryQpResponse.sqDraining(out, 0) != 0);
        int mtu = QueryQpResponse.pathMtu(out, 0);
        if (mtu != 0) {
            attributes.pathMtu(mtu(mtu));
        }
        return attributes.build();
    }

    private static AddressVector readAddress(MemorySegment out, long at) {
        return new AddressVector(
                QpDestination.dgid(out, at),
                QpDestination.sgidIndex(out, at),
                QpDestination.flowLabel(out, at),
                QpDestination.hopLimit(out, at),
                QpDestination.trafficClass(out, at),
                QpDestination.portNum(out, at),
                QpDestination.sl(out, at),
                QpDestination.dlid(out, at),
                QpDestination.isGlobal(out, at) != 0,
                QpDestination.srcPathBits(out, at),
                Rate.of(QpDestination.staticRate(out, at)));
    }

    private static QueuePairState state(int code) {
        if (code > QueuePairState.ERROR.code()) {
            throw new VerbsFault(Errno.EIO, "QUERY_QP: state " + code);
        }
        return QueuePairState.of(code);
    }

    private static Mtu mtu(int code) {
        if (code > Mtu.MTU_4096.code()) {
            throw new VerbsFault(Errno.EIO, "QUERY_QP: path MTU code " + code);
        }
        return Mtu.of(code);
    }
}
