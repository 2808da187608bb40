package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.abi.AsyncEvent;
import dev.doorbell.kernel.abi.CompletionEvent;
import dev.doorbell.kernel.abi.DestroyCqResponse;
import dev.doorbell.kernel.abi.DestroyQpResponse;
import dev.doorbell.kernel.abi.ModifyQp;
import dev.doorbell.kernel.abi.PostSend;
import dev.doorbell.kernel.abi.QueryQp;
import dev.doorbell.kernel.abi.QueryQpResponse;
import dev.doorbell.kernel.abi.RegMr;
import dev.doorbell.kernel.abi.RegMrResponse;
import dev.doorbell.kernel.abi.ReqNotifyCq;
import dev.doorbell.kernel.abi.RxeRdmaWr;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.kernel.abi.RxeSge;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.memory.Host;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.spec.WorkRequestOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work requests and the commands around them: doorbells, events, and closing in the middle of it all. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class TrafficTest {
    private static final long SECONDS_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long COOKIE = 0xfeed_0000_0001L;

    private final SoftNetwork network = SoftNetwork.builder().devices(1).seed(3).build();
    private final SoftDevice device = network.device("soft0");
    private final Gid gid = device.gids(1).get(1).gid();
    private Program program = Program.start(device);
    private int channel;
    private Connection sender = unconnected(-1, 1);
    private Connection receiver = unconnected(-1, 2);

    private Connection unconnected(int channelDescriptor, long cookie) {
        return new Connection(program, channelDescriptor, cookie);
    }

    @BeforeEach
    void connect() {
        channel = program.completionChannel();
        receiver = unconnected(channel, COOKIE);
        Connection.connect(sender, gid, receiver, gid);
    }

    @AfterEach
    void nothingIsLeft() {
        program.close();
        assertThat(device.census()).isEqualTo(Census.EMPTY);
        network.close();
    }

    @Test
    void aMessageArrives() {
        assertThat(device.census().queuePairs()).isEqualTo(3);
        receiver.receive(5);
        Host.setLong(sender.buffer, 0, 0x1122_3344_5566_7788L);
        assertThat(sender.send(4, 8)).isZero();
        assertThat(sender.poll()).isEqualTo(4);
        assertThat(receiver.poll()).isEqualTo(5);
        assertThat(Host.getLong(receiver.buffer, 0)).isEqualTo(0x1122_3344_5566_7788L);
        assertThat(sender.doorbell.isSystemCall()).isFalse();
    }

    @Test
    void theDoorbellIsAlsoACommand() {
        receiver.receive(5);
        sender.write(4, 8, WorkRequestOpcode.SEND, at -> {});
        assertThat(sender.poll()).isEqualTo(-1);
        assertThat(program.send(UverbsCommand.POST_SEND, 24, 4, in -> {
                    PostSend.setQpHandle(in, 0, sender.handle);
                    PostSend.setWqeSize(in, 0, 128);
                }))
                .isZero();
        assertThat(sender.poll()).isEqualTo(4);
    }

    @Test
    void anArmedQueueRaisesOneEvent() {
        EventFile events = program.channel.eventFile(channel);
        MemorySegment record = program.arena.allocate(CompletionEvent.SIZE);
        receiver.receive(1);
        receiver.receive(2);
        receiver.receive(3);
        sender.send(1, 8);
        assertThat(events.read(record, 0)).as("not armed").isZero();
        arm(receiver);
        sender.send(2, 8);
        sender.send(3, 8);
        assertThat(events.read(record, 0)).isEqualTo(8);
        assertThat(CompletionEvent.cookie(record, 0)).isEqualTo(COOKIE);
        assertThat(events.read(record, 0)).as("armed for one").isZero();
        assertThat(program.destroyQp(receiver.handle)).isZero();
        assertThat(program.destroyCq(receiver.completionQueue)).isZero();
        assertThat(DestroyCqResponse.compEventsReported(program.out, 0)).isEqualTo(1);
    }

    private void arm(Connection connection) {
        assertThat(program.send(
                        UverbsCommand.REQ_NOTIFY_CQ,
                        ReqNotifyCq.SIZE,
                        0,
                        in -> ReqNotifyCq.setCqHandle(in, 0, connection.completionQueue)))
                .isZero();
    }

    @Test
    void aWaiterIsWokenByACompletion() throws Exception {
        EventFile events = program.channel.eventFile(channel);
        MemorySegment record = program.arena.allocate(CompletionEvent.SIZE);
        receiver.receive(1);
        arm(receiver);
        FutureTask<Integer> waiter = new FutureTask<>(() -> events.read(record, SECONDS_NS));
        Thread thread = Thread.ofVirtual().start(waiter);
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        sender.send(1, 8);
        assertThat(waiter.get()).isEqualTo(8);
    }

    @Test
    void receiverNotReadyIsRetriedWithoutAnybodyPolling() {
        sender.send(1, 8);
        assertThat(sender.completions.producerAcquire()).isZero();
        receiver.receive(2);
        while (sender.completions.producerAcquire() == 0) {
            Thread.onSpinWait();
        }
        assertThat(sender.poll()).isEqualTo(1);
        assertThat(sender.lastStatus).isEqualTo(WorkCompletionStatus.SUCCESS.code());
    }

    @Test
    void aPeersBadRequestRaisesAnAsynchronousEvent() {
        sender.write(1, 8, WorkRequestOpcode.RDMA_WRITE, at -> {
            RxeRdmaWr.setRemoteAddr(sender.sends.memory(), at, receiver.buffer.address());
            RxeSendWqe.setIova(sender.sends.memory(), at, receiver.buffer.address());
            RxeRdmaWr.setRkey(sender.sends.memory(), at, receiver.key + 1);
        });
        assertThat(sender.doorbell.ring()).isZero();
        assertThat(sender.poll()).isEqualTo(1);
        assertThat(sender.lastStatus).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR.code());

        EventFile events = program.channel.eventFile(asynchronousDescriptor());
        MemorySegment record = program.arena.allocate(AsyncEvent.SIZE);
        assertThat(events.read(record, 0)).isEqualTo(16);
        assertThat(AsyncEvent.element(record, 0)).isEqualTo(COOKIE);
        assertThat(AsyncEventType.of(AsyncEvent.eventType(record, 0))).isEqualTo(AsyncEventType.QP_ACCESS_ERR);
        assertThat(program.destroyQp(receiver.handle)).isZero();
        assertThat(DestroyQpResponse.eventsReported(program.out, 0)).isEqualTo(1);
    }

    private int asynchronousDescriptor() {
        return program.asynchronousDescriptor;
    }

    @Test
    void attributesReadBack() {
        assertThat(program.send(
                        UverbsCommand.QUERY_QP,
                        QueryQp.SIZE,
                        QueryQpResponse.SIZE,
                        in -> QueryQp.setQpHandle(in, 0, sender.handle)))
                .isZero();
        MemorySegment out = program.out;
        assertThat(QueryQpResponse.qpState(out, 0)).isEqualTo(QueuePairState.RTS.code());
        assertThat(QueryQpResponse.destQpNum(out, 0)).isEqualTo(receiver.number);
        assertThat(QueryQpResponse.pathMtu(out, 0)).isEqualTo(3);
        assertThat(QueryQpResponse.timeout(out, 0)).isEqualTo(14);
        assertThat(QueryQpResponse.maxSendWr(out, 0)).isEqualTo(Connection.DEPTH);
        assertThat(QueryQpResponse.portNum(out, 0)).isEqualTo(1);
    }

    @Test
    void theErrorStateFlushes() {
        receiver.receive(1);
        receiver.receive(2);
        assertThat(receiver.modify(
                        QueuePairAttribute.STATE.bit(), in -> ModifyQp.setQpState(in, 0, QueuePairState.ERROR.code())))
                .isZero();
        assertThat(receiver.poll()).isEqualTo(1);
        assertThat(receiver.lastStatus).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR.code());
        assertThat(receiver.poll()).isEqualTo(2);
    }

    @Test
    void aDoorbellAfterTheEnd() {
        assertThat(program.destroyQp(sender.handle)).isZero();
        assertThat(sender.doorbell.ring()).isEqualTo(Errno.EINVAL);
        program.close();
        assertThat(receiver.doorbell.ring()).isEqualTo(Errno.EBADF);
        program = Program.start(device);
    }

    @Test
    void memoryThatIsClosedUnderARegionFailsTheWorkRequest() {
        try (Arena shortLived = Arena.ofShared()) {
            MemorySegment memory = shortLived.allocate(64);
            program.channel.pin(memory);
            assertThat(program.regMr(sender.domain, memory, 1, Program::asIs)).isZero();
        }
        int key = RegMrResponse.lkey(program.out, 0);
        long address = lastAddress();
        receiver.receive(1);
        sender.write(1, 8, WorkRequestOpcode.SEND, at -> {
            long sge = RxeSendWqe.sge(at, 0);
            RxeSge.setAddr(sender.sends.memory(), sge, address);
            RxeSge.setLkey(sender.sends.memory(), sge, key);
        });
        assertThat(sender.doorbell.ring()).isZero();
        assertThat(sender.poll()).isEqualTo(1);
        assertThat(sender.lastStatus).isNotEqualTo(WorkCompletionStatus.SUCCESS.code());
    }

    private long lastAddress() {
        return RegMr.start(program.in, 0);
    }

    /** Doorbells, receives and polls go on in one thread while another destroys, modifies and closes. */
    @Test
    void closingInTheMiddleOfTrafficIsSafe() throws Exception {
        Random random = new Random(77);
        for (int round = 0; round < 60; round++) {
            AtomicInteger rung = new AtomicInteger();
            Connection from = sender;
            Connection to = receiver;
            FutureTask<Integer> poster = new FutureTask<>(() -> post(from, to, rung));
            Thread thread = Thread.ofPlatform().daemon().start(poster);
            int patience = random.nextInt(200);
            while (rung.get() < patience) {
                Thread.onSpinWait();
            }
            if (random.nextBoolean()) {
                program.destroyQp(round % 2 == 0 ? from.handle : to.handle);
            }
            program.channel.close();
            int last = poster.get();
            assertThat(last).isIn(Errno.EBADF, Errno.EINVAL, -1);
            thread.join();
            assertThat(device.census()).isEqualTo(Census.EMPTY);
            program.close();
            program = Program.start(device);
            sender = unconnected(-1, 1);
            receiver = unconnected(-1, COOKIE);
            Connection.connect(sender, gid, receiver, gid);
        }
    }

    /** Rings until the doorbell refuses; the program's own ring accesses throw when the context is closed: -1. */
    private static int post(Connection from, Connection to, AtomicInteger rung) {
        try {
            for (long id = 0; ; id++) {
                to.receive(id);
                int errno = from.send(id, 64);
                rung.incrementAndGet();
                if (errno != 0) {
                    rung.set(Integer.MAX_VALUE);
                    return errno;
                }
                from.poll();
                to.poll();
            }
        } catch (IllegalStateException closed) {
            rung.set(Integer.MAX_VALUE);
            return -1;
        }
    }
}
