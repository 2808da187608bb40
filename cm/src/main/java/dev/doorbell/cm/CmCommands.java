package dev.doorbell.cm;

import dev.doorbell.kernel.CmChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CmAccept;
import dev.doorbell.kernel.abi.CmBind;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmConnect;
import dev.doorbell.kernel.abi.CmCreateId;
import dev.doorbell.kernel.abi.CmCreateIdResponse;
import dev.doorbell.kernel.abi.CmDestroyId;
import dev.doorbell.kernel.abi.CmDestroyIdResponse;
import dev.doorbell.kernel.abi.CmDisconnect;
import dev.doorbell.kernel.abi.CmIds;
import dev.doorbell.kernel.abi.CmInitQpAttr;
import dev.doorbell.kernel.abi.CmJoinMcast;
import dev.doorbell.kernel.abi.CmListen;
import dev.doorbell.kernel.abi.CmMigrateId;
import dev.doorbell.kernel.abi.CmMigrateIdResponse;
import dev.doorbell.kernel.abi.CmNotify;
import dev.doorbell.kernel.abi.CmPathRecordData;
import dev.doorbell.kernel.abi.CmQpAttributes;
import dev.doorbell.kernel.abi.CmQuery;
import dev.doorbell.kernel.abi.CmQueryAddrResponse;
import dev.doorbell.kernel.abi.CmQueryPathResponse;
import dev.doorbell.kernel.abi.CmReject;
import dev.doorbell.kernel.abi.CmResolveAddr;
import dev.doorbell.kernel.abi.CmResolveRoute;
import dev.doorbell.kernel.abi.CmSetOption;
import dev.doorbell.kernel.abi.Sockaddr;
import dev.doorbell.spec.PortSpace;
import dev.doorbell.spec.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's commands as calls; identifiers are the kernel's numbers. A refusal is a {@link CmException}.
 *
 * <p>Thread rules: any thread.
 */
final class CmCommands {
    static final int PATHS = 2;

    private final CmChannel channel;
    private final String name;

    /** @param name of the channel, for messages */
    CmCommands(CmChannel channel, String name) {
        this.channel = channel;
        this.name = name;
    }

    int createId(long cookie, PortSpace space, QueuePairType type) {
        MemorySegment request = zeros(CmCreateId.SIZE);
        CmCreateId.setUid(request, 0, cookie);
        CmCreateId.setPs(request, 0, space.code());
        CmCreateId.setQpType(request, 0, type.code());
        MemorySegment answer = zeros(CmCreateIdResponse.SIZE);
        send(CmCommand.CREATE_ID, name, request, answer);
        return CmCreateIdResponse.id(answer, 0);
    }

    /** Events that were read of an identifier or a membership, which is gone now. */
    int destroy(CmCommand command, String object, int id) {
        MemorySegment request = zeros(CmDestroyId.SIZE);
        CmDestroyId.setId(request, 0, id);
        MemorySegment answer = zeros(CmDestroyIdResponse.SIZE);
        send(command, object, request, answer);
        return CmDestroyIdResponse.eventsReported(answer, 0);
    }

    void bind(CmId id, InetSocketAddress address) {
        MemorySegment request = zeros(CmBind.SIZE);
        CmBind.setId(request, 0, id.number());
        CmBind.setAddrSize(request, 0, put(request, CmBind.ADDR, address, CmCommand.BIND, id));
        send(CmCommand.BIND, id, request, MemorySegment.NULL);
    }

    void resolveAddress(CmId id, @Nullable InetSocketAddress from, InetSocketAddress to, int timeoutMs) {
        MemorySegment request = zeros(CmResolveAddr.SIZE);
        CmResolveAddr.setId(request, 0, id.number());
        CmResolveAddr.setTimeoutMs(request, 0, timeoutMs);
        if (from != null) {
            CmResolveAddr.setSrcSize(
                    request, 0, put(request, CmResolveAddr.SRC_ADDR, from, CmCommand.RESOLVE_ADDR, id));
        }
        CmResolveAddr.setDstSize(request, 0, put(request, CmResolveAddr.DST_ADDR, to, CmCommand.RESOLVE_ADDR, id));
        send(CmCommand.RESOLVE_ADDR, id + " to " + to, request, MemorySegment.NULL);
    }

    void resolveRoute(CmId id, int timeoutMs) {
        MemorySegment request = zeros(CmResolveRoute.SIZE);
        CmResolveRoute.setId(request, 0, id.number());
        CmResolveRoute.setTimeoutMs(request, 0, timeoutMs);
        send(CmCommand.RESOLVE_ROUTE, id, request, MemorySegment.NULL);
    }

    void connect(CmId id, ConnectionParameters parameters, boolean sharedReceives) {
        MemorySegment request = zeros(CmConnect.SIZE);
        parameters.write(request, CmConnect.CONN_PARAM, CmConnect.ECE, sharedReceives);
        CmConnect.setId(request, 0, id.number());
        send(CmCommand.CONNECT, id, request, MemorySegment.NULL);
    }

    void listen(CmId id, int backlog) {
        MemorySegment request = zeros(CmListen.SIZE);
        CmListen.setId(request, 0, id.number());
        CmListen.setBacklog(request, 0, backlog);
        send(CmCommand.LISTEN, id, request, MemorySegment.NULL);
    }

    void accept(CmId id, ConnectionParameters parameters, boolean sharedReceives) {
        MemorySegment request = zeros(CmAccept.SIZE);
        CmAccept.setUid(request, 0, id.cookie());
        parameters.write(request, CmAccept.CONN_PARAM, CmAccept.ECE, sharedReceives);
        CmAccept.setId(request, 0, id.number());
        send(CmCommand.ACCEPT, id, request, MemorySegment.NULL);
    }

