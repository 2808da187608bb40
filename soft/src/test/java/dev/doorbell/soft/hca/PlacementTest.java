package dev.doorbell.soft.hca;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.memory.Host;
import dev.doorbell.soft.fault.FaultInjector;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** ATOMIC WRITE and FLUSH (rules 3.7 and 3.15), by direct copy and by packets. */
@Timeout(60)
class PlacementTest {
    private static final int GLOBAL = 1;
    private static final int PERSISTENT = 2;
    private static final int RANGE = 0;
    private static final int WHOLE = 1;
    private static final int FLUSHABLE = Device.ALL_ACCESS | AccessFlag.FLUSH_GLOBAL.bit();
    private static final WorkCompletionStatus OK = WorkCompletionStatus.SUCCESS;
    private static final WorkCompletionStatus ACCESS = WorkCompletionStatus.REM_ACCESS_ERR;
    private static final WorkCompletionStatus INVALID = WorkCompletionStatus.REM_INV_REQ_ERR;

    static Stream<Named<Function<Endpoint.Options, MemoryWork>>> paths() {
        return Stream.of(Named.of("direct", MemoryWork::direct), Named.of("wire", MemoryWork::wired));
    }

    private static MemoryWork flushable(Function<Endpoint.Options, MemoryWork> path) {
        Endpoint.Options options = new Endpoint.Options();
        options.access = FLUSHABLE | AccessFlag.FLUSH_PERSISTENT.bit();
        return path.apply(options);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void anAtomicWriteStoresItsBytesAsTheyAre(Function<Endpoint.Options, MemoryWork> path) {
        MemoryWork work = path.apply(new Endpoint.Options());
        Device.Buffer target = work.there().buffer(24);
        work.postAtomicWrite(target.key(), target.address() + 8, 0x0102030405060708L, Long.BYTES);
        work.settle();
        assertThat(work.left.sent()).singleElement().satisfies(done -> {
            assertThat(done.status()).isEqualTo(OK);
            assertThat(done.opcode()).isEqualTo(WorkCompletionOpcode.ATOMIC_WRITE);
        });
        assertThat(Host.getLong(target.memory(), 0)).isZero();
        assertThat(Host.getLong(target.memory(), 8)).isEqualTo(0x0102030405060708L);
        assertThat(Host.getLong(target.memory(), 16)).isZero();
    }

    @ParameterizedTest
    @MethodSource("paths")
    void anAtomicWriteMustBeAlignedAndOfEightBytes(Function<Endpoint.Options, MemoryWork> path) {
        MemoryWork work = path.apply(new Endpoint.Options());
        Device.Buffer target = work.there().buffer(24);
        assertThat(work.atomicWrite(target.key(), target.address() + 4, 1)).isEqualTo(INVALID);

        work = path.apply(new Endpoint.Options());
        target = work.there().buffer(24);
        work.postAtomicWrite(target.key(), target.address(), 1, 4);
        assertThat(work.sent()).isEqualTo(WorkCompletionStatus.LOC_QP_OP_ERR);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void anAtomicWriteNeedsTheRightToWrite(Function<Endpoint.Options, MemoryWork> path) {
        MemoryWork work = path.apply(new Endpoint.Options());
        Device.Buffer target = work.there().buffer(24, AccessFlag.REMOTE_READ.bit());
        assertThat(work.atomicWrite(target.key(), target.address(), 1)).isEqualTo(ACCESS);

        Endpoint.Options readOnly = new Endpoint.Options();
        readOnly.access = AccessFlag.REMOTE_READ.bit();
        work = path.apply(readOnly);
        target = work.there().buffer(24);
        assertThat(work.atomicWrite(target.key(), target.address(), 1)).isEqualTo(INVALID);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void flushIsAnsweredForARangeAndForAll(Function<Endpoint.Options, MemoryWork> path) {
        MemoryWork work = flushable(path);
        Device.Buffer target = work.there().buffer(64, FLUSHABLE);
        Device.Buffer source = work.here().buffer(64).fill(1);
        work.left.write(1, target, 0, Endpoint.sge(source));
        work.postFlush(target.key(), target.address() + 8, 56, GLOBAL, RANGE);
        work.postFlush(target.key(), 0, 0, GLOBAL, WHOLE);
        work.settle();
        assertThat(work.left.sent())
                .extracting(Endpoint.Done::opcode)
                .containsExactly(
                        WorkCompletionOpcode.RDMA_WRITE, WorkCompletionOpcode.FLUSH, WorkCompletionOpcode.FLUSH);
        assertThat(target.memory().mismatch(source.memory())).isEqualTo(-1);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void flushIsRefusedByKeyRangeAndRight(Function<Endpoint.Options, MemoryWork> path) {
        MemoryWork work = flushable(path);
        Device.Buffer target = work.there().buffer(64, FLUSHABLE);
        assertThat(work.flush(target.key() ^ 1, target.address(), 8, GLOBAL, RANGE))
                .isEqualTo(ACCESS);
        work = flushable(path);
        target = work.there().buffer(64, FLUSHABLE);
        assertThat(work.flush(target.key(), target.address() + 57, 8, GLOBAL, RANGE))
                .isEqualTo(ACCESS);
        work = flushable(path);
        target = work.there().buffer(64);
        assertThat(work.flush(target.key(), target.address(), 8, GLOBAL, WHOLE)).isEqualTo(ACCESS);
        work = flushable(path);
        target = work.there().buffer(64, FLUSHABLE);
        assertThat(work.flush(target.key(), target.address(), 8, PERSISTENT, RANGE))
                .isEqualTo(ACCESS);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void flushOfAnUnknownKindOrWithoutTheQueuePairsRightIsInvalid(Function<Endpoint.Options, MemoryWork> path) {
        MemoryWork work = flushable(path);
        Device.Buffer target = work.there().buffer(64, FLUSHABLE);
        assertThat(work.flush(target.key(), target.address(), 8, 0, RANGE)).isEqualTo(INVALID);
        work = flushable(path);
        target = work.there().buffer(64, FLUSHABLE);
        assertThat(work.flush(target.key(), target.address(), 8, GLOBAL, 2)).isEqualTo(INVALID);
        work = path.apply(new Endpoint.Options());
        target = work.there().buffer(64, FLUSHABLE);
        assertThat(work.flush(target.key(), target.address(), 8, GLOBAL, RANGE)).isEqualTo(INVALID);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void flushReachesAWindow(Function<Endpoint.Options, MemoryWork> path) {
        MemoryWork work = flushable(path);
        Device.Buffer target = work.there().buffer(64, FLUSHABLE | AccessFlag.MW_BIND.bit());
        HcaMemoryWindow window = work.window(HcaMemoryWindow.TYPE_1);
        assertThat(work.bind(window, target, 8, 16, AccessFlag.FLUSH_GLOBAL.bit()))
                .isEqualTo(OK);
        assertThat(work.flush(window.rkey(), target.address() + 8, 16, GLOBAL, RANGE))
                .isEqualTo(OK);
        assertThat(work.flush(window.rkey(), 0, 0, GLOBAL, WHOLE)).isEqualTo(OK);
        assertThat(work.flush(window.rkey(), target.address() + 8, 17, GLOBAL, RANGE))
                .isEqualTo(ACCESS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void lostRequestsAndAnswersAreRepaired(long seed) {
        Endpoint.Options options = new Endpoint.Options();
        options.access = FLUSHABLE;
        options.depth = 2;
        Wire wire = new Wire(
                FaultInjector.seeded(seed).loss(0.2).duplication(0.1),
                FaultInjector.seeded(~seed).loss(0.2));
        MemoryWork work = MemoryWork.over(wire, options);
        Device.Buffer target = work.there().buffer(8, FLUSHABLE);
        for (int round = 1; round <= 40; round++) {
            work.postAtomicWrite(target.key(), target.address(), round, Long.BYTES);
            work.postFlush(target.key(), target.address(), 8, GLOBAL, RANGE);
            work.settle();
            assertThat(work.left.sent()).extracting(Endpoint.Done::status).containsExactly(OK, OK);
            assertThat(Host.getLong(target.memory(), 0)).isEqualTo(round);
        }
    }
}
