package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.AhAttributes;
import dev.doorbell.kernel.abi.AttachMcast;
import dev.doorbell.kernel.abi.CreateAh;
import dev.doorbell.kernel.abi.CreateAhResponse;
import dev.doorbell.kernel.abi.CreateQp;
import dev.doorbell.kernel.abi.CreateQpResponse;
import dev.doorbell.kernel.abi.ModifyQp;
import dev.doorbell.kernel.abi.QueryQp;
import dev.doorbell.kernel.abi.QueryQpResponse;
import dev.doorbell.kernel.abi.RxeCreateAhResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Address handles, multicast groups, and queue pairs without a reliable peer: what the kernel takes and refuses. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class DatagramCommandsTest {
    private static final Gid PEER = Gid.ofIpv4(0x7f00_0009);
    private static final Gid GROUP = Gid.ofIpv4(0xef01_0203);
    private static final int SECOND_GID = 1;

    private final SoftNetwork network = SoftNetwork.builder()
            .devices(1)
            .seed(1)
            .limits(SoftLimits.builder().addressHandles(2).build())
            .build();
    private final SoftDevice device = network.device("soft0");
    private final Program program = Program.start(device);
    private final int domain = program.pd();

    @AfterEach
    void nothingIsLeft() {
        program.close();
        assertThat(device.census()).isEqualTo(Census.EMPTY);
        network.close();
    }

    private int createAh(Consumer<MemorySegment> change) {
        return program.send(
                UverbsCommand.CREATE_AH, CreateAh.SIZE, CreateAhResponse.SIZE, RxeCreateAhResponse.SIZE, in -> {
                    CreateAh.setPdHandle(in, 0, domain);
                    int at = CreateAh.ATTRIBUTES;
                    AhAttributes.setDgid(in, at, PEER);
                    AhAttributes.setSgidIndex(in, at, SECOND_GID);
                    AhAttributes.setIsGlobal(in, at, 1);
                    AhAttributes.setPortNum(in, at, 1);
                    change.accept(in);
                });
    }

    private int qp(QueuePairType type, Consumer<MemorySegment> change) {
        int cq = program.cq(8);
        assertThat(program.createQp(domain, cq, in -> {
                    CreateQp.setQpType(in, 0, type.code());
                    change.accept(in);
                }))
                .isZero();
        return CreateQpResponse.qpHandle(program.out, 0);
    }

    private int group(UverbsCommand command, int queuePair, Gid gid) {
        return program.send(command, AttachMcast.SIZE, 0, in -> {
            AttachMcast.setGid(in, 0, gid);
            AttachMcast.setQpHandle(in, 0, queuePair);
        });
    }

    @Test
    void anAddressHandleHasANumberAndKeepsItsDomain() {
        assertThat(createAh(Program::asIs)).isZero();
        int handle = CreateAhResponse.ahHandle(program.out, 0);
        assertThat(RxeCreateAhResponse.ahNum(program.driverOut, 0)).isPositive();
        assertThat(device.census().addressHandles()).isEqualTo(1);
        assertThat(program.sendHandle(UverbsCommand.DEALLOC_PD, domain)).isEqualTo(Errno.EBUSY);
        assertThat(program.sendHandle(UverbsCommand.DESTROY_AH, handle)).isZero();
        assertThat(program.sendHandle(UverbsCommand.DESTROY_AH, handle)).isEqualTo(Errno.ENOENT);
        assertThat(program.sendHandle(UverbsCommand.DESTROY_AH, domain)).isEqualTo(Errno.EINVAL);
        assertThat(program.sendHandle(UverbsCommand.DEALLOC_PD, domain)).isZero();
    }

    @Test
    void aClosedContextTakesItsAddressHandlesAndGroupsAlong() {
        assertThat(createAh(Program::asIs)).isZero();
        int queuePair = qp(QueuePairType.UD, Program::asIs);
        assertThat(group(UverbsCommand.ATTACH_MCAST, queuePair, GROUP)).isZero();
        program.close();
        assertThat(device.census()).isEqualTo(Census.EMPTY);
    }

    @Test
    void addressesThatLeadNowhereAreRefused() {
        int at = CreateAh.ATTRIBUTES;
        assertThat(createAh(in -> CreateAh.setPdHandle(in, 0, 12345))).isEqualTo(Errno.ENOENT);
        assertThat(createAh(in -> AhAttributes.setPortNum(in, at, 2))).isEqualTo(Errno.EINVAL);
        assertThat(createAh(in -> AhAttributes.setIsGlobal(in, at, 0))).isEqualTo(Errno.EINVAL);
        assertThat(createAh(in -> AhAttributes.setSgidIndex(in, at, 9))).isEqualTo(Errno.ENODATA);
        assertThat(createAh(in -> AhAttributes.setSgidIndex(in, at, 0)))
                .as("IPv6 to IPv4")
                .isEqualTo(Errno.EINVAL);
        assertThat(createAh(in -> AhAttributes.setDgid(in, at, Gid.ZERO))).isEqualTo(Errno.EINVAL);
        int noAnswer = program.send(
                UverbsCommand.CREATE_AH,
                CreateAh.SIZE,
                CreateAhResponse.SIZE,
                in -> CreateAh.setPdHandle(in, 0, domain));
        assertThat(noAnswer).as("without room for the number").isEqualTo(Errno.EINVAL);
        assertThat(device.census().addressHandles()).isZero();
    }

    @Test
    void thereAreOnlySoManyAddressHandles() {
        assertThat(createAh(Program::asIs)).isZero();
        assertThat(createAh(in -> AhAttributes.setDgid(in, CreateAh.ATTRIBUTES, GROUP)))
                .isZero();
        int last = CreateAhResponse.ahHandle(program.out, 0);
        assertThat(createAh(Program::asIs)).isEqualTo(Errno.ENOMEM);
        assertThat(program.sendHandle(UverbsCommand.DESTROY_AH, last)).isZero();
        assertThat(createAh(Program::asIs)).isZero();
    }

    @Test
    void aQueuePairInAGroupIsBusy() {
        int queuePair = qp(QueuePairType.UD, Program::asIs);
        assertThat(group(UverbsCommand.ATTACH_MCAST, queuePair, GROUP)).isZero();
        assertThat(group(UverbsCommand.ATTACH_MCAST, queuePair, GROUP))
                .as("twice")
                .isZero();
        assertThat(program.destroyQp(queuePair)).isEqualTo(Errno.EBUSY);
        assertThat(group(UverbsCommand.DETACH_MCAST, queuePair, GROUP)).isZero();
        assertThat(group(UverbsCommand.DETACH_MCAST, queuePair, GROUP)).isEqualTo(Errno.EINVAL);
        assertThat(program.destroyQp(queuePair)).isZero();
    }

    @Test
    void onlyDatagramsHaveGroupsAndOnlyGroupsHaveMembers() {
        int connected = qp(QueuePairType.UC, Program::asIs);
        int datagrams = qp(QueuePairType.UD, Program::asIs);
        assertThat(group(UverbsCommand.ATTACH_MCAST, connected, GROUP)).isEqualTo(Errno.EINVAL);
        assertThat(group(UverbsCommand.ATTACH_MCAST, datagrams, PEER)).isEqualTo(Errno.EINVAL);
        assertThat(group(UverbsCommand.ATTACH_MCAST, 4711, GROUP)).isEqualTo(Errno.ENOENT);
        assertThat(group(UverbsCommand.DETACH_MCAST, domain, GROUP)).isEqualTo(Errno.EINVAL);
        assertThat(group(UverbsCommand.ATTACH_MCAST, datagrams, new Gid(0xff12L << 48, 1)))
                .as("IPv6")
                .isZero();
        assertThat(group(UverbsCommand.DETACH_MCAST, datagrams, new Gid(0xff12L << 48, 1)))
                .isZero();
    }

    @Test
    void datagramsGoToRtsWithAQkeyAndNoPeer() {
        int queuePair = qp(QueuePairType.UD, Program::asIs);
        assertThat(modify(queuePair, QueuePairState.INIT, QueuePairAttribute.PKEY_INDEX, QueuePairAttribute.PORT))
                .as("without a Q_Key")
                .isEqualTo(Errno.EINVAL);
        assertThat(modify(
                        queuePair,
                        QueuePairState.INIT,
                        QueuePairAttribute.PKEY_INDEX,
                        QueuePairAttribute.PORT,
                        QueuePairAttribute.QKEY))
                .isZero();
        assertThat(modify(queuePair, QueuePairState.RTR)).isZero();
        assertThat(modify(queuePair, QueuePairState.RTS, QueuePairAttribute.SEND_PSN))
                .isZero();
        assertThat(program.send(UverbsCommand.QUERY_QP, QueryQp.SIZE, QueryQpResponse.SIZE, in -> {
                    QueryQp.setQpHandle(in, 0, queuePair);
                    QueryQp.setAttrMask(in, 0, -1);
                }))
                .isZero();
        assertThat(QueryQpResponse.qkey(program.out, 0)).isEqualTo(0x1111_1111);
        assertThat(QueryQpResponse.sqPsn(program.out, 0)).isEqualTo(77);
        assertThat(QueryQpResponse.qpState(program.out, 0)).isEqualTo(QueuePairState.RTS.code());
    }

    private int modify(int queuePair, QueuePairState state, QueuePairAttribute... more) {
        EnumSet<QueuePairAttribute> mask = EnumSet.of(QueuePairAttribute.STATE, more);
        return program.send(UverbsCommand.MODIFY_QP, ModifyQp.SIZE, 0, in -> {
            ModifyQp.setQpHandle(in, 0, queuePair);
            ModifyQp.setAttrMask(in, 0, QueuePairAttribute.mask(mask));
            ModifyQp.setQpState(in, 0, state.code());
            ModifyQp.setPortNum(in, 0, 1);
            ModifyQp.setQkey(in, 0, 0x1111_1111);
            ModifyQp.setSqPsn(in, 0, 77);
        });
    }
}
