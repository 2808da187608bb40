package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.ModifyQp;
import dev.doorbell.kernel.abi.QpDestination;
import dev.doorbell.kernel.abi.QueryQp;
import dev.doorbell.kernel.abi.QueryQpResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.soft.hca.QueuePairSettings;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import java.lang.foreign.MemorySegment;

/** MODIFY_QP and QUERY_QP. */
final class QueuePairAttributeCommands {
    /** Attributes of the write command; what lies above needs the extended one. */
    private static final int STANDARD = (1 << 21) - 1;

    private final SoftContext context;

    private QueuePairAttributeCommands(SoftContext context) {
        this.context = context;
    }

    static void register(CommandTable table, SoftContext context) {
        QueuePairAttributeCommands commands = new QueuePairAttributeCommands(context);
        table.add(UverbsCommand.MODIFY_QP, ModifyQp.SIZE, 0, context.whenStarted(commands::modify));
        table.add(UverbsCommand.QUERY_QP, QueryQp.SIZE, QueryQpResponse.SIZE, context.whenStarted(commands::query));
    }

    private int modify(Call call) {
        int handle = ModifyQp.qpHandle(call.in(), 0);
        QueuePair queuePair = context.objects().queuePairs.find(handle);
        int mask = ModifyQp.attrMask(call.in(), 0);
        if ((mask & ~STANDARD) != 0) {
            return Errno.EOPNOTSUPP;
        }
        if (queuePair == null) {
            return context.objects().queuePairs.refusal(handle);
        }
        QueuePairSettings settings = settings(call.in());
        int refusal = check(settings, mask);
        if (refusal == 0 && has(mask, QueuePairAttribute.ADDRESS_VECTOR)) {
            refusal = route(call.in(), settings).check(context.device());
        }
        return refusal != 0 ? refusal : queuePair.hca().modify(settings, mask);
    }

    private static boolean has(int mask, QueuePairAttribute attribute) {
        return (mask & attribute.bit()) != 0;
    }

    private static int check(QueuePairSettings settings, int mask) {
        boolean states = (!has(mask, QueuePairAttribute.STATE) || isState(settings.state))
                && (!has(mask, QueuePairAttribute.CURRENT_STATE) || isState(settings.currentState));
        boolean port = !has(mask, QueuePairAttribute.PORT) || settings.port == SoftDevice.PORT;
        boolean unsupported = has(mask, QueuePairAttribute.ALTERNATE_PATH)
                || has(mask, QueuePairAttribute.PATH_MIGRATION_STATE)
                || has(mask, QueuePairAttribute.CAPACITY);
        return states && port && !unsupported ? 0 : Errno.EINVAL;
    }

    private static boolean isState(int code) {
        return code <= QueuePairState.ERROR.code();
    }

    private static Route route(MemorySegment in, QueuePairSettings settings) {
        return new Route(
                QpDestination.portNum(in, ModifyQp.DEST),
                QpDestination.isGlobal(in, ModifyQp.DEST) != 0,
                settings.sourceGidIndex,
                settings.destinationGid);
    }

    private static QueuePairSettings settings(MemorySegment in) {
        QueuePairSettings settings = new QueuePairSettings();
        settings.state = ModifyQp.qpState(in, 0);
        settings.currentState = ModifyQp.curQpState(in, 0);
        settings.accessFlags = ModifyQp.qpAccessFlags(in, 0);
        settings.pkeyIndex = ModifyQp.pkeyIndex(in, 0);
        settings.port = ModifyQp.portNum(in, 0);
        settings.qkey = ModifyQp.qkey(in, 0);
        settings.pathMtu = ModifyQp.pathMtu(in, 0);
        settings.timeout = ModifyQp.timeout(in, 0);
        settings.retryCount = ModifyQp.retryCnt(in, 0);
        settings.rnrRetry = ModifyQp.rnrRetry(in, 0);
        settings.receivePsn = ModifyQp.rqPsn(in, 0);
        settings.sendPsn = ModifyQp.sqPsn(in, 0);
        settings.destinationQp = ModifyQp.destQpNum(in, 0);
        settings.maxReadAtomic = ModifyQp.maxRdAtomic(in, 0);
        settings.maxDestReadAtomic = ModifyQp.maxDestRdAtomic(in, 0);
        settings.minRnrTimer = ModifyQp.minRnrTimer(in, 0);
        settings.notifyDrained = ModifyQp.enSqdAsyncNotify(in, 0) != 0;
        settings.destinationGid = QpDestination.dgid(in, ModifyQp.DEST);
        settings.sourceGidIndex = QpDestination.sgidIndex(in, ModifyQp.DEST);
        settings.flowLabel = QpDestination.flowLabel(in, ModifyQp.DEST);
        settings.hopLimit = QpDestination.hopLimit(in, ModifyQp.DEST);
        settings.trafficClass = QpDestination.trafficClass(in, ModifyQp.DEST);
        settings.serviceLevel = QpDestination.sl(in, ModifyQp.DEST);
        return settings;
    }

