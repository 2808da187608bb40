package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.Rate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ConnectingTest {
    private static final Endpoint PEER = new Endpoint(
            QueuePairType.RC,
            0x222,
            0x333,
            Gid.parseHex("00000000000000000000ffffc0000209"),
            0,
            1,
            Mtu.MTU_512,
            2,
            3,
            0);

    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** A device that found an error behind the API's back: what is refused then is not for a value. */
    @Test
    void aStateThatTheDeviceChangedIsSaid() {
        QueuePair queuePair = fixture.builder().build();
        fixture.fake().fail();

        assertThat(Refused.with(Errno.EINVAL, queuePair::initialize))
                .hasMessageContaining("it is in ERROR: the device has moved it there from RESET")
                .hasMessageContaining("RESET");
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
        queuePair.modify(
                QueuePairAttributes.builder().state(QueuePairState.RESET).build());
        queuePair.initialize();
        assertThat(queuePair.state()).isEqualTo(QueuePairState.INIT);
    }

    @Test
    void anEndpointHasWhatThePeerNeeds() {
        QueuePair queuePair = fixture.builder().psn(0x123456).build();
        Endpoint endpoint = queuePair.endpoint();

        assertThat(endpoint.type()).isEqualTo(QueuePairType.RC).isEqualTo(queuePair.type());
        assertThat(endpoint.queuePairNumber()).isEqualTo(queuePair.number());
        assertThat(endpoint.psn()).isEqualTo(0x123456);
        assertThat(endpoint.gid()).isEqualTo(fixture.device.gids.get(1).gid());
        assertThat(endpoint.port()).isEqualTo(1);
        assertThat(endpoint.mtu()).isEqualTo(Mtu.MTU_1024);
        assertThat(endpoint.responderDepth()).as("what the device can").isEqualTo(8);
        assertThat(endpoint.initiatorDepth()).isEqualTo(4);
        assertThat(queuePair.gid().reason()).contains("RoCE v2 over IPv4");
        assertThat(queuePair.endpoint()).isSameAs(endpoint);
        assertThat(fixture.builder().readAtomicDepth(2).build().endpoint().responderDepth())
                .isEqualTo(2);
        assertThat(fixture.builder().build().endpoint().psn()).isBetween(0, 0xff_ffff);
    }

    @Test
    void aGidCanBeNamed() {
        QueuePair queuePair = fixture.builder().gidIndex(0).build();
        assertThat(queuePair.endpoint().gid().isLinkLocal()).isTrue();
        assertThat(queuePair.gid().reason()).contains("named by the program");

        Refused.with(
                Errno.ENODATA,
                "index 7",
                "[0, 1]",
                fixture.builder().gidIndex(7).build()::endpoint);
        assertThatThrownBy(fixture.builder().port(2).build()::endpoint)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EINVAL");
    }

    @Test
    void connectWalksTheStatesWithSaneTimers() {
        QueuePair queuePair = fixture.builder().psn(0x111).build();
        Connection connection = queuePair.connect(PEER);

        assertThat(queuePair.state()).isEqualTo(QueuePairState.RTS);
        List<QueuePairAttributes> steps = fixture.fake().modifications;
        assertThat(steps)
                .extracting(QueuePairAttributes::state)
                .containsExactly(QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS);
        assertThat(steps.get(0).port()).isEqualTo(1);
        assertThat(steps.get(0).access())
                .isEqualTo(
                        AccessFlag.REMOTE_WRITE.bit() | AccessFlag.REMOTE_READ.bit() | AccessFlag.REMOTE_ATOMIC.bit());
        assertThat(steps.get(1).destinationQueuePair()).isEqualTo(0x222);
        assertThat(steps.get(1).receivePsn()).isEqualTo(0x333);
        assertThat(steps.get(1).pathMtu()).isEqualTo(Mtu.MTU_512);
        assertThat(steps.get(1).maxDestReadAtomic()).isEqualTo(3);
        assertThat(steps.get(1).address()).isEqualTo(AddressVector.roce(PEER.gid(), 1, 1));
        assertThat(steps.get(2).sendPsn()).isEqualTo(0x111);
        assertThat(steps.get(2).maxReadAtomic()).isEqualTo(2);
        assertThat(steps.get(2).retryCount()).isEqualTo(7);
        assertThat(steps.get(2).rnrRetry()).isEqualTo(7);
        assertThat(connection)
                .isEqualTo(new Connection(
                        queuePair.endpoint(),
                        PEER,
                        Mtu.MTU_512,
                        Duration.ofNanos(4096L << 14),
                        7,
                        Duration.ofNanos(1_280_000),
                        7,
                        2,
                        3,
                        queuePair.gid().reason()));
    }

    @Test
    void optionsChangeWhatIsInForce() {
        QueuePair queuePair = fixture.builder().build();
        Connection connection = queuePair.connect(
                PEER,
                ConnectOptions.defaults()
                        .maxMtu(Mtu.MTU_256)
                        .ackTimeout(Duration.ZERO)
                        .retryCount(1)
                        .rnrTimer(Duration.ofMillis(10))
                        .rnrRetry(0)
                        .access(AccessFlag.REMOTE_READ)
                        .hopLimit(3)
                        .trafficClass(0x68)
                        .serviceLevel(5)
                        .flowLabel(77));

        assertThat(connection.mtu()).isEqualTo(Mtu.MTU_256);
        assertThat(connection.ackTimeout()).isZero();
        assertThat(connection.rnrTimer()).isEqualTo(Duration.ofNanos(10_240_000));
        assertThat(connection.retryCount()).isEqualTo(1);
        assertThat(connection.rnrRetry()).isZero();
        List<QueuePairAttributes> steps = fixture.fake().modifications;
        assertThat(steps.get(0).access()).isEqualTo(AccessFlag.REMOTE_READ.bit());
        assertThat(steps.get(1).address())
                .isEqualTo(new AddressVector(PEER.gid(), 1, 77, 3, 0x68, 1, 5, 0, true, 0, Rate.MAX));
    }

    @Test
    void optionsOutOfRangeAreRefused() {
        ConnectOptions options = ConnectOptions.defaults();

        Refused.with(Errno.EINVAL, 8, "0 to 7", () -> options.retryCount(8));
        Refused.with(Errno.EINVAL, () -> options.rnrRetry(-1));
        Refused.with(Errno.EINVAL, () -> options.rnrTimer(Duration.ofSeconds(1)));
        Refused.with(Errno.EINVAL, () -> options.ackTimeout(Duration.ofDays(1)));
        Refused.with(Errno.EINVAL, () -> options.ackTimeout(Duration.ofNanos(-1)));
        Refused.with(Errno.EINVAL, () -> options.hopLimit(256));
        Refused.with(Errno.EINVAL, () -> options.trafficClass(256));
        Refused.with(Errno.EINVAL, () -> options.serviceLevel(16));
        Refused.with(Errno.EINVAL, () -> options.flowLabel(1 << 20));
        Refused.with(Errno.EINVAL, () -> options.pkeyIndex(-1));
    }

    @Test
    void receivesCanBePostedBeforeThePeerCanSend() {
        QueuePair queuePair = fixture.builder().build();
        queuePair.initialize();
        queuePair.postReceive(1, fixture.region.slice(0, 8));
        queuePair.connect(PEER, ConnectOptions.defaults().access(AccessFlag.REMOTE_READ));

        assertThat(queuePair.state()).isEqualTo(QueuePairState.RTS);
        assertThat(queuePair.receiveCredit()).isEqualTo(1);
        assertThat(fixture.fake().modifications.get(1).access()).isEqualTo(AccessFlag.REMOTE_READ.bit());
    }

    @Test
    void connectingTwiceOrToAnotherTypeIsRefused() {
        QueuePair queuePair = fixture.connected();
        Refused.with(Errno.EINVAL, "state RTS", "RESET or INIT", () -> queuePair.connect(PEER));
        Endpoint datagram = new Endpoint(QueuePairType.UD, 1, 2, PEER.gid(), 0, 1, Mtu.MTU_1024, 0, 0, 0x1111);
        Refused.with(Errno.EINVAL, "UD", "RC", () -> fixture.builder().build().connect(datagram));
    }

    @Test
    void theKernelDecidesAndTheTableExplains() {
        QueuePair queuePair = fixture.builder().build();
        VerbsException skipped = Refused.with(
                Errno.EINVAL,
                () -> queuePair.modify(
                        QueuePairAttributes.builder().state(QueuePairState.RTS).build()));
        assertThat(skipped).hasMessageContaining("from RESET to RTS: no such step");

        VerbsException incomplete = Refused.with(
                Errno.EINVAL,
                () -> queuePair.modify(QueuePairAttributes.builder()
                        .state(QueuePairState.INIT)
                        .port(1)
                        .qkey(7)
                        .build()));
        assertThat(incomplete)
                .hasMessageContaining("needs ACCESS_FLAGS, PKEY_INDEX")
                .hasMessageContaining("does not take QKEY");

        fixture.device.channel.refusals.put(UverbsCommand.MODIFY_QP, Errno.EINVAL);
        VerbsException value = Refused.with(
                Errno.EINVAL,
                () -> queuePair.modify(QueuePairAttributes.builder()
                        .state(QueuePairState.INIT)
                        .pkeyIndex(9)
                        .port(1)
                        .access(0)
                        .build()));
        assertThat(value).hasMessageContaining("a value is not").hasMessageContaining("PKEY_INDEX 9");

        fixture.device.channel.refusals.put(UverbsCommand.MODIFY_QP, Errno.ETIMEDOUT);
        assertThat(Refused.with(
                        Errno.ETIMEDOUT,
                        () -> queuePair.modify(QueuePairAttributes.builder()
                                .address(AddressVector.roce(PEER.gid(), 1, 1))
                                .build())))
                .hasMessageContaining("::ffff:192.0.2.9")
                .hasMessageContaining("GID index 1");
        fixture.device.channel.refusals.clear();
        assertThat(queuePair.state()).isEqualTo(QueuePairState.RESET);
    }

    @Test
    void attributesOfEveryKindAreNamedInADiagnosis() {
        fixture.device.channel.refusals.put(UverbsCommand.MODIFY_QP, Errno.EINVAL);
        QueuePair queuePair = fixture.builder().build();
        VerbsException refusal = Refused.with(
                Errno.EINVAL,
                () -> queuePair.modify(QueuePairAttributes.builder()
                        .currentState(QueuePairState.INIT)
                        .state(QueuePairState.RTR)
                        .address(AddressVector.roce(PEER.gid(), 1, 1))
                        .pathMtu(Mtu.MTU_2048)
                        .destinationQueuePair(0x99)
                        .receivePsn(4)
                        .maxDestReadAtomic(5)
                        .minRnrTimer(6)
                        .build()));

        assertThat(refusal).hasMessageContaining("from INIT to RTR: does not take CURRENT_STATE");
    }

    @Test
    void queryTellsWhatTheKernelKnows() {
        QueuePair queuePair = fixture.connected();
        fixture.fake().fail();
        assertThat(queuePair.state()).as("not asked yet").isEqualTo(QueuePairState.RTS);
        QueuePairAttributes attributes = queuePair.query();

        assertThat(attributes.state()).isEqualTo(QueuePairState.ERROR);
        assertThat(attributes.has(QueuePairAttribute.STATE)).isTrue();
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
        fixture.device.channel.refusals.put(UverbsCommand.QUERY_QP, Errno.EIO);
        assertThatThrownBy(queuePair::query).isInstanceOf(DeviceUnavailableException.class);
    }
}
