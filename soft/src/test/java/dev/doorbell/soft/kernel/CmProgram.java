package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.CmChannel;
import dev.doorbell.kernel.abi.CmAccept;
import dev.doorbell.kernel.abi.CmBind;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmConnect;
import dev.doorbell.kernel.abi.CmConnectionParameters;
import dev.doorbell.kernel.abi.CmCreateId;
import dev.doorbell.kernel.abi.CmCreateIdResponse;
import dev.doorbell.kernel.abi.CmDestroyId;
import dev.doorbell.kernel.abi.CmDestroyIdResponse;
import dev.doorbell.kernel.abi.CmDisconnect;
import dev.doorbell.kernel.abi.CmEventRecord;
import dev.doorbell.kernel.abi.CmInitQpAttr;
import dev.doorbell.kernel.abi.CmJoinMcast;
import dev.doorbell.kernel.abi.CmListen;
import dev.doorbell.kernel.abi.CmMigrateId;
import dev.doorbell.kernel.abi.CmMigrateIdResponse;
import dev.doorbell.kernel.abi.CmNotify;
import dev.doorbell.kernel.abi.CmQpAttributes;
import dev.doorbell.kernel.abi.CmQuery;
import dev.doorbell.kernel.abi.CmReject;
import dev.doorbell.kernel.abi.CmResolveAddr;
import dev.doorbell.kernel.abi.CmResolveRoute;
import dev.doorbell.kernel.abi.CmSetOption;
import dev.doorbell.kernel.abi.Sockaddr;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.PortSpace;
import dev.doorbell.spec.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;

/** A program that speaks the commands of the connection manager. */
final class CmProgram implements AutoCloseable {
    static final long SECOND = 1_000_000_000;
    private static final int ATTRIBUTES = CmQpAttributes.SIZE;

    final CmChannel channel;
    private int queuePairs;

    /** @param firstQueuePair number of its first queue pair; those of programs on one device differ */
    CmProgram(CmChannel channel, int firstQueuePair) {
        this.channel = channel;
        this.queuePairs = firstQueuePair;
    }

    /** An event that was read. */
    record Read(long uid, int id, CmEventType type, int status, MemorySegment record) {
        int queuePairNumber() {
            return CmConnectionParameters.qpNum(record, CmEventRecord.PARAM_CONN);
        }

        int responderResources() {
            return CmConnectionParameters.responderResources(record, CmEventRecord.PARAM_CONN);
        }

        int initiatorDepth() {
            return CmConnectionParameters.initiatorDepth(record, CmEventRecord.PARAM_CONN);
        }