    /** Confirms the peer's answer: the last step of the side that connects. */
    void confirm(CmId id) {
        MemorySegment request = zeros(CmAccept.SIZE);
        CmAccept.setUid(request, 0, id.cookie());
        CmAccept.setId(request, 0, id.number());
        send(CmCommand.ACCEPT, id, request, MemorySegment.NULL);
    }

    void reject(CmId id, int reason, byte[] privateData) {
        MemorySegment request = zeros(CmReject.SIZE);
        CmReject.setId(request, 0, id.number());
        CmReject.setReason(request, 0, reason);
        CmReject.setPrivateDataLen(request, 0, privateData.length);
        MemorySegment.copy(MemorySegment.ofArray(privateData), 0, request, CmReject.PRIVATE_DATA, privateData.length);
        send(CmCommand.REJECT, id, request, MemorySegment.NULL);
    }

    void disconnect(CmId id) {
        MemorySegment request = zeros(CmDisconnect.SIZE);
        CmDisconnect.setId(request, 0, id.number());
        send(CmCommand.DISCONNECT, id, request, MemorySegment.NULL);
    }

    /** {@link CmQpAttributes}. */
    MemorySegment initQueuePairAttributes(CmId id, int state) {
        MemorySegment request = zeros(CmInitQpAttr.SIZE);
        CmInitQpAttr.setId(request, 0, id.number());
        CmInitQpAttr.setQpState(request, 0, state);
        MemorySegment answer = zeros(CmQpAttributes.SIZE);
        send(CmCommand.INIT_QP_ATTR, id, request, answer);
        return answer;
    }

    /** {@link CmQueryAddrResponse}. */
    MemorySegment queryAddress(CmId id) {
        return query(id, CmIds.QUERY_ADDR, CmQueryAddrResponse.SIZE);
    }

    /** {@link CmQueryPathResponse} with room for {@link #PATHS}. */
    MemorySegment queryPaths(CmId id) {
        return query(id, CmIds.QUERY_PATH, CmQueryPathResponse.SIZE + PATHS * CmPathRecordData.SIZE);
    }

    private MemorySegment query(CmId id, int option, int answerSize) {
        MemorySegment request = zeros(CmQuery.SIZE);
        CmQuery.setId(request, 0, id.number());
        CmQuery.setOption(request, 0, option);
        MemorySegment answer = zeros(answerSize);
        send(CmCommand.QUERY, id, request, answer);
        return answer;
    }

    void notify(CmId id, int event) {
        MemorySegment request = zeros(CmNotify.SIZE);
        CmNotify.setId(request, 0, id.number());
        CmNotify.setEvent(request, 0, event);
        send(CmCommand.NOTIFY, id, request, MemorySegment.NULL);
    }

    /** @return the membership's number */
    int joinMulticast(CmId id, long cookie, InetSocketAddress group, int flags) {
        MemorySegment request = zeros(CmJoinMcast.SIZE);
        CmJoinMcast.setUid(request, 0, cookie);
        CmJoinMcast.setId(request, 0, id.number());
        CmJoinMcast.setJoinFlags(request, 0, flags);
        CmJoinMcast.setAddrSize(request, 0, put(request, CmJoinMcast.ADDR, group, CmCommand.JOIN_MCAST, id));
        MemorySegment answer = zeros(CmCreateIdResponse.SIZE);
        send(CmCommand.JOIN_MCAST, id + " to " + group, request, answer);
        return CmCreateIdResponse.id(answer, 0);
    }

    /** Takes an identifier over from another channel. */
    int migrate(CmId id, CmCommands from) {
        MemorySegment request = zeros(CmMigrateId.SIZE);
        CmMigrateId.setId(request, 0, id.number());
        CmMigrateId.setFd(request, 0, from.channel.events().descriptor());
        MemorySegment answer = zeros(CmMigrateIdResponse.SIZE);
        send(CmCommand.MIGRATE_ID, id, request, answer);
        return CmMigrateIdResponse.eventsReported(answer, 0);
    }

    /** @param value its bytes in host order */
    void setOption(CmId id, int level, int option, MemorySegment value) {
        MemorySegment request = zeros(CmSetOption.SIZE + value.byteSize());
        CmSetOption.setId(request, 0, id.number());
        CmSetOption.setLevel(request, 0, level);
        CmSetOption.setOptname(request, 0, option);
        CmSetOption.setOptlen(request, 0, (int) value.byteSize());
        MemorySegment.copy(value, 0, request, CmSetOption.SIZE, value.byteSize());
        send(CmCommand.SET_OPTION, id, request, MemorySegment.NULL);
    }

    /** @param object what it is about, for people: asked for its text only when the kernel refuses */
    private void send(CmCommand command, Object object, MemorySegment request, MemorySegment answer) {
        int errno = channel.invoke(command, request, answer);
        if (errno == Errno.EBADF) {
            throw dev.doorbell.verbs.ClosedException.of(command.name(), object.toString());
        }
        if (errno != 0) {
            throw Failures.refused(command, object.toString(), errno);
        }
    }

    /** Writes an address; its bytes. */
    private static int put(MemorySegment request, long at, InetSocketAddress address, CmCommand command, CmId id) {
        if (address.isUnresolved()) {
            throw Failures.unknownHost(command, id.toString(), address);
        }
        return Sockaddr.set(request, at, address);
    }

    /** Aligned for every field. */
    static MemorySegment zeros(long bytes) {
        return MemorySegment.ofArray(new long[(int) (bytes + Long.BYTES - 1) / Long.BYTES])
                .asSlice(0, bytes);
    }
}