    private int query(Call call) {
        int handle = QueryQp.qpHandle(call.in(), 0);
        QueuePair queuePair = context.objects().queuePairs.find(handle);
        if (queuePair == null) {
            return context.objects().queuePairs.refusal(handle);
        }
        MemorySegment out = call.out();
        out.asSlice(0, QueryQpResponse.SIZE).fill((byte) 0);
        answerSizes(out, queuePair);
        QueuePairSettings settings = queuePair.hca().query();
        answerSettings(out, settings);
        answerAddress(out, settings);
        return 0;
    }

    private static void answerSizes(MemorySegment out, QueuePair queuePair) {
        QueuePairSizes sizes = queuePair.sizes();
        QueryQpResponse.setMaxSendWr(out, 0, sizes.sendRequests());
        QueryQpResponse.setMaxRecvWr(out, 0, sizes.receiveRequests());
        QueryQpResponse.setMaxSendSge(out, 0, sizes.sendSge());
        QueryQpResponse.setMaxRecvSge(out, 0, sizes.receiveSge());
        QueryQpResponse.setMaxInlineData(out, 0, sizes.inlineBytes());
        QueryQpResponse.setSqSigAll(out, 0, queuePair.signalAll() ? 1 : 0);
    }

    private static void answerSettings(MemorySegment out, QueuePairSettings settings) {
        QueryQpResponse.setQpState(out, 0, settings.state);
        QueryQpResponse.setCurQpState(out, 0, settings.state);
        QueryQpResponse.setSqDraining(out, 0, settings.draining ? 1 : 0);
        QueryQpResponse.setQkey(out, 0, settings.qkey);
        QueryQpResponse.setRqPsn(out, 0, settings.receivePsn);
        QueryQpResponse.setSqPsn(out, 0, settings.sendPsn);
        QueryQpResponse.setDestQpNum(out, 0, settings.destinationQp);
        QueryQpResponse.setQpAccessFlags(out, 0, settings.accessFlags);
        QueryQpResponse.setPkeyIndex(out, 0, settings.pkeyIndex);
        // As rxe: the smallest MTU before one is set, and no port in RESET.
        QueryQpResponse.setPathMtu(out, 0, Math.max(settings.pathMtu, Mtu.MTU_256.code()));
        QueryQpResponse.setMaxRdAtomic(out, 0, settings.maxReadAtomic);
        QueryQpResponse.setMaxDestRdAtomic(out, 0, settings.maxDestReadAtomic);
        QueryQpResponse.setMinRnrTimer(out, 0, settings.minRnrTimer);
        QueryQpResponse.setPortNum(out, 0, settings.state == QueuePairState.RESET.code() ? 0 : settings.port);
        QueryQpResponse.setTimeout(out, 0, settings.timeout);
        QueryQpResponse.setRetryCnt(out, 0, settings.retryCount);
        QueryQpResponse.setRnrRetry(out, 0, settings.rnrRetry);
    }

    private static void answerAddress(MemorySegment out, QueuePairSettings settings) {
        int at = QueryQpResponse.DEST;
        QpDestination.setDgid(out, at, settings.destinationGid);
        QpDestination.setSgidIndex(out, at, settings.sourceGidIndex);
        QpDestination.setFlowLabel(out, at, settings.flowLabel);
        QpDestination.setHopLimit(out, at, settings.hopLimit);
        QpDestination.setTrafficClass(out, at, settings.trafficClass);
        QpDestination.setSl(out, at, settings.serviceLevel);
        QpDestination.setIsGlobal(out, at, settings.destinationGid.isZero() ? 0 : 1);
        QpDestination.setPortNum(out, at, settings.port);
    }
}
