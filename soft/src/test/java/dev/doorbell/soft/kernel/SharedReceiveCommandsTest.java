package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.abi.AsyncEvent;
import dev.doorbell.kernel.abi.CreateQp;
import dev.doorbell.kernel.abi.CreateQpResponse;
import dev.doorbell.kernel.abi.CreateSrq;
import dev.doorbell.kernel.abi.CreateSrqResponse;
import dev.doorbell.kernel.abi.DestroySrq;
import dev.doorbell.kernel.abi.DestroySrqResponse;
import dev.doorbell.kernel.abi.ModifyQp;
import dev.doorbell.kernel.abi.ModifySrq;
import dev.doorbell.kernel.abi.QuerySrq;
import dev.doorbell.kernel.abi.QuerySrqResponse;
import dev.doorbell.kernel.abi.RxeCreateSrqResponse;
import dev.doorbell.kernel.abi.RxeMmapInfo;
import dev.doorbell.kernel.abi.RxeModifySrq;
import dev.doorbell.kernel.abi.RxeQueueHeader;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CREATE_SRQ, MODIFY_SRQ, QUERY_SRQ, DESTROY_SRQ, and queue pairs on a shared receive queue. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class SharedReceiveCommandsTest {
    private static final long COOKIE = 0xfeed_0000_0002L;
    private static final int MAX_WR = 1;
    private static final int LIMIT = 2;

    private final SoftNetwork network = SoftNetwork.builder().devices(1).seed(1).build();
    private final SoftDevice device = network.device("soft0");
    private final Program program = Program.start(device);
    private final int pd = program.pd();

    @AfterEach
    void nothingIsLeft() {
        program.close();
        assertThat(device.census()).isEqualTo(Census.EMPTY);
        network.close();
    }

    private int create(int requests, int sge, Consumer<MemorySegment> change) {
        return program.send(
                UverbsCommand.CREATE_SRQ, CreateSrq.SIZE, CreateSrqResponse.SIZE, RxeCreateSrqResponse.SIZE, in -> {
                    CreateSrq.setPdHandle(in, 0, pd);
                    CreateSrq.setMaxWr(in, 0, requests);
                    CreateSrq.setMaxSge(in, 0, sge);
                    CreateSrq.setUserHandle(in, 0, COOKIE);
                    change.accept(in);
                });
    }

    private int srq(int requests) {
        assertThat(create(requests, 2, Program::asIs)).isZero();
        return CreateSrqResponse.srqHandle(program.out, 0);
    }

    private int modify(int srq, int mask, int requests, int limit) {
        MemorySegment driver = program.arena.allocate(RxeModifySrq.SIZE + RxeMmapInfo.SIZE, 8);
        RxeModifySrq.setMmapInfoAddr(driver, 0, driver.address() + RxeModifySrq.SIZE);
        return modify(srq, mask, requests, limit, driver);
    }

    private int modify(int srq, int mask, int requests, int limit, MemorySegment driver) {
        MemorySegment in = program.arena.allocate(ModifySrq.SIZE, 8);
        ModifySrq.setSrqHandle(in, 0, srq);
        ModifySrq.setAttrMask(in, 0, mask);
        ModifySrq.setMaxWr(in, 0, requests);
        ModifySrq.setSrqLimit(in, 0, limit);
        program.driverOut = driver;
        return program.channel.invoke(UverbsCommand.MODIFY_SRQ, in, MemorySegment.NULL, driver, MemorySegment.NULL);
    }

    private int query(int srq) {
        return program.send(
                UverbsCommand.QUERY_SRQ, QuerySrq.SIZE, QuerySrqResponse.SIZE, in -> QuerySrq.setSrqHandle(in, 0, srq));
    }

    private int destroy(int srq) {
        return program.send(
                UverbsCommand.DESTROY_SRQ,
                DestroySrq.SIZE,
                DestroySrqResponse.SIZE,
                in -> DestroySrq.setSrqHandle(in, 0, srq));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "-1, 1", "1048577, 1", "1, 28", "1, -1"})
    void sizesThatCannotBe(int requests, int sge) {
        assertThat(create(requests, sge, Program::asIs)).isEqualTo(Errno.EINVAL);
        assertThat(device.census().sharedQueues()).isZero();
    }

    @Test
    void theAnswerSaysWhatTheRingHolds() {
        assertThat(create(10, 0, Program::asIs)).isZero();
        assertThat(CreateSrqResponse.maxWr(program.out, 0)).isEqualTo(15);
        assertThat(CreateSrqResponse.maxSge(program.out, 0)).isEqualTo(1);
        MemorySegment ring =
                program.channel.map(RxeMmapInfo.offset(program.driverOut, 0), RxeMmapInfo.length(program.driverOut, 0));
        assertThat(RxeQueueHeader.indexMask(ring, 0)).isEqualTo(15);
        assertThat(1 << RxeQueueHeader.log2ElemSize(ring, 0)).isGreaterThanOrEqualTo(40 + 16);
        assertThat(create(10, 1, in -> CreateSrq.setPdHandle(in, 0, pd + 1))).isEqualTo(Errno.ENOENT);
    }

    @Test
    void attributesReadBack() {
        int srq = srq(10);
        assertThat(modify(srq, LIMIT, 0, 7)).isZero();
        assertThat(query(srq)).isZero();
        assertThat(QuerySrqResponse.maxWr(program.out, 0)).isEqualTo(15);
        assertThat(QuerySrqResponse.maxSge(program.out, 0)).isEqualTo(2);
        assertThat(QuerySrqResponse.srqLimit(program.out, 0)).isEqualTo(7);
        assertThat(query(srq + 1)).isEqualTo(Errno.ENOENT);
        assertThat(query(pd)).isEqualTo(Errno.EINVAL);
    }

    @Test
    void modificationsThatCannotBe() {
        int srq = srq(10);
        assertThat(modify(srq, LIMIT, 0, 16)).as("more than it holds").isEqualTo(Errno.EINVAL);
        assertThat(modify(srq, LIMIT, 0, -1)).isEqualTo(Errno.EINVAL);
        assertThat(modify(srq, MAX_WR, 0, 0)).isEqualTo(Errno.EINVAL);
        assertThat(modify(srq, MAX_WR, 1 << 21, 0)).isEqualTo(Errno.EINVAL);
        assertThat(modify(srq, 4, 0, 0)).isEqualTo(Errno.EINVAL);
        assertThat(modify(srq, LIMIT, 0, 1, MemorySegment.NULL))
                .as("no driver's part")
                .isEqualTo(Errno.EINVAL);
        assertThat(modify(srq + 1, LIMIT, 0, 1)).isEqualTo(Errno.ENOENT);
        assertThat(modify(srq, LIMIT, 0, 9)).isZero();
        assertThat(modify(srq, MAX_WR, 8, 0)).as("below the limit").isEqualTo(Errno.EINVAL);
    }

    @Test
    void aResizedQueueIsMappedAnew() {
        int srq = srq(10);
        assertThat(modify(srq, MAX_WR, 100, 0)).isZero();
        MemorySegment ring = program.channel.map(
                RxeMmapInfo.offset(program.driverOut, RxeModifySrq.SIZE),
                RxeMmapInfo.length(program.driverOut, RxeModifySrq.SIZE));
        assertThat(RxeQueueHeader.indexMask(ring, 0)).isEqualTo(127);
        assertThat(query(srq)).isZero();
        assertThat(QuerySrqResponse.maxWr(program.out, 0)).isEqualTo(127);
    }

    @Test
    void noMemoryIsWrittenThatDidNotComeWithTheCommand() {
        int srq = srq(10);
        MemorySegment elsewhere = program.arena.allocate(RxeMmapInfo.SIZE, 8);
        for (long offset : new long[] {elsewhere.address(), 0, -1}) {
            MemorySegment driver = program.arena.allocate(RxeModifySrq.SIZE + RxeMmapInfo.SIZE, 8);
            RxeModifySrq.setMmapInfoAddr(driver, 0, offset);
            assertThat(modify(srq, MAX_WR, 100, 0, driver)).isEqualTo(Errno.EFAULT);
        }
        MemorySegment small = program.arena.allocate(RxeModifySrq.SIZE + RxeMmapInfo.SIZE - 8, 8);
        RxeModifySrq.setMmapInfoAddr(small, 0, small.address() + RxeModifySrq.SIZE);
        assertThat(modify(srq, MAX_WR, 100, 0, small)).isEqualTo(Errno.EFAULT);
        assertThat(query(srq)).isZero();
        assertThat(QuerySrqResponse.maxWr(program.out, 0)).isEqualTo(15);
    }

    @Test
    void whatIsInUseIsNotDestroyed() {
        int srq = srq(10);
        int cq = program.cq(8);
        assertThat(program.createQp(pd, cq, in -> {
                    CreateQp.setIsSrq(in, 0, 1);
                    CreateQp.setSrqHandle(in, 0, srq + 1);
                }))
                .isEqualTo(Errno.ENOENT);
        assertThat(program.createQp(pd, cq, in -> {
                    CreateQp.setIsSrq(in, 0, 1);
                    CreateQp.setSrqHandle(in, 0, srq);
                    CreateQp.setMaxRecvWr(in, 0, -1);
                }))
                .as("a receive queue that is not made has no size")
                .isZero();
        int qp = CreateQpResponse.qpHandle(program.out, 0);
        assertThat(CreateQpResponse.maxRecvWr(program.out, 0)).isZero();
        assertThat(destroy(srq)).isEqualTo(Errno.EBUSY);
        assertThat(program.sendHandle(UverbsCommand.DEALLOC_PD, pd)).isEqualTo(Errno.EBUSY);
        assertThat(program.destroyQp(qp)).isZero();
        assertThat(destroy(srq)).isZero();
        assertThat(destroy(srq)).isEqualTo(Errno.ENOENT);
        assertThat(program.sendHandle(UverbsCommand.DEALLOC_PD, pd)).isZero();
    }

    @Test
    void theEventsOfAQueuePairOnItAreCounted() {
        int srq = srq(10);
        int cq = program.cq(8);
        assertThat(program.createQp(pd, cq, in -> {
                    CreateQp.setIsSrq(in, 0, 1);
                    CreateQp.setSrqHandle(in, 0, srq);
                    CreateQp.setUserHandle(in, 0, 7);
                }))
                .isZero();
        int qp = CreateQpResponse.qpHandle(program.out, 0);
        toInit(qp);
        assertThat(program.send(UverbsCommand.MODIFY_QP, ModifyQp.SIZE, 0, in -> {
                    ModifyQp.setQpHandle(in, 0, qp);
                    ModifyQp.setAttrMask(in, 0, QueuePairAttribute.STATE.bit());
                    ModifyQp.setQpState(in, 0, QueuePairState.ERROR.code());
                }))
                .isZero();
        EventFile events = program.channel.eventFile(program.asynchronousDescriptor);
        MemorySegment record = program.arena.allocate(AsyncEvent.SIZE);
        assertThat(events.read(record, 0)).isEqualTo(AsyncEvent.SIZE);
        assertThat(AsyncEvent.element(record, 0)).isEqualTo(7);
        assertThat(AsyncEventType.of(AsyncEvent.eventType(record, 0))).isEqualTo(AsyncEventType.QP_LAST_WQE_REACHED);
        assertThat(program.destroyQp(qp)).isZero();
        assertThat(dev.doorbell.kernel.abi.DestroyQpResponse.eventsReported(program.out, 0))
                .isEqualTo(1);
        assertThat(destroy(srq)).isZero();
        assertThat(DestroySrqResponse.eventsReported(program.out, 0)).isZero();
    }

    private void toInit(int qp) {
        assertThat(program.send(UverbsCommand.MODIFY_QP, ModifyQp.SIZE, 0, in -> {
                    ModifyQp.setQpHandle(in, 0, qp);
                    ModifyQp.setAttrMask(
                            in,
                            0,
                            QueuePairAttribute.STATE.bit()
                                    | QueuePairAttribute.PKEY_INDEX.bit()
                                    | QueuePairAttribute.PORT.bit()
                                    | QueuePairAttribute.ACCESS_FLAGS.bit());
                    ModifyQp.setQpState(in, 0, QueuePairState.INIT.code());
                    ModifyQp.setPortNum(in, 0, 1);
                }))
                .isZero();
    }

    @Test
    void thereAreOnlySoMany() {
        try (SoftNetwork scarce = SoftNetwork.builder()
                        .devices(1)
                        .limits(SoftLimits.builder().ringBytes(1 << 16).build())
                        .build();
                Program other = Program.start(scarce.device("soft0"))) {
            int domain = other.pd();
            int errno = 0;
            for (int made = 0; errno == 0 && made < 100; made++) {
                errno = other.send(
                        UverbsCommand.CREATE_SRQ,
                        CreateSrq.SIZE,
                        CreateSrqResponse.SIZE,
                        RxeCreateSrqResponse.SIZE,
                        in -> {
                            CreateSrq.setPdHandle(in, 0, domain);
                            CreateSrq.setMaxWr(in, 0, 10);
                        });
            }
            assertThat(errno).isEqualTo(Errno.ENOMEM);
        }
    }

    @Test
    void aLimitThatIsReachedIsAnEventWithItsCookie() {
        int srq = srq(10);
        SharedReceiveQueue queue =
                ((SoftContext) program.channel).objects().sharedQueues.find(srq);
        assertThat(queue).isNotNull();
        queue.limitReached();
        EventFile events = program.channel.eventFile(program.asynchronousDescriptor);
        MemorySegment record = program.arena.allocate(AsyncEvent.SIZE);
        assertThat(events.read(record, 0)).isEqualTo(AsyncEvent.SIZE);
        assertThat(AsyncEvent.element(record, 0)).isEqualTo(COOKIE);
        assertThat(AsyncEventType.of(AsyncEvent.eventType(record, 0))).isEqualTo(AsyncEventType.SRQ_LIMIT_REACHED);
        assertThat(destroy(srq)).isZero();
        assertThat(DestroySrqResponse.eventsReported(program.out, 0)).isEqualTo(1);
    }
}
