package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CmAccept;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmConnect;
import dev.doorbell.kernel.abi.CmConnectionParameters;
import dev.doorbell.kernel.abi.CmDisconnect;
import dev.doorbell.kernel.abi.CmListen;
import dev.doorbell.kernel.abi.CmNotify;
import dev.doorbell.kernel.abi.CmReject;
import dev.doorbell.soft.cm.CmEndpoint;
import dev.doorbell.soft.cm.CmState;
import dev.doorbell.soft.cm.SidrQuestion;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.RejectReason;
import dev.doorbell.wire.cm.CmRej;
import dev.doorbell.wire.cm.CmRep;
import dev.doorbell.wire.cm.CmRtu;
import dev.doorbell.wire.cm.CmSidrRep;
import dev.doorbell.wire.cm.PrivateData;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** CONNECT, LISTEN, ACCEPT, REJECT, DISCONNECT and NOTIFY. */
final class CmConnectionCommands {
    private static final int MOST_BACKLOG = 1024;

    private final RdmaCmFile file;

    private CmConnectionCommands(RdmaCmFile file) {
        this.file = file;
    }

    static void register(RdmaCmFile file) {
        CmConnectionCommands commands = new CmConnectionCommands(file);
        file.add(
                CmCommand.CONNECT,
                CmConnectionParameters.SIZE + Integer.BYTES,
                0,
                RdmaCmFile.about(file, in -> CmConnect.id(in, 0), commands::connect));
        file.add(
                CmCommand.LISTEN, CmListen.SIZE, 0, RdmaCmFile.about(file, in -> CmListen.id(in, 0), commands::listen));
        file.add(
                CmCommand.ACCEPT,
                Long.BYTES + CmConnectionParameters.SIZE + Integer.BYTES,
                0,
                RdmaCmFile.about(file, in -> CmAccept.id(in, 0), commands::accept));
        file.add(
                CmCommand.REJECT, CmReject.SIZE, 0, RdmaCmFile.about(file, in -> CmReject.id(in, 0), commands::reject));
        file.add(
                CmCommand.DISCONNECT,
                CmDisconnect.SIZE,
                0,
                RdmaCmFile.about(file, in -> CmDisconnect.id(in, 0), commands::disconnect));
        file.add(
                CmCommand.NOTIFY,
                CmNotify.SIZE,
                0,
                RdmaCmFile.about(file, in -> CmNotify.id(in, 0), CmConnectionCommands::notify));
    }

    private int connect(CmIdentifier id, Call call) {
        CmCall parameters = CmCall.read(call.in(), CmConnect.CONN_PARAM);
        CmPort port = id.port;
        if (!parameters.valid() || id.state != CmIdState.ROUTE_RESOLVED || port == null) {
            return Errno.EINVAL;
        }
        return id.isDatagram()
                ? parameters.ask(id, port, file.manager())
                : parameters.request(id, port, file.manager());
    }

    private int listen(CmIdentifier id, Call call) {
        RdmaCm manager = file.manager();
        if (id.state == CmIdState.IDLE) {
            int refusal = new CmResolution(manager).bind(id, CmAddress.ANY);
            if (refusal != 0) {
                return refusal;
            }
        }
        if (id.state != CmIdState.BOUND) {
            return Errno.EINVAL;
        }
        int refusal = manager.portNumbers().mayListen(id);
        if (refusal != 0) {
            return refusal;
        }
        if (id.port == null) {
            id.held = holdAll(manager);
        }
        int backlog = CmListen.backlog(call.in(), 0);
        id.backlog.set(backlog > 0 && backlog < MOST_BACKLOG ? backlog : MOST_BACKLOG);
        id.state = CmIdState.LISTENING;
        manager.listeners().add(id);
        return 0;
    }

    /** Whoever listens at all addresses keeps all devices attached that can be. */
    private static Set<CmPort> holdAll(RdmaCm manager) {
        Set<CmPort> held = new HashSet<>();
        for (CmPort port : manager.ports()) {
            if (port.hold()) {
                held.add(port);
            }
        }
        return held;
    }

    private int accept(CmIdentifier id, Call call) {
        CmCall parameters = CmCall.read(call.in(), CmAccept.CONN_PARAM);
        if (id.state != CmIdState.CONNECTING) {
            return Errno.EINVAL;
        }
        int refusal = parameters.valid() ? answer(id, parameters) : confirm(id);
        if (refusal == 0 && parameters.valid()) {
            id.uid = CmAccept.uid(call.in(), 0);
        }
        return refusal;
    }

    private int answer(CmIdentifier id, CmCall parameters) {
        SidrQuestion question = id.question;
        long now = file.manager().nowNs();
        if (question != null) {
            PrivateData data = parameters.data(CmSidrRep.PRIVATE_DATA);
            if (data == null) {
                return Errno.EINVAL;
            }
            int queueKey = parameters.queueKey() == 0 ? id.queueKey : parameters.queueKey();
            return question.answer(parameters.queuePairNumber(), queueKey, data, now) ? 0 : Errno.EINVAL;
        }
        PrivateData data = parameters.data(CmRep.PRIVATE_DATA);
        CmEndpoint endpoint = id.endpoint;
        boolean done = data != null && endpoint != null && endpoint.reply(parameters.queuePair(id.sequence), data, now);
        return done ? 0 : Errno.EINVAL;
    }

    /** The active side confirms. */
    private static int confirm(CmIdentifier id) {
        CmEndpoint endpoint = id.endpoint;
        return endpoint != null && endpoint.ready(PrivateData.zero(CmRtu.PRIVATE_DATA)) ? 0 : Errno.EINVAL;
    }

    private int reject(CmIdentifier id, Call call) {
        int code = CmReject.reason(call.in(), 0);
        RejectReason reason = code == 0 ? RejectReason.CONSUMER_DEFINED : RejectReason.of(code);
        if (reason != RejectReason.CONSUMER_DEFINED && reason != RejectReason.VENDOR_OPTION_NOT_SUPPORTED) {
            return Errno.EINVAL;
        }
        SidrQuestion question = id.question;
        CmEndpoint endpoint = id.endpoint;
        PrivateData data = rejectData(call.in(), question == null ? CmRej.PRIVATE_DATA : CmSidrRep.PRIVATE_DATA);
        if (data == null) {
            return Errno.EINVAL;
        }
        boolean done = question != null
                ? question.reject(data, file.manager().nowNs())
                : endpoint != null && endpoint.reject(reason, data);
        return done ? 0 : Errno.EINVAL;
    }

    private static @Nullable PrivateData rejectData(MemorySegment in, int capacity) {
        byte[] data = CmCall.data(in, CmReject.PRIVATE_DATA, CmReject.privateDataLen(in, 0), capacity);
        return data == null ? null : PrivateData.of(data, capacity);
    }

    private int disconnect(CmIdentifier id, Call call) {
        CmEndpoint endpoint = id.endpoint;
        if (endpoint == null) {
            return id.state == CmIdState.DISCONNECTED ? 0 : Errno.EINVAL;
        }
        // As on Linux: nobody is told that there was nothing to end any more.
        endpoint.disconnect(file.manager().nowNs());
        return 0;
    }

    private static int notify(CmIdentifier id, Call call) {
        CmEndpoint endpoint = id.endpoint;
        if (endpoint == null || CmNotify.event(call.in(), 0) != AsyncEventType.COMM_EST.code()) {
            return Errno.EINVAL;
        }
        if (endpoint.state() == CmState.ESTABLISHED) {
            return Errno.EISCONN;
        }
        return endpoint.establish() ? 0 : Errno.EINVAL;
    }
}
