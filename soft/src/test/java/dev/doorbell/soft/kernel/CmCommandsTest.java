package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.AhAttributes;
import dev.doorbell.kernel.abi.CmDatagramParameters;
import dev.doorbell.kernel.abi.CmEventRecord;
import dev.doorbell.kernel.abi.CmIds;
import dev.doorbell.kernel.abi.CmPathRecordData;
import dev.doorbell.kernel.abi.CmQpAttributes;
import dev.doorbell.kernel.abi.CmQueryAddrResponse;
import dev.doorbell.kernel.abi.CmQueryPathResponse;
import dev.doorbell.kernel.abi.PathRecord;
import dev.doorbell.kernel.abi.Sockaddr;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.soft.VirtualTime;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.PortSpace;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.RejectReason;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands of the connection manager, between two devices under virtual time. */
@Timeout(60)
class CmCommandsTest {
    private static final long SECOND = CmProgram.SECOND;
    private static final String SERVER = "10.0.0.2";
    private static final int PORT = 7174;

    /** Stands still until somebody waits. */
    private static final class Clock implements VirtualTime {
        private final AtomicLong now = new AtomicLong();

        @Override
        public long nanoTime() {
            return now.get();
        }

        @Override
        public void advanceTo(long nowNs) {
            now.set(nowNs);
        }
    }

    private final SoftNetwork network = SoftNetwork.builder()
            .device("a", InetAddress.ofLiteral("10.0.0.1"))
            .device("b", InetAddress.ofLiteral(SERVER))
            .device("c", InetAddress.ofLiteral("fd00::1"))
            .device("d", InetAddress.ofLiteral("fd00::2"))
            .virtualTime(new Clock())
            .seed(1)
            .build();
    private final CmProgram client = new CmProgram(network.openConnectionManager(), 0x100);
    private final CmProgram server = new CmProgram(network.openConnectionManager(), 0x1000);

    @AfterEach
    void nothingIsLeft() {
        client.close();
        server.close();
        CmProgram clock = new CmProgram(network.openConnectionManager(), 0);
        assertThat(clock.isQuiet(100 * SECOND)).isTrue();
        clock.close();
        assertThat(network.connections().isEmpty())
                .as("%s", network.connections())
                .isTrue();
        network.close();
    }

