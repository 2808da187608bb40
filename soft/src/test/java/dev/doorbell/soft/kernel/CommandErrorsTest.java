package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.AllocPd;
import dev.doorbell.kernel.abi.CreateCq;
import dev.doorbell.kernel.abi.CreateCqResponse;
import dev.doorbell.kernel.abi.CreateQp;
import dev.doorbell.kernel.abi.CreateQpResponse;
import dev.doorbell.kernel.abi.ExCreateCq;
import dev.doorbell.kernel.abi.ExCreateCqResponse;
import dev.doorbell.kernel.abi.ModifyQp;
import dev.doorbell.kernel.abi.PostSend;
import dev.doorbell.kernel.abi.PostSendResponse;
import dev.doorbell.kernel.abi.QpDestination;
import dev.doorbell.kernel.abi.QueryPort;
import dev.doorbell.kernel.abi.QueryPortResponse;
import dev.doorbell.kernel.abi.QueryQp;
import dev.doorbell.kernel.abi.QueryQpResponse;
import dev.doorbell.kernel.abi.RegMr;
import dev.doorbell.kernel.abi.ReqNotifyCq;
import dev.doorbell.kernel.abi.ResizeCq;
import dev.doorbell.kernel.abi.ResizeCqResponse;
import dev.doorbell.kernel.abi.RxeCreateQpResponse;
import dev.doorbell.kernel.abi.RxeMmapInfo;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each way in which a command is refused, with the errno that Linux gives. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class CommandErrorsTest {
    private static final Set<UverbsCommand> KNOWN = EnumSet.of(
            UverbsCommand.GET_CONTEXT,
            UverbsCommand.QUERY_DEVICE,
            UverbsCommand.EX_QUERY_DEVICE,
            UverbsCommand.QUERY_PORT,
            UverbsCommand.ALLOC_PD,
            UverbsCommand.DEALLOC_PD,
            UverbsCommand.REG_MR,
            UverbsCommand.DEREG_MR,
            UverbsCommand.REREG_MR,
            UverbsCommand.ALLOC_MW,
            UverbsCommand.DEALLOC_MW,
            UverbsCommand.CREATE_COMP_CHANNEL,
            UverbsCommand.CREATE_CQ,
            UverbsCommand.EX_CREATE_CQ,
            UverbsCommand.RESIZE_CQ,
            UverbsCommand.REQ_NOTIFY_CQ,
            UverbsCommand.DESTROY_CQ,
            UverbsCommand.CREATE_QP,
            UverbsCommand.MODIFY_QP,
            UverbsCommand.QUERY_QP,
            UverbsCommand.DESTROY_QP,
            UverbsCommand.POST_SEND,
            UverbsCommand.CREATE_SRQ,
            UverbsCommand.MODIFY_SRQ,
            UverbsCommand.QUERY_SRQ,
            UverbsCommand.DESTROY_SRQ,
            UverbsCommand.CREATE_AH,
            UverbsCommand.DESTROY_AH,
            UverbsCommand.ATTACH_MCAST,
            UverbsCommand.DETACH_MCAST);

    private final SoftNetwork network = SoftNetwork.builder()
            .devices(1)
            .seed(1)
            .completionVectors(2)
            .limits(SoftLimits.builder()
                    .queuePairs(2)
                    .completionQueues(2)
                    .regions(2)
                    .domains(2)
                    .ringBytes(1 << 20)
                    .build())
            .build();
    private final SoftDevice device = network.device("soft0");
    private final Program program = Program.start(device);

    @AfterEach
    void nothingIsLeft() {
        program.close();
        assertThat(device.census()).isEqualTo(Census.EMPTY);
        network.close();
    }

    @ParameterizedTest
    @EnumSource(UverbsCommand.class)
    void segmentsThatAreTooShortAndCommandsThatAreLacking(UverbsCommand command) {
        int expected = KNOWN.contains(command) ? Errno.ENOSPC : Errno.EOPNOTSUPP;
        assertThat(program.send(command, 0, 0, Program::asIs)).isEqualTo(expected);
        boolean answers = program.send(command, 512, 0, Program::asIs) == Errno.ENOSPC;
        assertThat(answers).isEqualTo(KNOWN.contains(command) && answersAnything(command));
    }

    private static boolean answersAnything(UverbsCommand command) {
        return !EnumSet.of(
                        UverbsCommand.DEALLOC_PD,
                        UverbsCommand.DEREG_MR,
                        UverbsCommand.DEALLOC_MW,
                        UverbsCommand.REQ_NOTIFY_CQ,
                        UverbsCommand.MODIFY_QP,
                        UverbsCommand.MODIFY_SRQ,
                        UverbsCommand.DESTROY_AH,
                        UverbsCommand.ATTACH_MCAST,
                        UverbsCommand.DETACH_MCAST)
                .contains(command);
    }

    @ParameterizedTest
    @EnumSource(UverbsCommand.class)
    void nothingWorksBeforeGetContext(UverbsCommand command) {
        if (!KNOWN.contains(command) || command == UverbsCommand.GET_CONTEXT) {
            return;
        }
        try (Program early = Program.open(device)) {
            assertThat(early.send(command, 512, 512, 512, Program::asIs)).isEqualTo(Errno.EINVAL);
        }
    }

    @Test
    void getContextWorksOnce() {
        assertThat(program.getContext()).isEqualTo(Errno.EINVAL);
    }

    @Test
    void segmentsThatCannotBeUsed() {
        MemorySegment closed = closedSegment();
        MemorySegment in = program.arena.allocate(AllocPd.SIZE);
        MemorySegment readOnly = program.arena.allocate(64).asReadOnly();
        assertThat(program.channel.invoke(UverbsCommand.ALLOC_PD, in, closed, MemorySegment.NULL, MemorySegment.NULL))
                .isEqualTo(Errno.EFAULT);
        assertThat(program.channel.invoke(UverbsCommand.ALLOC_PD, in, readOnly, MemorySegment.NULL, MemorySegment.NULL))
                .isEqualTo(Errno.EFAULT);
    }

    private static MemorySegment closedSegment() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(64);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 255})
    void portsThatAreNotThere(int port) {
        assertThat(program.send(
                        UverbsCommand.QUERY_PORT,
                        QueryPort.SIZE,
                        QueryPortResponse.SIZE,
                        in -> QueryPort.setPortNum(in, 0, port)))
                .isEqualTo(Errno.EINVAL);
    }

    @ParameterizedTest
    @EnumSource(
            value = UverbsCommand.class,
            names = {"DEALLOC_PD", "DEREG_MR", "DEALLOC_MW"})
    void handlesThatAreNotThere(UverbsCommand command) {
        assertThat(program.sendHandle(command, 0)).isEqualTo(Errno.ENOENT);
        assertThat(program.sendHandle(command, program.cq(1))).isEqualTo(Errno.EINVAL);
    }

    @Test
    void queueHandlesThatAreNotThere() {
        int pd = program.pd();
        assertThat(program.destroyCq(pd)).isEqualTo(Errno.EINVAL);
        assertThat(program.destroyQp(pd)).isEqualTo(Errno.EINVAL);
        assertThat(program.send(UverbsCommand.REQ_NOTIFY_CQ, ReqNotifyCq.SIZE, 0, Program::asIs))
                .isEqualTo(Errno.ENOENT);
        assertThat(program.send(UverbsCommand.MODIFY_QP, ModifyQp.SIZE, 0, Program::asIs))
                .isEqualTo(Errno.ENOENT);
        assertThat(program.send(UverbsCommand.QUERY_QP, QueryQp.SIZE, QueryQpResponse.SIZE, Program::asIs))
                .isEqualTo(Errno.ENOENT);
        assertThat(program.send(
                        UverbsCommand.POST_SEND,
                        PostSend.SIZE,
                        PostSendResponse.SIZE,
                        in -> PostSend.setWqeSize(in, 0, 64)))
                .isEqualTo(Errno.ENOENT);
    }

    @Test
    void completionQueuesThatCannotBe() {
        assertThat(program.createCq(0, -1, 0, Program::asIs)).isEqualTo(Errno.EINVAL);
        assertThat(program.createCq(-1, -1, 0, Program::asIs)).isEqualTo(Errno.EINVAL);
        assertThat(program.createCq(32768, -1, 0, Program::asIs)).isEqualTo(Errno.EINVAL);
        assertThat(program.createCq(1, -1, 0, in -> CreateCq.setCompVector(in, 0, 2)))
                .isEqualTo(Errno.EINVAL);
        assertThat(program.createCq(1, 12345, 0, Program::asIs)).isEqualTo(Errno.EBADF);
        assertThat(program.send(UverbsCommand.CREATE_CQ, CreateCq.SIZE, CreateCqResponse.SIZE, 15, in -> {
                    CreateCq.setCqe(in, 0, 1);
                    CreateCq.setCompChannel(in, 0, -1);
                }))
                .as("the driver's answer does not fit")
                .isEqualTo(Errno.EINVAL);
        assertThat(program.createCq(32767, -1, 0, Program::asIs))
                .as("too many ring bytes")
                .isEqualTo(Errno.ENOMEM);
        program.cq(1);
        program.cq(1);
        assertThat(program.createCq(1, -1, 0, Program::asIs)).as("a third one").isEqualTo(Errno.ENOMEM);
    }

    @Test
    void extendedCompletionQueuesThatCannotBe() {
        assertThat(extendedCq(in -> ExCreateCq.setCompMask(in, 0, 1))).isEqualTo(Errno.EINVAL);
        assertThat(extendedCq(in -> ExCreateCq.setFlags(in, 0, 4))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(extendedCq(Program::asIs)).isZero();
        assertThat(ExCreateCqResponse.responseLength(program.out, 0)).isEqualTo(ExCreateCqResponse.SIZE);
        assertThat(CreateCqResponse.cqe(program.out, 0)).isEqualTo(3);
    }

    private int extendedCq(Consumer<MemorySegment> change) {
        return program.send(
                UverbsCommand.EX_CREATE_CQ, ExCreateCq.SIZE, ExCreateCqResponse.SIZE, RxeMmapInfo.SIZE, in -> {
                    ExCreateCq.setCqe(in, 0, 2);
                    ExCreateCq.setCompChannel(in, 0, -1);
                    change.accept(in);
                });
    }

    @Test
    void resizesThatCannotBe() {
        int cq = program.cq(1);
        assertThat(resize(cq + 1, 4)).isEqualTo(Errno.ENOENT);
        assertThat(resize(cq, 0)).isEqualTo(Errno.EINVAL);
        assertThat(resize(cq, 40000)).isEqualTo(Errno.EINVAL);
        assertThat(resize(cq, 4)).isZero();
        assertThat(ResizeCqResponse.cqe(program.out, 0)).isEqualTo(7);
    }

    private int resize(int cq, int entries) {
        return program.send(UverbsCommand.RESIZE_CQ, ResizeCq.SIZE, ResizeCqResponse.SIZE, RxeMmapInfo.SIZE, in -> {
            ResizeCq.setCqHandle(in, 0, cq);
            ResizeCq.setCqe(in, 0, entries);
        });
    }

    @Test
    void queuePairsThatCannotBe() {
        int pd = program.pd();
        int cq = program.cq(1);
        assertThat(program.createQp(cq, cq, Program::asIs)).as("no such domain").isEqualTo(Errno.EINVAL);
        assertThat(program.createQp(pd, pd, Program::asIs)).as("no such queue").isEqualTo(Errno.EINVAL);
        assertThat(program.createQp(pd, cq, in -> CreateQp.setQpType(in, 0, 8))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(program.createQp(pd, cq, in -> CreateQp.setQpType(in, 0, 77)))
                .isEqualTo(Errno.EINVAL);
        assertThat(program.createQp(pd, cq, in -> CreateQp.setMaxSendWr(in, 0, (1 << 20) + 1)))
                .isEqualTo(Errno.EINVAL);
        assertThat(program.createQp(pd, cq, in -> CreateQp.setMaxRecvWr(in, 0, -1)))
                .isEqualTo(Errno.EINVAL);
        assertThat(program.createQp(pd, cq, in -> CreateQp.setMaxSendSge(in, 0, 33)))
                .isEqualTo(Errno.EINVAL);
        assertThat(program.createQp(pd, cq, in -> CreateQp.setMaxRecvSge(in, 0, 33)))
                .isEqualTo(Errno.EINVAL);
        assertThat(program.createQp(pd, cq, in -> CreateQp.setMaxInlineData(in, 0, 513)))
                .isEqualTo(Errno.EINVAL);
        assertThat(program.createQp(pd, cq, in -> CreateQp.setMaxSendWr(in, 0, 1 << 20)))
                .as("too many ring bytes")
                .isEqualTo(Errno.ENOMEM);
        program.qp(pd, cq);
        program.qp(pd, cq);
        assertThat(program.createQp(pd, cq, Program::asIs)).as("a third one").isEqualTo(Errno.ENOMEM);
    }

    @Test
    void theDriversPartOfCreateQp() {
        int pd = program.pd();
        int cq = program.cq(1);
        MemorySegment in = program.arena.allocate(CreateQp.SIZE);
        CreateQp.setPdHandle(in, 0, pd);
        CreateQp.setSendCqHandle(in, 0, cq);
        CreateQp.setRecvCqHandle(in, 0, cq);
        CreateQp.setQpType(in, 0, Program.RC);
        MemorySegment out = program.arena.allocate(CreateQpResponse.SIZE);
        MemorySegment driver = program.arena.allocate(RxeCreateQpResponse.SIZE);
        assertThat(program.channel.invoke(UverbsCommand.CREATE_QP, in, out, driver.asSlice(0, 8), driver))
                .as("rxe takes no driver data")
                .isEqualTo(Errno.EINVAL);
        assertThat(program.channel.invoke(UverbsCommand.CREATE_QP, in, out, MemorySegment.NULL, driver.asSlice(0, 31)))
                .as("the answer does not fit")
                .isEqualTo(Errno.EINVAL);
        assertThat(program.channel.invoke(UverbsCommand.CREATE_QP, in, out, MemorySegment.NULL, driver))
                .isZero();
    }

    @Test
    void inlineBytesAndElementsShareTheirRoom() {
        int pd = program.pd();
        int cq = program.cq(1);
        assertThat(program.createQp(pd, cq, in -> CreateQp.setMaxInlineData(in, 0, 100)))
                .isZero();
        assertThat(CreateQpResponse.maxInlineData(program.out, 0)).isEqualTo(100);
        assertThat(CreateQpResponse.maxSendSge(program.out, 0)).isEqualTo(6);
        assertThat(program.createQp(pd, cq, in -> CreateQp.setMaxSendSge(in, 0, 4)))
                .isZero();
        assertThat(CreateQpResponse.maxInlineData(program.out, 0)).isEqualTo(64);
        assertThat(CreateQpResponse.maxSendSge(program.out, 0)).isEqualTo(4);
    }

    @Test
    void regionsThatCannotBe() {
        int pd = program.pd();
        MemorySegment memory = program.arena.allocate(3 * 4096, 4096);
        int write = AccessFlag.LOCAL_WRITE.bit();
        assertThat(program.regMr(pd, memory, write, Program::asIs))
                .as("not pinned")
                .isEqualTo(Errno.EFAULT);
        program.channel.pin(memory.asSlice(0, 4096));
        assertThat(program.regMr(pd, memory, write, Program::asIs))
                .as("half pinned")
                .isEqualTo(Errno.EFAULT);
        program.channel.pin(memory);
        assertThat(program.regMr(pd + 1, memory, write, Program::asIs)).isEqualTo(Errno.ENOENT);
        assertThat(program.regMr(pd, memory, AccessFlag.REMOTE_WRITE.bit(), Program::asIs))
                .isEqualTo(Errno.EINVAL);
        assertThat(program.regMr(pd, memory, AccessFlag.REMOTE_ATOMIC.bit(), Program::asIs))
                .isEqualTo(Errno.EINVAL);
        assertThat(program.regMr(pd, memory, write | 1 << 19, Program::asIs)).isEqualTo(Errno.EINVAL);
        assertThat(program.regMr(pd, memory, write | AccessFlag.HUGETLB.bit(), Program::asIs))
                .isEqualTo(Errno.EOPNOTSUPP);
        assertThat(program.regMr(pd, memory, write | AccessFlag.FLUSH_PERSISTENT.bit(), Program::asIs))
                .as("no memory here is persistent")
                .isEqualTo(Errno.EINVAL);
        assertThat(program.regMr(pd, memory, write, in -> RegMr.setHcaVa(in, 0, memory.address() + 1)))
                .as("page offsets differ")
                .isEqualTo(Errno.EINVAL);
        assertThat(program.regMr(pd, memory, write, in -> RegMr.setLength(in, 0, 0)))
                .isEqualTo(Errno.EINVAL);
        assertThat(program.regMr(pd, memory, write, in -> RegMr.setLength(in, 0, -1)))
                .isEqualTo(Errno.EINVAL);
        assertThat(program.regMr(pd, memory, write, in -> RegMr.setHcaVa(in, 0, -4096)))
                .as("I/O addresses run over the end")
                .isEqualTo(Errno.EINVAL);
        assertThat(program.regMr(pd, memory, write, Program::asIs)).isZero();
        assertThat(program.regMr(pd, memory, write | AccessFlag.RELAXED_ORDERING.bit(), Program::asIs))
                .as("what a kernel may ignore is ignored")
                .isZero();
        assertThat(program.regMr(pd, memory, write, Program::asIs))
                .as("a third one")
                .isEqualTo(Errno.ENOMEM);
    }

    @Test
    void readOnlyMemoryIsReadOnly() {
        int pd = program.pd();
        MemorySegment memory = program.arena.allocate(64).asReadOnly();
        program.channel.pin(memory);
        assertThat(program.regMr(pd, memory, AccessFlag.LOCAL_WRITE.bit(), Program::asIs))
                .isEqualTo(Errno.EFAULT);
        assertThat(program.regMr(pd, memory, AccessFlag.REMOTE_READ.bit(), Program::asIs))
                .isZero();
    }

    @Test
    void tooManyDomains() {
        program.pd();
        program.pd();
        assertThat(program.allocatePd()).isEqualTo(Errno.ENOMEM);
    }

    @Test
    void modificationsThatCannotBe() {
        int qp = program.qp(program.pd(), program.cq(1));
        assertThat(modify(qp, 1 << 25, Program::asIs)).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(modify(qp, QueuePairAttribute.STATE.bit(), in -> ModifyQp.setQpState(in, 0, 7)))
                .isEqualTo(Errno.EINVAL);
        assertThat(modify(qp, QueuePairAttribute.STATE.bit(), in -> ModifyQp.setQpState(in, 0, 3)))
                .as("RESET to RTS")
                .isEqualTo(Errno.EINVAL);
        int init = QueuePairAttribute.mask(EnumSet.of(
                QueuePairAttribute.STATE,
                QueuePairAttribute.PKEY_INDEX,
                QueuePairAttribute.PORT,
                QueuePairAttribute.ACCESS_FLAGS));
        assertThat(modify(qp, init, in -> {
                    ModifyQp.setQpState(in, 0, QueuePairState.INIT.code());
                    ModifyQp.setPortNum(in, 0, 2);
                }))
                .isEqualTo(Errno.EINVAL);
        assertThat(modify(qp, init, in -> {
                    ModifyQp.setQpState(in, 0, QueuePairState.INIT.code());
                    ModifyQp.setPortNum(in, 0, 1);
                }))
                .isZero();
        assertThat(toReadyToReceive(qp, in -> QpDestination.setIsGlobal(in, ModifyQp.DEST, 0)))
                .isEqualTo(Errno.EINVAL);
        assertThat(toReadyToReceive(qp, in -> QpDestination.setPortNum(in, ModifyQp.DEST, 0)))
                .isEqualTo(Errno.EINVAL);
        assertThat(toReadyToReceive(qp, in -> QpDestination.setSgidIndex(in, ModifyQp.DEST, 2)))
                .as("an empty slot of the GID table")
                .isEqualTo(Errno.ENODATA);
        assertThat(toReadyToReceive(qp, in -> QpDestination.setSgidIndex(in, ModifyQp.DEST, 0)))
                .as("address families differ")
                .isEqualTo(Errno.EINVAL);
        assertThat(toReadyToReceive(qp, in -> ModifyQp.setPathMtu(in, 0, 6))).isEqualTo(Errno.EINVAL);
        assertThat(toReadyToReceive(qp, Program::asIs)).isZero();
    }

    private int toReadyToReceive(int qp, Consumer<MemorySegment> change) {
        int mask = QueuePairAttribute.mask(EnumSet.of(
                QueuePairAttribute.STATE,
                QueuePairAttribute.ADDRESS_VECTOR,
                QueuePairAttribute.PATH_MTU,
                QueuePairAttribute.DESTINATION_QP,
                QueuePairAttribute.RECEIVE_PSN,
                QueuePairAttribute.MAX_DEST_READ_ATOMIC,
                QueuePairAttribute.MIN_RNR_TIMER));
        return modify(qp, mask, in -> {
            ModifyQp.setQpState(in, 0, QueuePairState.RTR.code());
            ModifyQp.setPathMtu(in, 0, 3);
            ModifyQp.setDestQpNum(in, 0, 77);
            QpDestination.setDgid(in, ModifyQp.DEST, Gid.of(InetAddress.ofLiteral("127.0.0.1")));
            QpDestination.setSgidIndex(in, ModifyQp.DEST, 1);
            QpDestination.setIsGlobal(in, ModifyQp.DEST, 1);
            QpDestination.setPortNum(in, ModifyQp.DEST, 1);
            change.accept(in);
        });
    }

    private int modify(int qp, int mask, Consumer<MemorySegment> change) {
        return program.send(UverbsCommand.MODIFY_QP, ModifyQp.SIZE, 0, in -> {
            ModifyQp.setQpHandle(in, 0, qp);
            ModifyQp.setAttrMask(in, 0, mask);
            change.accept(in);
        });
    }
}
