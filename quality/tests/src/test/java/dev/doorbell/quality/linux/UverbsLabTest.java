package dev.doorbell.quality.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.AllocPd;
import dev.doorbell.kernel.abi.AllocPdResponse;
import dev.doorbell.kernel.abi.CreateCq;
import dev.doorbell.kernel.abi.CreateCqResponse;
import dev.doorbell.kernel.abi.CreateQp;
import dev.doorbell.kernel.abi.CreateQpResponse;
import dev.doorbell.kernel.abi.DeallocPd;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.kernel.abi.ExQueryDevice;
import dev.doorbell.kernel.abi.ExQueryDeviceResponse;
import dev.doorbell.kernel.abi.GetContext;
import dev.doorbell.kernel.abi.GetContextResponse;
import dev.doorbell.kernel.abi.QueryDevice;
import dev.doorbell.kernel.abi.QueryDeviceResponse;
import dev.doorbell.kernel.abi.RxeCreateQpResponse;
import dev.doorbell.kernel.abi.RxeMmapInfo;
import dev.doorbell.kernel.abi.RxeQueueHeader;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.GidType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands, byte by byte, as Linux answers them: what docs/kernel-notes.md says, and what the embedded kernel copies. */
@Tag("lab")
@Timeout(60)
final class UverbsLabTest {
    private static final MemorySegment NONE = MemorySegment.NULL;
    private static final int QP_TYPE_RC = 2;

    private final KernelDevice device = Rxe0.device();
    private final CommandChannel channel = device.open();
    private final Arena arena = Arena.ofConfined();
    private EventFile asyncEvents;

    @BeforeEach
    void getContext() {
        MemorySegment answer = arena.allocate(GetContextResponse.SIZE);
        invoke(UverbsCommand.GET_CONTEXT, arena.allocate(GetContext.SIZE), answer, NONE);
        assertThat(GetContextResponse.numCompVectors(answer, 0)).isEqualTo(2);
        asyncEvents = channel.eventFile(GetContextResponse.asyncFd(answer, 0));
    }

    @AfterEach
    void close() {
        channel.close();
        arena.close();
    }

    @Test
    void sysfsTellsWhatTheDeviceIs() throws UnknownHostException {
        assertThat(device.driverId()).isEqualTo(DriverId.RXE);
        assertThat(device.driverAbi()).isEqualTo(2);
        assertThat(device.coreAbi()).isEqualTo(6);
        assertThat(device.ports()).isEqualTo(1);
        assertThat(device.obstacle()).isEmpty();
        assertThat(device.properties()).containsEntry("parent", "lab0");
        assertThat(device.pkey(1, 0)).isEqualTo(0xffff);
        assertThat(device.gids(1))
                .contains(new GidEntry(1, 1, Gid.of(InetAddress.getByName("10.77.0.1")), GidType.ROCE_V2, "lab0"))
                .allMatch(entry -> entry.netDevice().equals("lab0"));
    }

    @Test
    void capabilitiesAgreeWithSysfs() {
        MemorySegment answer = arena.allocate(QueryDeviceResponse.SIZE);
        invoke(UverbsCommand.QUERY_DEVICE, arena.allocate(QueryDevice.SIZE), answer, NONE);
        assertThat(QueryDeviceResponse.nodeGuid(answer, 0)).isEqualTo(device.nodeGuid());
        MemorySegment extended = arena.allocate(ExQueryDeviceResponse.SIZE);
        invoke(UverbsCommand.EX_QUERY_DEVICE, arena.allocate(ExQueryDevice.SIZE), extended, NONE);
        assertThat(extended.asSlice(0, QueryDeviceResponse.SIZE).mismatch(answer))
                .isEqualTo(-1);
    }

