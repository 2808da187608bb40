package dev.doorbell.soft.hca;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.RxeCqe;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory windows (rule 3.14), by direct copy and by packets. */
@Timeout(30)
class WindowTest {
    private static final int BINDABLE = Device.ALL_ACCESS | AccessFlag.MW_BIND.bit();
    private static final int READ = AccessFlag.REMOTE_READ.bit();
    private static final int WRITE = AccessFlag.REMOTE_WRITE.bit();
    private static final WorkCompletionStatus OK = WorkCompletionStatus.SUCCESS;
    private static final WorkCompletionStatus ACCESS = WorkCompletionStatus.REM_ACCESS_ERR;
    private static final WorkCompletionStatus BIND_ERROR = WorkCompletionStatus.MW_BIND_ERR;

    static Stream<Named<Supplier<MemoryWork>>> paths() {
        return Stream.of(Named.of("direct", MemoryWork::direct), Named.of("wire", MemoryWork::wired));
    }

    @ParameterizedTest
    @MethodSource("paths")
    void aWindowOfType1OpensItsPartOfTheRegion(Supplier<MemoryWork> path) {
        MemoryWork work = path.get();
        Device.Buffer region = work.there().buffer(256, BINDABLE);
        Device.Buffer source = work.here().buffer(256).fill(1);
        HcaMemoryWindow window = work.window(HcaMemoryWindow.TYPE_1);
        int before = window.rkey();
        assertThat(work.bind(window, region, 64, 128, WRITE | READ)).isEqualTo(OK);
        assertThat(window.rkey()).isNotEqualTo(before);
        assertThat(window.rkey() >>> 8).isEqualTo(before >>> 8);
        assertThat(work.write(window.rkey(), region.address() + 64, source, 128))
                .isEqualTo(OK);
        assertThat(region.memory().asSlice(64, 128).mismatch(source.memory().asSlice(0, 128)))
                .isEqualTo(-1);
        assertThat(work.read(window.rkey(), region.address() + 191, source, 1)).isEqualTo(OK);
        assertThat(work.write(window.rkey(), region.address() + 63, source, 2)).isEqualTo(ACCESS);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void nothingBeyondTheWindowIsReached(Supplier<MemoryWork> path) {
        MemoryWork work = path.get();
        Device.Buffer region = work.there().buffer(256, BINDABLE);
        Device.Buffer source = work.here().buffer(256).fill(1);
        HcaMemoryWindow window = work.window(HcaMemoryWindow.TYPE_2);
        assertThat(work.bind(window, region, 64, 128, WRITE)).isEqualTo(OK);
        assertThat(work.write(window.rkey(), region.address() + 65, source, 128))
                .isEqualTo(ACCESS);
        assertThat(Host.getLong(region.memory(), 128)).isZero();
    }

    @ParameterizedTest
    @MethodSource("paths")
    void aWindowGrantsWhatItWasBoundForAndNoMore(Supplier<MemoryWork> path) {
        MemoryWork work = path.get();
        Device.Buffer region = work.there().buffer(64, BINDABLE);
        HcaMemoryWindow window = work.window(HcaMemoryWindow.TYPE_1);
        assertThat(work.bind(window, region, 0, 64, READ)).isEqualTo(OK);
        assertThat(work.write(window.rkey(), region.address(), work.here().buffer(8), 8))
                .isEqualTo(ACCESS);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void anUnboundWindowOpensNothing(Supplier<MemoryWork> path) {
        MemoryWork work = path.get();
        Device.Buffer region = work.there().buffer(64, BINDABLE);
        HcaMemoryWindow window = work.window(HcaMemoryWindow.TYPE_1);
        assertThat(work.write(window.rkey(), region.address(), work.here().buffer(8), 8))
                .isEqualTo(ACCESS);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void bindingNothingShutsAWindowOfType1(Supplier<MemoryWork> path) {
        MemoryWork work = path.get();
        Device.Buffer region = work.there().buffer(64, BINDABLE);
        HcaMemoryWindow window = work.window(HcaMemoryWindow.TYPE_1);
        assertThat(work.bind(window, region, 0, 64, WRITE)).isEqualTo(OK);
        MemoryWork.bind(work.right, window.rkey(), window.rkey(), 0, 0, 0, 0);
        assertThat(work.outcome(work.right)).isEqualTo(OK);
        assertThat(work.write(window.rkey(), region.address(), work.here().buffer(8), 8))
                .isEqualTo(ACCESS);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void theKeyBeforeTheLastBindOpensNothing(Supplier<MemoryWork> path) {
        MemoryWork work = path.get();
        Device.Buffer region = work.there().buffer(64, BINDABLE);
        HcaMemoryWindow window = work.window(HcaMemoryWindow.TYPE_1);
        assertThat(work.bind(window, region, 0, 64, WRITE)).isEqualTo(OK);
        int stale = window.rkey();
        assertThat(work.bind(window, region, 0, 64, WRITE)).isEqualTo(OK);
        assertThat(work.write(stale, region.address(), work.here().buffer(8), 8))
                .isEqualTo(ACCESS);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void aWindowOfType2OpensToTheQueuePairThatBoundIt(Supplier<MemoryWork> path) {
        MemoryWork work = path.get();
        MemoryWork other = work.another();
        Device.Buffer region = work.there().buffer(64, BINDABLE);
        Device.Buffer source = work.here().buffer(8).fill(3);
        HcaMemoryWindow window = work.window(HcaMemoryWindow.TYPE_2);
        assertThat(work.bind(window, region, 0, 64, WRITE)).isEqualTo(OK);
        assertThat(work.write(window.rkey(), region.address(), source, 8)).isEqualTo(OK);
        assertThat(other.write(window.rkey(), region.address(), source, 8)).isEqualTo(ACCESS);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void aWindowOfType1OpensToEveryQueuePairOfItsDomain(Supplier<MemoryWork> path) {
        MemoryWork work = path.get();
        MemoryWork other = work.another();
        Device.Buffer region = work.there().buffer(64, BINDABLE);
        HcaMemoryWindow window = work.window(HcaMemoryWindow.TYPE_1);
        assertThat(work.bind(window, region, 0, 64, WRITE)).isEqualTo(OK);
        assertThat(other.write(window.rkey(), region.address(), work.here().buffer(8), 8))
                .isEqualTo(OK);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void aZeroBasedWindowCountsFromItsStart(Supplier<MemoryWork> path) {
        MemoryWork work = path.get();
        Device.Buffer region = work.there().buffer(64, BINDABLE);
        Device.Buffer source = work.here().buffer(8).fill(3);
        HcaMemoryWindow window = work.window(HcaMemoryWindow.TYPE_2);
        assertThat(work.bind(window, region, 16, 32, WRITE | AccessFlag.ZERO_BASED.bit()))
                .isEqualTo(OK);
        assertThat(work.write(window.rkey(), 8, source, 8)).isEqualTo(OK);
        assertThat(Host.getLong(region.memory(), 24)).isEqualTo(Host.getLong(source.memory(), 0));
        assertThat(work.write(window.rkey(), 25, source, 8)).isEqualTo(ACCESS);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void localInvalidateFreesAWindowOfType2(Supplier<MemoryWork> path) {
        MemoryWork work = path.get();
        Device.Buffer region = work.there().buffer(64, BINDABLE);
        HcaMemoryWindow window = work.window(HcaMemoryWindow.TYPE_2);
        assertThat(work.bind(window, region, 0, 64, WRITE)).isEqualTo(OK);
        assertThat(work.invalidate(window.rkey())).isEqualTo(OK);
        assertThat(work.bind(window, region, 0, 64, WRITE)).isEqualTo(OK);
        assertThat(work.invalidate(window.rkey())).isEqualTo(OK);
        assertThat(work.write(window.rkey(), region.address(), work.here().buffer(8), 8))
                .isEqualTo(ACCESS);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void sendWithInvalidateFreesAWindowOfThatQueuePair(Supplier<MemoryWork> path) {
        MemoryWork work = path.get();
        Device.Buffer region = work.there().buffer(64, BINDABLE);
        Device.Buffer source = work.here().buffer(3000).fill(5);
        Device.Buffer target = work.there().buffer(3000);
        HcaMemoryWindow window = work.window(HcaMemoryWindow.TYPE_2);
        assertThat(work.bind(window, region, 0, 64, WRITE)).isEqualTo(OK);
        int key = window.rkey();
        work.right.receive(9, Endpoint.sge(target));
        work.sendInvalidate(key, Endpoint.sge(source));
        assertThat(work.sent()).isEqualTo(OK);
        assertThat(work.right.received()).singleElement().satisfies(done -> {
            assertThat(done.status()).isEqualTo(OK);
            assertThat(done.bytes()).isEqualTo(3000);
            assertThat(done.flags() & RxeCqe.WITH_INVALIDATE).isNotZero();
            assertThat(Integer.reverseBytes(done.immediate())).isEqualTo(key);
        });
        assertThat(work.write(key, region.address(), source, 8)).isEqualTo(ACCESS);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void sendWithInvalidateOfSomethingElseBreaksBoth(Supplier<MemoryWork> path) {
        for (String wrong : List.of("unbound", "type 1", "region", "other queue pair", "stale key", "no such key")) {
            MemoryWork work = path.get();
            Device.Buffer region = work.there().buffer(64, BINDABLE);
            int key = somethingElse(work, wrong, region);
            work.right.receive(9, Endpoint.sge(work.there().buffer(8)));
            work.sendInvalidate(key, Endpoint.sge(work.here().buffer(8)));
            assertThat(work.sent()).as(wrong).isEqualTo(ACCESS);
            assertThat(work.right.received())
                    .as(wrong)
                    .extracting(Endpoint.Done::status)
                    .containsExactly(WorkCompletionStatus.REM_INV_REQ_ERR);
            assertThat(work.right.queuePair.state()).isEqualTo(QueuePairState.ERROR);
        }
    }

    private static int somethingElse(MemoryWork work, String what, Device.Buffer region) {
        HcaMemoryWindow window = work.window(what.equals("type 1") ? HcaMemoryWindow.TYPE_1 : HcaMemoryWindow.TYPE_2);
        switch (what) {
            case "type 1", "stale key" ->
                assertThat(work.bind(window, region, 0, 8, WRITE)).isEqualTo(OK);
            case "other queue pair" ->
                assertThat(work.another().bind(window, region, 0, 8, WRITE)).isEqualTo(OK);
            default -> {}
        }
        return switch (what) {
            case "region" -> region.key();
            case "stale key" -> window.rkey() ^ 1;
            case "no such key" -> window.rkey() ^ 0x4000_0000;
            default -> window.rkey();
        };
    }

    @Test
    void bindsThatAreRefused() {
        refused("a region without MW_BIND", Device.ALL_ACCESS, HcaMemoryWindow.TYPE_1, 0, 8, WRITE);
        refused("writes without LOCAL_WRITE", READ | AccessFlag.MW_BIND.bit(), HcaMemoryWindow.TYPE_1, 0, 8, WRITE);
        refused("beyond the region", BINDABLE, HcaMemoryWindow.TYPE_2, 60, 8, WRITE);
        refused("before the region", BINDABLE, HcaMemoryWindow.TYPE_2, -1, 8, WRITE);
        refused("no bytes on type 2", BINDABLE, HcaMemoryWindow.TYPE_2, 0, 0, WRITE);
        refused("a negative length", BINDABLE, HcaMemoryWindow.TYPE_2, 0, -8, WRITE);
        refused("zero-based type 1", BINDABLE, HcaMemoryWindow.TYPE_1, 0, 8, AccessFlag.ZERO_BASED.bit());
        refused("an unknown right", BINDABLE, HcaMemoryWindow.TYPE_2, 0, 8, 1 << 7);
    }

    private static void refused(String what, int regionAccess, int type, long offset, long length, int access) {
        MemoryWork work = MemoryWork.direct();
        Device.Buffer region = work.there().buffer(64, regionAccess);
        HcaMemoryWindow window = work.window(type);
        int key = window.rkey();
        assertThat(work.bind(window, region, offset, length, access)).as(what).isEqualTo(BIND_ERROR);
        assertThat(window.rkey()).as(what).isEqualTo(key);
        assertThat(region.region().deregister()).as(what).isZero();
        assertThat(work.right.queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void aBindNamesAWindowAndARegionOfItsDomain() {
        MemoryWork work = MemoryWork.direct();
        Device.Buffer region = work.there().buffer(64, BINDABLE);
        HcaMemoryWindow foreign = Objects.requireNonNull(work.there().hca.allocateWindow(new HcaProtectionDomain(), 1));
        assertThat(work.bind(foreign, region, 0, 8, WRITE)).isEqualTo(BIND_ERROR);

        work = MemoryWork.direct();
        HcaMemoryRegion other = Objects.requireNonNull(work.there()
                .hca
                .registerMemory(new HcaProtectionDomain(), region.memory(), region.address(), 64, BINDABLE));
        HcaMemoryWindow window = work.window(HcaMemoryWindow.TYPE_1);
        assertThat(work.bind(window, new Device.Buffer(region.memory(), other), 0, 8, WRITE))
                .isEqualTo(BIND_ERROR);

        work = MemoryWork.direct();
        MemoryWork.bind(work.right, region.key(), 1, region.key(), region.address(), 8, WRITE);
        assertThat(work.outcome(work.right)).isEqualTo(BIND_ERROR);
    }

    @Test
    void aBoundWindowOfType2IsNotBoundAgain() {
        MemoryWork work = MemoryWork.direct();
        Device.Buffer region = work.there().buffer(64, BINDABLE);
        HcaMemoryWindow window = work.window(HcaMemoryWindow.TYPE_2);
        assertThat(work.bind(window, region, 0, 8, WRITE)).isEqualTo(OK);
        assertThat(work.bind(window, region, 0, 8, WRITE)).isEqualTo(BIND_ERROR);
    }

    @Test
    void localInvalidateOfSomethingElseIsRefused() {
        for (String wrong : List.of("unbound", "type 1", "region", "other queue pair", "stale key", "no such key")) {
            MemoryWork work = MemoryWork.direct();
            int key = somethingElse(work, wrong, work.there().buffer(64, BINDABLE));
            assertThat(work.invalidate(key)).as(wrong).isEqualTo(WorkCompletionStatus.LOC_QP_OP_ERR);
        }
    }

    @Test
    void aRegionUnderAWindowStays() {
        MemoryWork work = MemoryWork.direct();
        Device.Buffer region = work.there().buffer(64, BINDABLE);
        HcaMemoryWindow window = work.window(HcaMemoryWindow.TYPE_2);
        HcaMemoryWindow second = work.window(HcaMemoryWindow.TYPE_1);
        assertThat(work.bind(window, region, 0, 8, WRITE)).isEqualTo(OK);
        assertThat(work.bind(second, region, 0, 8, WRITE)).isEqualTo(OK);
        assertThat(region.region().deregister()).isEqualTo(Errno.EINVAL);
        assertThat(region.region().reregister(region.region().unchanged())).isNull();
        assertThat(work.invalidate(window.rkey())).isEqualTo(OK);
        assertThat(region.region().deregister()).isEqualTo(Errno.EINVAL);
        second.deallocate();
        second.deallocate();
        assertThat(region.region().deregister()).isZero();
    }

    @ParameterizedTest
    @MethodSource("paths")
    void aDeallocatedWindowOpensNothing(Supplier<MemoryWork> path) {
        MemoryWork work = path.get();
        Device.Buffer region = work.there().buffer(64, BINDABLE);
        HcaMemoryWindow window = work.window(HcaMemoryWindow.TYPE_1);
        assertThat(work.bind(window, region, 0, 64, WRITE)).isEqualTo(OK);
        int key = window.rkey();
        window.deallocate();
        assertThat(work.write(key, region.address(), work.here().buffer(8), 8)).isEqualTo(ACCESS);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void bindsKeepTheirPlaceAmongOtherWork(Supplier<MemoryWork> path) {
        MemoryWork work = path.get();
        Device.Buffer region = work.there().buffer(64, BINDABLE);
        Device.Buffer message = work.here().buffer(8);
        HcaMemoryWindow window = work.window(HcaMemoryWindow.TYPE_2);
        Device.Buffer atPeer = work.here().buffer(5000);
        Device.Buffer atHome = work.there().buffer(5000).fill(9);
        int key = window.rkey();
        work.left.receive(1, Endpoint.sge(message));
        work.right.write(10, atPeer, 0, Endpoint.sge(atHome));
        work.right.read(11, atPeer, 0, Endpoint.sge(atHome));
        MemoryWork.bind(work.right, key, key ^ 1, region.key(), region.address(), 8, WRITE);
        work.right.send(12, Endpoint.sge(work.there().buffer(8)));
        work.settle();
        assertThat(work.right.sent())
                .extracting(Endpoint.Done::opcode)
                .containsExactly(
                        WorkCompletionOpcode.RDMA_WRITE,
                        WorkCompletionOpcode.RDMA_READ,
                        WorkCompletionOpcode.BIND_MW,
                        WorkCompletionOpcode.SEND);
        assertThat(work.left.received()).hasSize(1);
        assertThat(window.rkey()).isEqualTo(key ^ 1);
    }
}