        byte[] data() {
            int length = CmConnectionParameters.privateDataLen(record, CmEventRecord.PARAM_CONN);
            return record.asSlice(CmEventRecord.PARAM_CONN + CmConnectionParameters.PRIVATE_DATA, length)
                    .toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static MemorySegment zeros(int bytes) {
        return MemorySegment.ofArray(new byte[bytes]);
    }

    int create(PortSpace space, long uid) {
        MemorySegment in = zeros(CmCreateId.SIZE);
        CmCreateId.setUid(in, 0, uid);
        CmCreateId.setPs(in, 0, space.code());
        CmCreateId.setQpType(in, 0, space.defaultType().code());
        MemorySegment out = zeros(CmCreateIdResponse.SIZE);
        assertThat(channel.invoke(CmCommand.CREATE_ID, in, out)).isZero();
        return CmCreateIdResponse.id(out, 0);
    }

    int destroy(int id) {
        return counted(CmCommand.DESTROY_ID, id);
    }

    int leave(int membership) {
        return counted(CmCommand.LEAVE_MCAST, membership);
    }

    /** The events that were read, or the errno as a negative number. */
    private int counted(CmCommand command, int id) {
        MemorySegment in = zeros(CmDestroyId.SIZE);
        CmDestroyId.setId(in, 0, id);
        MemorySegment out = zeros(CmDestroyIdResponse.SIZE);
        int errno = channel.invoke(command, in, out);
        return errno == 0 ? CmDestroyIdResponse.eventsReported(out, 0) : -errno;
    }

    int bind(int id, String address, int port) {
        MemorySegment in = zeros(CmBind.SIZE);
        CmBind.setId(in, 0, id);
        CmBind.setAddrSize(in, 0, Sockaddr.set(in, CmBind.ADDR, new InetSocketAddress(address, port)));
        return channel.invoke(CmCommand.BIND, in, MemorySegment.NULL);
    }

    int resolve(int id, String address, int port) {
        MemorySegment in = zeros(CmResolveAddr.SIZE);
        CmResolveAddr.setId(in, 0, id);
        CmResolveAddr.setTimeoutMs(in, 0, 1000);
        InetSocketAddress to = new InetSocketAddress(address, port);
        CmResolveAddr.setDstSize(in, 0, Sockaddr.set(in, CmResolveAddr.DST_ADDR, to));
        return channel.invoke(CmCommand.RESOLVE_ADDR, in, MemorySegment.NULL);
    }

    int route(int id) {
        MemorySegment in = zeros(CmResolveRoute.SIZE);
        CmResolveRoute.setId(in, 0, id);
        CmResolveRoute.setTimeoutMs(in, 0, 1000);
        return channel.invoke(CmCommand.RESOLVE_ROUTE, in, MemorySegment.NULL);
    }

    int listen(int id, int backlog) {
        MemorySegment in = zeros(CmListen.SIZE);
        CmListen.setId(in, 0, id);
        CmListen.setBacklog(in, 0, backlog);
        return channel.invoke(CmCommand.LISTEN, in, MemorySegment.NULL);
    }

    private void parameters(MemorySegment in, int at, byte[] data) {
        CmConnectionParameters.setQpNum(in, at, queuePairs++);
        CmConnectionParameters.setResponderResources(in, at, 4);
        CmConnectionParameters.setInitiatorDepth(in, at, 2);
        CmConnectionParameters.setRetryCount(in, at, 7);
        CmConnectionParameters.setRnrRetryCount(in, at, 6);
        CmConnectionParameters.setPrivateDataLen(in, at, data.length);
        MemorySegment.copy(data, 0, in, ValueLayout.JAVA_BYTE, at + CmConnectionParameters.PRIVATE_DATA, data.length);
        CmConnectionParameters.setValid(in, at, 1);
    }

    int connect(int id, byte... data) {
        MemorySegment in = zeros(CmConnect.SIZE);
        CmConnect.setId(in, 0, id);
        parameters(in, CmConnect.CONN_PARAM, data);
        return channel.invoke(CmCommand.CONNECT, in, MemorySegment.NULL);
    }

    int accept(int id, long uid, byte... data) {
        MemorySegment in = zeros(CmAccept.SIZE);
        CmAccept.setId(in, 0, id);
        CmAccept.setUid(in, 0, uid);
        parameters(in, CmAccept.CONN_PARAM, data);
        return channel.invoke(CmCommand.ACCEPT, in, MemorySegment.NULL);
    }

    int confirm(int id) {
        MemorySegment in = zeros(CmAccept.SIZE);
        CmAccept.setId(in, 0, id);
        return channel.invoke(CmCommand.ACCEPT, in, MemorySegment.NULL);
    }

    int reject(int id, int reason, byte... data) {
        MemorySegment in = zeros(CmReject.SIZE);
        CmReject.setId(in, 0, id);
        CmReject.setReason(in, 0, reason);
        CmReject.setPrivateDataLen(in, 0, data.length);
        MemorySegment.copy(data, 0, in, ValueLayout.JAVA_BYTE, CmReject.PRIVATE_DATA, data.length);
        return channel.invoke(CmCommand.REJECT, in, MemorySegment.NULL);
    }

    int disconnect(int id) {
        MemorySegment in = zeros(CmDisconnect.SIZE);
        CmDisconnect.setId(in, 0, id);
        return channel.invoke(CmCommand.DISCONNECT, in, MemorySegment.NULL);
    }

    int notify(int id, int event) {
        MemorySegment in = zeros(CmNotify.SIZE);
        CmNotify.setId(in, 0, id);
        CmNotify.setEvent(in, 0, event);
        return channel.invoke(CmCommand.NOTIFY, in, MemorySegment.NULL);
    }

    int option(int id, int name, byte... value) {
        MemorySegment in = zeros(CmSetOption.SIZE + value.length);
        CmSetOption.setId(in, 0, id);
        CmSetOption.setOptname(in, 0, name);
        CmSetOption.setOptlen(in, 0, value.length);
        MemorySegment.copy(value, 0, in, ValueLayout.JAVA_BYTE, CmSetOption.SIZE, value.length);
        return channel.invoke(CmCommand.SET_OPTION, in, MemorySegment.NULL);
    }

    int migrate(int id, CmProgram from) {
        MemorySegment in = zeros(CmMigrateId.SIZE);
        CmMigrateId.setId(in, 0, id);
        CmMigrateId.setFd(in, 0, from.channel.events().descriptor());
        MemorySegment out = zeros(CmMigrateIdResponse.SIZE);
        int errno = channel.invoke(CmCommand.MIGRATE_ID, in, out);
        return errno == 0 ? CmMigrateIdResponse.eventsReported(out, 0) : -errno;
    }

    int join(int id, String group, long uid) {
        MemorySegment in = zeros(CmJoinMcast.SIZE);
        CmJoinMcast.setId(in, 0, id);
        CmJoinMcast.setUid(in, 0, uid);
        CmJoinMcast.setAddrSize(in, 0, Sockaddr.set(in, CmJoinMcast.ADDR, new InetSocketAddress(group, 0)));
        MemorySegment out = zeros(CmCreateIdResponse.SIZE);
        int errno = channel.invoke(CmCommand.JOIN_MCAST, in, out);
        return errno == 0 ? CmCreateIdResponse.id(out, 0) : -errno;
    }

    int query(int id, int option, MemorySegment out) {
        MemorySegment in = zeros(CmQuery.SIZE);
        CmQuery.setId(in, 0, id);
        CmQuery.setOption(in, 0, option);
        return channel.invoke(CmCommand.QUERY, in, out);
    }

    int attributes(int id, QueuePairState state, MemorySegment out) {
        MemorySegment in = zeros(CmInitQpAttr.SIZE);
        CmInitQpAttr.setId(in, 0, id);
        CmInitQpAttr.setQpState(in, 0, state.code());
        return channel.invoke(CmCommand.INIT_QP_ATTR, in, out);
    }

    MemorySegment attributes(int id, QueuePairState state) {
        MemorySegment out = zeros(ATTRIBUTES);
        assertThat(attributes(id, state, out)).isZero();
        return out;
    }

    /** Reads an event, which must come within this time. */
    Read next(long timeoutNs) {
        MemorySegment out = zeros(CmEventRecord.SIZE);
        assertThat(channel.events().read(out, timeoutNs)).as("an event").isEqualTo(CmEventRecord.SIZE);
        return new Read(
                CmEventRecord.uid(out, 0),
                CmEventRecord.id(out, 0),
                CmEventType.of(CmEventRecord.event(out, 0)),
                CmEventRecord.status(out, 0),
                out);
    }

    Read expect(CmEventType type) {
        Read read = next(100 * SECOND);
        assertThat(read.type()).isEqualTo(type);
        return read;
    }

    boolean isQuiet(long timeoutNs) {
        return channel.events().read(zeros(CmEventRecord.SIZE), timeoutNs) == 0;
    }

    /** An identifier that listens. */
    int listener(String address, int port, long uid) {
        int id = create(PortSpace.TCP, uid);
        assertThat(bind(id, address, port)).isZero();
        assertThat(listen(id, 10)).isZero();
        return id;
    }

    /** An identifier that has a route. */
    int routed(PortSpace space, String address, int port, long uid) {
        return routed(create(space, uid), address, port);
    }

    /** An identifier at an address that has a route. */
    int routedFrom(String own, PortSpace space, String address, int port, long uid) {
        int id = create(space, uid);
        assertThat(bind(id, own, 0)).isZero();
        return routed(id, address, port);
    }

    private int routed(int id, String address, int port) {
        assertThat(resolve(id, address, port)).isZero();
        assertThat(expect(CmEventType.ADDR_RESOLVED).status()).isZero();
        assertThat(route(id)).isZero();
        assertThat(expect(CmEventType.ROUTE_RESOLVED).status()).isZero();
        return id;
    }

    @Override
    public void close() {
        channel.close();
    }
}