    @Test
    void aRingIsOfferedOnceAndEndsWithItsMapping() {
        CreatedQueue queue = createCompletionQueue(10);
        MemorySegment ring = map(queue.offer, 0);
        assertThat(RxeQueueHeader.indexMask(ring, 0)).isEqualTo(15);
        assertThat(CreateCqResponse.cqe(queue.answer, 0)).isEqualTo(15);
        assertThat(ring.byteSize()).isEqualTo(4096);
        assertThatThrownBy(() -> map(queue.offer, 0))
                .isInstanceOfSatisfying(
                        KernelException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        channel.unmap(ring);
        assertThatThrownBy(() -> RxeQueueHeader.indexMask(ring, 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aQueuePairHasTwoRingsAndADoorbell() {
        int domain = allocateDomain();
        CreatedQueue queue = createCompletionQueue(10);
        MemorySegment answer = arena.allocate(CreateQpResponse.SIZE);
        MemorySegment offers = arena.allocate(RxeCreateQpResponse.SIZE);
        invoke(UverbsCommand.CREATE_QP, queuePair(domain, CreateCqResponse.cqHandle(queue.answer, 0)), answer, offers);
        MemorySegment sendRing = map(offers, RxeCreateQpResponse.SEND_QUEUE);
        MemorySegment receiveRing = map(offers, RxeCreateQpResponse.RECEIVE_QUEUE);
        assertThat(RxeQueueHeader.indexMask(sendRing, 0)).isEqualTo(15);
        assertThat(RxeQueueHeader.indexMask(receiveRing, 0)).isEqualTo(15);
        assertThat(CreateQpResponse.maxSendSge(answer, 0)).isEqualTo(4);
        assertThat(channel.doorbell(CreateQpResponse.qpHandle(answer, 0)).ring())
                .as("in RESET")
                .isEqualTo(Errno.EINVAL);
        assertThat(channel.doorbell(12345).ring()).as("no such queue pair").isEqualTo(Errno.ENOENT);
        MemorySegment dealloc = arena.allocate(DeallocPd.SIZE);
        DeallocPd.setPdHandle(dealloc, 0, domain);
        assertThat(channel.invoke(UverbsCommand.DEALLOC_PD, dealloc, NONE, NONE, NONE))
                .as("domain in use")
                .isEqualTo(Errno.EBUSY);
    }

    @Test
    void commandsBeforeGetContextAreRefused() {
        try (CommandChannel fresh = device.open()) {
            MemorySegment answer = arena.allocate(AllocPdResponse.SIZE);
            assertThat(fresh.invoke(UverbsCommand.ALLOC_PD, arena.allocate(AllocPd.SIZE), answer, NONE, NONE))
                    .isEqualTo(Errno.EINVAL);
        }
    }

    @Test
    void waitingForEventsEndsInTime() {
        assertThat(asyncEvents.read(arena.allocate(16), 1_000_000)).isZero();
    }

    private int allocateDomain() {
        MemorySegment answer = arena.allocate(AllocPdResponse.SIZE);
        invoke(UverbsCommand.ALLOC_PD, arena.allocate(AllocPd.SIZE), answer, NONE);
        return AllocPdResponse.pdHandle(answer, 0);
    }

    private CreatedQueue createCompletionQueue(int entries) {
        CreatedQueue queue = new CreatedQueue(arena.allocate(CreateCqResponse.SIZE), arena.allocate(RxeMmapInfo.SIZE));
        MemorySegment request = arena.allocate(CreateCq.SIZE);
        CreateCq.setCqe(request, 0, entries);
        CreateCq.setCompChannel(request, 0, -1);
        invoke(UverbsCommand.CREATE_CQ, request, queue.answer, queue.offer);
        return queue;
    }

    private record CreatedQueue(MemorySegment answer, MemorySegment offer) {}

    private MemorySegment queuePair(int domain, int completionQueue) {
        MemorySegment request = arena.allocate(CreateQp.SIZE);
        CreateQp.setPdHandle(request, 0, domain);
        CreateQp.setSendCqHandle(request, 0, completionQueue);
        CreateQp.setRecvCqHandle(request, 0, completionQueue);
        CreateQp.setMaxSendWr(request, 0, 10);
        CreateQp.setMaxRecvWr(request, 0, 10);
        CreateQp.setMaxSendSge(request, 0, 2);
        CreateQp.setMaxRecvSge(request, 0, 1);
        CreateQp.setMaxInlineData(request, 0, 64);
        CreateQp.setQpType(request, 0, QP_TYPE_RC);
        return request;
    }

    private void invoke(
            UverbsCommand command, MemorySegment request, MemorySegment answer, MemorySegment driverAnswer) {
        assertThat(channel.invoke(command, request, answer, NONE, driverAnswer))
                .as(command.name())
                .isZero();
    }

    private MemorySegment map(MemorySegment offers, long at) {
        return channel.map(RxeMmapInfo.offset(offers, at), RxeMmapInfo.length(offers, at));
    }
}
