package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmInitQpAttr;
import dev.doorbell.kernel.abi.CmQpAttributes;
import dev.doorbell.soft.cm.CmEndpoint;
import dev.doorbell.soft.cm.CmParameters;
import dev.doorbell.soft.cm.CmState;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/** INIT_QP_ATTR: what a queue pair needs for its next state, as the connection has it. */
final class CmAttributeCommand {
    private CmAttributeCommand() {}

    static void register(RdmaCmFile file) {
        file.add(
                CmCommand.INIT_QP_ATTR,
                CmInitQpAttr.SIZE,
                CmQpAttributes.SIZE,
                RdmaCmFile.about(file, in -> CmInitQpAttr.id(in, 0), CmAttributeCommand::run));
    }

    private static int run(CmIdentifier id, Call call) {
        int code = CmInitQpAttr.qpState(call.in(), 0);
        if (code < 0 || code > QueuePairState.ERROR.code()) {
            return Errno.EINVAL;
        }
        MemorySegment out = MemorySegment.ofArray(new byte[CmQpAttributes.SIZE]);
        CmQpAttributes.setQpState(out, 0, code);
        CmEndpoint endpoint = id.endpoint;
        int refusal = endpoint == null || id.isDatagram()
                ? withoutConnection(id, code, out)
                : withConnection(id, endpoint, code, out);
        if (refusal == 0) {
            MemorySegment.copy(out, 0, call.out(), 0, CmQpAttributes.SIZE);
        }
        return refusal;
    }

    private static int withoutConnection(CmIdentifier id, int state, MemorySegment out) {
        if (id.port == null || state != QueuePairState.INIT.code()) {
            return Errno.EINVAL;
        }
        CmQpAttributes.setPortNum(out, 0, SoftDevice.PORT);
        Set<QueuePairAttribute> mask =
                EnumSet.of(QueuePairAttribute.STATE, QueuePairAttribute.PKEY_INDEX, QueuePairAttribute.PORT);
        if (id.isDatagram()) {
            CmQpAttributes.setQkey(out, 0, id.queueKey);
            mask.add(QueuePairAttribute.QKEY);
        } else {
            mask.add(QueuePairAttribute.ACCESS_FLAGS);
        }
        return mask(out, mask);
    }

    private static int mask(MemorySegment out, Set<QueuePairAttribute> mask) {
        CmQpAttributes.setQpAttrMask(out, 0, QueuePairAttribute.mask(mask));
        return 0;
    }

    private static int withConnection(CmIdentifier id, CmEndpoint endpoint, int state, MemorySegment out) {
        CmParameters agreed = endpoint.parameters();
        CmState at = endpoint.state();
        boolean known = at == CmState.REQ_RECEIVED || at.isConnected();
        if (state == QueuePairState.INIT.code()) {
            return known || at.isAsking() ? init(agreed, out) : Errno.EINVAL;
        }
        if (!known) {
            return Errno.EINVAL;
        }
        if (state == QueuePairState.RTR.code()) {
            return readyToReceive(id, agreed, out);
        }
        return state == QueuePairState.RTS.code() ? readyToSend(id, agreed, out) : Errno.EINVAL;
    }

    private static int init(CmParameters agreed, MemorySegment out) {
        int access = AccessFlag.REMOTE_WRITE.bit();
        if (agreed.responderResources() > 0) {
            access |= AccessFlag.REMOTE_READ.bit() | AccessFlag.REMOTE_ATOMIC.bit();
        }
        CmQpAttributes.setQpAccessFlags(out, 0, access);
        CmQpAttributes.setPortNum(out, 0, SoftDevice.PORT);
        return mask(
                out,
                EnumSet.of(
                        QueuePairAttribute.STATE,
                        QueuePairAttribute.ACCESS_FLAGS,
                        QueuePairAttribute.PKEY_INDEX,
                        QueuePairAttribute.PORT));
    }

    private static int readyToReceive(CmIdentifier id, CmParameters agreed, MemorySegment out) {
        Set<QueuePairAttribute> mask = EnumSet.of(
                QueuePairAttribute.STATE,
                QueuePairAttribute.ADDRESS_VECTOR,
                QueuePairAttribute.PATH_MTU,
                QueuePairAttribute.DESTINATION_QP,
                QueuePairAttribute.RECEIVE_PSN);
        CmPort port = id.port;
        int index = port == null ? -1 : port.gidIndex(agreed.path().localGid());
        if (index < 0) {
            return Errno.ENODEV;
        }
        new CmRoute(
                        agreed.path().localGid(),
                        index,
                        agreed.path().remoteGid(),
                        agreed.path().hopLimit(),
                        agreed.path().trafficClass(),
                        agreed.path().flowLabel())
                .write(out, CmQpAttributes.AH_ATTR);
        CmQpAttributes.setPathMtu(out, 0, agreed.pathMtu());
        CmQpAttributes.setDestQpNum(out, 0, agreed.remoteQpn());
        CmQpAttributes.setRqPsn(out, 0, id.sequence);
        if (id.type() == QueuePairType.RC) {
            CmQpAttributes.setMaxDestRdAtomic(out, 0, agreed.responderResources());
            mask.add(QueuePairAttribute.MAX_DEST_READ_ATOMIC);
            mask.add(QueuePairAttribute.MIN_RNR_TIMER);
        }
        return mask(out, mask);
    }

    private static int readyToSend(CmIdentifier id, CmParameters agreed, MemorySegment out) {
        Set<QueuePairAttribute> mask = EnumSet.of(QueuePairAttribute.STATE, QueuePairAttribute.SEND_PSN);
        CmQpAttributes.setSqPsn(out, 0, agreed.sendPsn());
        if (id.type() == QueuePairType.RC) {
            int timeout = id.hasAckTimeout ? id.packetLifeTime + 1 : agreed.ackTimeout();
            CmQpAttributes.setTimeout(out, 0, timeout);
            CmQpAttributes.setRetryCnt(out, 0, agreed.retryCount());
            CmQpAttributes.setRnrRetry(out, 0, agreed.rnrRetry());
            CmQpAttributes.setMaxRdAtomic(out, 0, agreed.initiatorDepth());
            mask.add(QueuePairAttribute.TIMEOUT);
            mask.add(QueuePairAttribute.RETRY_COUNT);
            mask.add(QueuePairAttribute.RNR_RETRY);
            mask.add(QueuePairAttribute.MAX_READ_ATOMIC);
        }
        return mask(out, mask);
    }
}