    private static MemorySegment room(int bytes) {
        return MemorySegment.ofArray(new byte[bytes]);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 10.0.0.2, 10.0.0.2",
        "fd00::1, fd00::2, fd00::2",
        "10.0.0.1, 10.0.0.2, 0.0.0.0",
        "10.0.0.2, 10.0.0.2, 0.0.0.0",
        "fd00::1, fd00::2, ::",
        "10.0.0.1, 10.0.0.2, ::"
    })
    void aConnectionFromResolvingToTheEndOfTimeWait(String own, String address, String listened) {
        int listener = server.listener(listened, PORT, 77);
        int active = client.routedFrom(own, PortSpace.TCP, address, PORT, 5);
        assertThat(client.connect(active, (byte) 1, (byte) 2)).isZero();
        CmProgram.Read request = server.expect(CmEventType.CONNECT_REQUEST);
        assertThat(request.uid()).isEqualTo(77);
        assertThat(request.id()).isNotEqualTo(listener);
        assertThat(request.data()).hasSize(56).startsWith(1, 2, 0);
        assertThat(request.responderResources()).isEqualTo(2);
        assertThat(request.initiatorDepth()).isEqualTo(4);
        int passive = request.id();
        assertThat(server.accept(passive, 88, (byte) 3)).isZero();
        CmProgram.Read response = client.expect(CmEventType.CONNECT_RESPONSE);
        assertThat(response.uid()).isEqualTo(5);
        assertThat(response.data()).hasSize(196).startsWith(3, 0);
        attributesMatch(active, passive);
        assertThat(client.confirm(active)).isZero();
        assertThat(server.expect(CmEventType.ESTABLISHED).uid()).isEqualTo(88);

        assertThat(client.disconnect(active)).isZero();
        assertThat(server.expect(CmEventType.DISCONNECTED).status()).isZero();
        assertThat(server.disconnect(passive)).isZero();
        assertThat(client.expect(CmEventType.DISCONNECTED).status()).isZero();
        assertThat(server.expect(CmEventType.TIMEWAIT_EXIT).uid()).isEqualTo(88);
        client.expect(CmEventType.TIMEWAIT_EXIT);
        assertThat(client.destroy(active)).isEqualTo(5);
        assertThat(server.destroy(passive)).isEqualTo(3);
        assertThat(server.destroy(listener)).isEqualTo(1);
    }

    private void attributesMatch(int active, int passive) {
        MemorySegment init = client.attributes(active, QueuePairState.INIT);
        assertThat(QueuePairAttribute.set(CmQpAttributes.qpAttrMask(init, 0)))
                .containsExactlyInAnyOrder(
                        QueuePairAttribute.STATE,
                        QueuePairAttribute.ACCESS_FLAGS,
                        QueuePairAttribute.PKEY_INDEX,
                        QueuePairAttribute.PORT);
        MemorySegment left = client.attributes(active, QueuePairState.RTR);
        MemorySegment right = server.attributes(passive, QueuePairState.RTS);
        assertThat(CmQpAttributes.rqPsn(left, 0)).isEqualTo(CmQpAttributes.sqPsn(right, 0));
        assertThat(CmQpAttributes.maxDestRdAtomic(left, 0)).isEqualTo(2);
        assertThat(CmQpAttributes.pathMtu(left, 0)).isEqualTo(5);
        assertThat(AhAttributes.hopLimit(left, CmQpAttributes.AH_ATTR)).isEqualTo(64);
        assertThat(CmQpAttributes.timeout(right, 0)).isEqualTo(17);
        assertThat(CmQpAttributes.retryCnt(right, 0)).isEqualTo(7);
        assertThat(CmQpAttributes.rnrRetry(right, 0)).isEqualTo(6);
        MemorySegment back = client.attributes(active, QueuePairState.RTS);
        assertThat(CmQpAttributes.rqPsn(server.attributes(passive, QueuePairState.RTR), 0))
                .isEqualTo(CmQpAttributes.sqPsn(back, 0));
    }

    @Test
    void aClosedPortRefuses() {
        int active = client.routed(PortSpace.TCP, SERVER, PORT, 5);
        client.connect(active);
        CmProgram.Read read = client.expect(CmEventType.REJECTED);
        assertThat(read.status()).isEqualTo(RejectReason.INVALID_SERVICE_ID.code());
    }

    @Test
    void aListenerAtAnotherAddressIsNoListener() {
        server.listener("10.0.0.1", PORT, 1);
        int active = client.routed(PortSpace.TCP, SERVER, PORT, 5);
        client.connect(active);
        assertThat(client.expect(CmEventType.REJECTED).status()).isEqualTo(8);
    }

    @Test
    void aRefusalCarriesPrivateData() {
        server.listener(SERVER, PORT, 1);
        int active = client.routed(PortSpace.TCP, SERVER, PORT, 5);
        client.connect(active);
        int passive = server.expect(CmEventType.CONNECT_REQUEST).id();
        assertThat(server.reject(passive, 8)).isEqualTo(Errno.EINVAL);
        assertThat(server.reject(passive, 0, new byte[149])).isEqualTo(Errno.EINVAL);
        assertThat(server.reject(passive, 0, (byte) 9)).isZero();
        CmProgram.Read read = client.expect(CmEventType.REJECTED);
        assertThat(read.status()).isEqualTo(28);
        assertThat(read.data()).hasSize(148).startsWith(9, 0);
    }

    @Test
    void aRequestThatFindsTheBacklogFullComesAgain() {
        int listener = server.create(PortSpace.TCP, 1);
        server.bind(listener, SERVER, PORT);
        server.listen(listener, 2);
        for (int i = 0; i < 3; i++) {
            client.connect(client.routed(PortSpace.TCP, SERVER, PORT, i));
        }
        assertThat(client.isQuiet(SECOND)).isTrue();
        for (int i = 0; i < 3; i++) {
            server.expect(CmEventType.CONNECT_REQUEST);
        }
    }

    @Test
    void aBacklogThatStaysFullIsUnreachable() {
        int listener = server.create(PortSpace.TCP, 1);
        server.bind(listener, SERVER, PORT);
        server.listen(listener, 1);
        client.connect(client.routed(PortSpace.TCP, SERVER, PORT, 5));
        client.connect(client.routed(PortSpace.TCP, SERVER, PORT, 6));
        CmProgram.Read read = client.expect(CmEventType.UNREACHABLE);
        assertThat(read.uid()).isEqualTo(6);
        assertThat(read.status()).isEqualTo(-Errno.ETIMEDOUT);
    }

    @Test
    void anUnreachableNetworkIsRefused() {
        int active = client.create(PortSpace.TCP, 5);
        assertThat(client.resolve(active, "192.0.2.1", PORT)).isEqualTo(Errno.ENETUNREACH);
        assertThat(client.resolve(active, SERVER, PORT)).isZero();
        client.expect(CmEventType.ADDR_RESOLVED);
    }

    @Test
    void aSilentDeviceIsUnreachable() {
        int active = client.routedFrom("10.0.0.1", PortSpace.TCP, SERVER, PORT, 5);
        network.plug("b", false);
        client.connect(active);
        assertThat(client.expect(CmEventType.UNREACHABLE).status()).isEqualTo(-Errno.ETIMEDOUT);
    }

    @Test
    void aVanishedPeerIsDisconnectedAfterAWhile() {
        int active = established();
        network.plug("b", false);
        client.disconnect(active);
        assertThat(client.expect(CmEventType.DISCONNECTED).status()).isEqualTo(-Errno.ETIMEDOUT);
    }

    private int established() {
        server.listener(SERVER, PORT, 1);
        int active = client.routedFrom("10.0.0.1", PortSpace.TCP, SERVER, PORT, 5);
        client.connect(active);
        int passive = server.expect(CmEventType.CONNECT_REQUEST).id();
        server.accept(passive, 2);
        client.expect(CmEventType.CONNECT_RESPONSE);
        client.confirm(active);
        server.expect(CmEventType.ESTABLISHED);
        return active;
    }

    @Test
    void closingTheFileEndsItsConnections() {
        established();
        client.close();
        server.expect(CmEventType.DISCONNECTED);
        assertThat(client.destroy(1)).isEqualTo(-Errno.EBADF);
    }

    @Test
    void requestsThatWereNotReadEndWithTheirListener() {
        int listener = server.listener(SERVER, PORT, 1);
        client.connect(client.routed(PortSpace.TCP, SERVER, PORT, 5));
        client.connect(client.routed(PortSpace.TCP, SERVER, PORT, 6));
        int read = server.expect(CmEventType.CONNECT_REQUEST).id();
        assertThat(server.destroy(listener)).isEqualTo(1);
        assertThat(client.expect(CmEventType.REJECTED).uid()).isEqualTo(6);
        assertThat(server.accept(read, 2)).isZero();
        client.expect(CmEventType.CONNECT_RESPONSE);
    }

    @Test
    void commandsInTheWrongStateAreRefused() {
        int id = client.create(PortSpace.TCP, 1);
        assertThat(client.route(id)).isEqualTo(Errno.EINVAL);
        assertThat(client.connect(id)).isEqualTo(Errno.EINVAL);
        assertThat(client.accept(id, 1)).isEqualTo(Errno.EINVAL);
        assertThat(client.confirm(id)).isEqualTo(Errno.EINVAL);
        assertThat(client.reject(id, 0)).isEqualTo(Errno.EINVAL);
        assertThat(client.disconnect(id)).isEqualTo(Errno.EINVAL);
        assertThat(client.notify(id, AsyncEventType.COMM_EST.code())).isEqualTo(Errno.EINVAL);
        assertThat(client.attributes(id, QueuePairState.INIT, room(CmQpAttributes.SIZE)))
                .isEqualTo(Errno.EINVAL);
        assertThat(client.bind(id, "10.0.0.1", PORT)).isZero();
        assertThat(client.bind(id, "10.0.0.1", PORT)).isEqualTo(Errno.EINVAL);
        assertThat(client.listen(id + 1, 1)).isEqualTo(Errno.ENOENT);
        assertThat(server.listen(id, 1)).as("another file's").isEqualTo(Errno.ENOENT);
    }

    @Test
    void addressesThatNobodyHas() {
        int id = client.create(PortSpace.TCP, 1);
        assertThat(client.bind(id, "192.0.2.1", PORT)).isEqualTo(Errno.EADDRNOTAVAIL);
        assertThat(client.bind(id, "fe80::1", PORT)).as("without an interface").isEqualTo(Errno.EINVAL);
        int bound = client.create(PortSpace.TCP, 1);
        assertThat(client.bind(bound, "10.0.0.1", PORT)).isZero();
        assertThat(client.bind(id, "10.0.0.1", PORT)).isEqualTo(Errno.EADDRINUSE);
        assertThat(client.bind(id, "0.0.0.0", PORT)).isEqualTo(Errno.EADDRNOTAVAIL);
        assertThat(client.bind(client.create(PortSpace.UDP, 1), "10.0.0.1", PORT))
                .isZero();
        assertThat(client.bind(id, "10.0.0.2", PORT)).isZero();
    }

    @Test
    void portsCanBeSharedUntilSomebodyListens() {
        int first = client.create(PortSpace.TCP, 1);
        int second = client.create(PortSpace.TCP, 2);
        byte[] on = {1, 0, 0, 0};
        assertThat(client.option(first, CmIds.OPTION_REUSEADDR, on)).isZero();
        assertThat(client.option(second, CmIds.OPTION_REUSEADDR, on)).isZero();
        assertThat(client.bind(first, "10.0.0.1", PORT)).isZero();
        assertThat(client.bind(second, "10.0.0.1", PORT)).isZero();
        assertThat(client.listen(first, 1)).isEqualTo(Errno.EADDRINUSE);
        client.destroy(second);
        assertThat(client.listen(first, 1)).isZero();
    }

    @Test
    void optionsAreChecked() {
        int id = client.create(PortSpace.TCP, 1);
        assertThat(client.option(id, CmIds.OPTION_TOS, (byte) 8)).isZero();
        assertThat(client.option(id, CmIds.OPTION_TOS, (byte) 8, (byte) 0)).isEqualTo(Errno.EINVAL);
        assertThat(client.option(id, CmIds.OPTION_ACK_TIMEOUT, (byte) 18)).isZero();
        assertThat(client.option(id, CmIds.OPTION_ACK_TIMEOUT, (byte) 32)).isEqualTo(Errno.EINVAL);
        assertThat(client.option(id, 99, (byte) 0)).isEqualTo(Errno.ENOSYS);
        assertThat(client.option(client.create(PortSpace.UDP, 1), CmIds.OPTION_ACK_TIMEOUT, (byte) 18))
                .isEqualTo(Errno.EINVAL);
    }

    @Test
    void whatIsKnownCanBeAsked() {
        int active = client.create(PortSpace.TCP, 5);
        client.option(active, CmIds.OPTION_TOS, (byte) 0x20);
        client.resolve(active, SERVER, PORT);
        client.expect(CmEventType.ADDR_RESOLVED);
        MemorySegment out = room(CmQueryAddrResponse.SIZE);
        assertThat(client.query(active, CmIds.QUERY_ADDR, out)).isZero();
        InetSocketAddress from = Sockaddr.get(out, CmQueryAddrResponse.SRC_ADDR);
        assertThat(from).isNotNull();
        assertThat(from.getAddress()).isEqualTo(InetAddress.ofLiteral(SERVER));
        assertThat(from.getPort()).isBetween(32768, 60999);
        assertThat(Sockaddr.get(out, CmQueryAddrResponse.DST_ADDR)).isEqualTo(new InetSocketAddress(SERVER, PORT));
        assertThat(CmQueryAddrResponse.nodeGuid(out, 0))
                .isEqualTo(network.device("b").nodeGuid());
        MemorySegment path = room(CmQueryPathResponse.SIZE + CmPathRecordData.SIZE);
        assertThat(client.query(active, CmIds.QUERY_PATH, path)).isZero();
        assertThat(CmQueryPathResponse.numPaths(path, 0)).isZero();
        client.route(active);
        client.query(active, CmIds.QUERY_PATH, path);
        assertThat(CmQueryPathResponse.numPaths(path, 0)).isOne();
        int record = CmQueryPathResponse.SIZE + CmPathRecordData.PATH_REC;
        assertThat(PathRecord.trafficClass(path, record)).isEqualTo(0x20);
        assertThat(PathRecord.mtu(path, record)).isEqualTo(5);
        assertThat(PathRecord.packetLifeTime(path, record)).isEqualTo(16);
        assertThat(client.query(active, CmIds.QUERY_ADDR, room(8))).isEqualTo(Errno.ENOSPC);
    }

    @Test
    void aBoundClientGoesFromItsAddress() {
        int active = client.create(PortSpace.TCP, 5);
        assertThat(client.bind(active, "10.0.0.1", 0)).isZero();
        client.resolve(active, SERVER, PORT);
        client.expect(CmEventType.ADDR_RESOLVED);
        client.route(active);
        client.expect(CmEventType.ROUTE_RESOLVED);
        server.listener(SERVER, PORT, 1);
        client.connect(active);
        int passive = server.expect(CmEventType.CONNECT_REQUEST).id();
        MemorySegment out = room(CmQueryAddrResponse.SIZE);
        server.query(passive, CmIds.QUERY_ADDR, out);
        InetSocketAddress peer = Sockaddr.get(out, CmQueryAddrResponse.DST_ADDR);
        assertThat(peer).isNotNull();
        assertThat(peer.getAddress()).isEqualTo(InetAddress.ofLiteral("10.0.0.1"));
        server.accept(passive, 3);
        assertThat(server.notify(passive, AsyncEventType.COMM_EST.code())).isZero();
        server.expect(CmEventType.ESTABLISHED);
        assertThat(server.notify(passive, AsyncEventType.COMM_EST.code())).isEqualTo(Errno.EISCONN);
    }

    @Test
    void privateDataHasItsLimits() {
        server.listener(SERVER, PORT, 1);
        int active = client.routed(PortSpace.TCP, SERVER, PORT, 5);
        assertThat(client.connect(active, new byte[57])).isEqualTo(Errno.EINVAL);
        assertThat(client.connect(active, new byte[56])).isZero();
        int passive = server.expect(CmEventType.CONNECT_REQUEST).id();
        assertThat(server.accept(passive, 1, new byte[197])).isEqualTo(Errno.EINVAL);
        assertThat(server.accept(passive, 1, new byte[196])).isZero();
    }

    @Test
    void aDatagramServiceIsLookedUp() {
        int listener = server.create(PortSpace.UDP, 7);
        server.bind(listener, SERVER, PORT);
        server.listen(listener, 4);
        int active = client.routed(PortSpace.UDP, SERVER, PORT, 5);
        MemorySegment init = client.attributes(active, QueuePairState.INIT);
        assertThat(CmQpAttributes.qkey(init, 0)).isEqualTo(0x01234567);
        assertThat(client.connect(active, (byte) 4)).isZero();
        CmProgram.Read request = server.expect(CmEventType.CONNECT_REQUEST);
        MemorySegment record = request.record();
        assertThat(CmDatagramParameters.privateDataLen(record, CmEventRecord.PARAM_UD))
                .isEqualTo(180);
        assertThat(server.accept(request.id(), 8, (byte) 6)).isZero();
        MemorySegment answer = client.expect(CmEventType.ESTABLISHED).record();
        int at = CmEventRecord.PARAM_UD;
        assertThat(CmDatagramParameters.qkey(answer, at)).isEqualTo(0x01234567);
        assertThat(CmDatagramParameters.qpNum(answer, at)).isEqualTo(0x1000);
        assertThat(CmDatagramParameters.privateDataLen(answer, at)).isEqualTo(136);
        assertThat(AhAttributes.dgid(answer, at + CmDatagramParameters.AH_ATTR))
                .isEqualTo(Gid.of(InetAddress.ofLiteral(SERVER)));
    }

    @Test
    void aDatagramServiceThatIsNotThereOrRefuses() {
        int first = client.routedFrom("10.0.0.1", PortSpace.UDP, SERVER, PORT, 5);
        client.connect(first);
        assertThat(client.expect(CmEventType.UNREACHABLE).status()).isEqualTo(1);
        int listener = server.create(PortSpace.UDP, 7);
        server.bind(listener, SERVER, PORT);
        server.listen(listener, 4);
        client.connect(client.routedFrom("10.0.0.1", PortSpace.UDP, SERVER, PORT, 6));
        assertThat(server.reject(server.expect(CmEventType.CONNECT_REQUEST).id(), 0))
                .isZero();
        assertThat(client.expect(CmEventType.UNREACHABLE).status()).isEqualTo(2);
        network.plug("b", false);
        client.connect(client.routedFrom("10.0.0.1", PortSpace.UDP, SERVER, PORT, 7));
        assertThat(client.expect(CmEventType.UNREACHABLE).status()).isEqualTo(-Errno.ETIMEDOUT);
    }

    @Test
    void whoHasAnAddressReachesEveryGroup() {
        int id = client.create(PortSpace.UDP, 5);
        client.bind(id, "10.0.0.1", 0);
        assertThat(client.resolve(id, "239.1.2.3", 0)).isZero();
        assertThat(client.expect(CmEventType.ADDR_RESOLVED).uid()).isEqualTo(5);
        client.destroy(id);
    }

    @Test
    void aGroupIsJoinedAndLeft() {
        int id = client.create(PortSpace.UDP, 5);
        client.bind(id, "10.0.0.1", 0);
        assertThat(client.join(id, "10.0.0.9", 4)).isEqualTo(-Errno.EINVAL);
        int membership = client.join(id, "239.1.2.3", 4);
        CmProgram.Read read = client.expect(CmEventType.MULTICAST_JOIN);
        assertThat(read.uid()).isEqualTo(4);
        int at = CmEventRecord.PARAM_UD;
        assertThat(CmDatagramParameters.qpNum(read.record(), at)).isEqualTo(0xffffff);
        assertThat(CmDatagramParameters.qkey(read.record(), at)).isEqualTo(0x01234567);
        assertThat(AhAttributes.dgid(read.record(), at + CmDatagramParameters.AH_ATTR))
                .isEqualTo(Gid.ofGroup(InetAddress.ofLiteral("239.1.2.3")));
        assertThat(client.leave(membership)).isOne();
        assertThat(client.leave(membership)).isEqualTo(-Errno.ENOENT);
    }

    @Test
    void membershipsAreNotWithoutNumber() {
        int id = client.create(PortSpace.UDP, 5);
        client.bind(id, "10.0.0.1", 0);
        int joined = 0;
        int answer = client.join(id, "239.1.2.3", 4);
        while (answer > 0) {
            joined++;
            client.expect(CmEventType.MULTICAST_JOIN);
            answer = client.join(id, "239.1.2.3", 4);
        }
        assertThat(answer).isEqualTo(-Errno.ENOMEM);
        assertThat(joined).isBetween(RdmaCm.MOST_IDENTIFIERS - 10, RdmaCm.MOST_IDENTIFIERS);
        client.destroy(id);
        int again = client.create(PortSpace.UDP, 5);
        client.bind(again, "10.0.0.1", 0);
        assertThat(client.join(again, "239.1.2.3", 4)).isPositive();
    }

    @Test
    void anIdentifierMovesWithItsEvents() {
        int id = client.create(PortSpace.TCP, 5);
        client.resolve(id, SERVER, PORT);
        client.expect(CmEventType.ADDR_RESOLVED);
        client.route(id);
        assertThat(server.migrate(id, client)).isOne();
        assertThat(client.isQuiet(0)).isTrue();
        assertThat(server.expect(CmEventType.ROUTE_RESOLVED).uid()).isEqualTo(5);
        assertThat(client.disconnect(id)).isEqualTo(Errno.ENOENT);
        assertThat(server.destroy(id)).isEqualTo(2);
    }
}
