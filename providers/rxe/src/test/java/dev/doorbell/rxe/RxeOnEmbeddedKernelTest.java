package dev.doorbell.rxe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.ProviderContext.QueuePairRequest;
import dev.doorbell.verbs.spi.ReceiveQueue;
import dev.doorbell.verbs.spi.SendQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The driver against the other implementer of its ABI: what it writes is understood, and what comes back is read. */
@Timeout(60)
class RxeOnEmbeddedKernelTest {
    private static final int WRITE = 0;
    private static final int WRITE_IMM = 1;
    private static final int SEND = 2;
    private static final int SEND_IMM = 3;
    private static final int READ = 4;
    private static final int COMPARE_SWAP = 5;
    private static final int FETCH_ADD = 6;
    private static final int SIGNALED = 2;
    private static final int OK = WorkCompletionStatus.SUCCESS.code();
    private static final int WITH_IMM = 2;

    private final EmbeddedPair world = new EmbeddedPair();
    private final EmbeddedPair.End left = world.left;
    private final EmbeddedPair.End right = world.right;
    private final SendQueue queue = left.pair.sendQueue();

    @AfterEach
    void nothingIsLeftBehind() {
        world.close();
    }

    private void post(long id, int opcode, Runnable setters) {
        queue.begin();
        assertThat(queue.request(id, opcode)).isTrue();
        queue.flags(SIGNALED);
        setters.run();
        queue.seal();
        assertThat(queue.commit()).isZero();
    }

    private static void fill(MemorySegment memory, int seed) {
        IntStream.range(0, EmbeddedPair.BYTES)
                .forEach(at -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) (at * 31 + seed)));
    }

    private static MemorySegment part(EmbeddedPair.End end, long offset, long length) {
        return end.memory.asSlice(offset, length);
    }

    @Test
    void sendGathersAndReceiveScatters() {
        fill(left.memory, 1);
        ReceiveQueue receives = right.pair.receiveQueue();
        receives.begin();
        assertThat(receives.request(70)).isTrue();
        receives.sge(right.memory.address(), 1000, right.region.lkey());
        receives.sge(right.memory.address() + 2000, 5000, right.region.lkey());
        receives.seal();
        receives.commit();
        post(7, SEND_IMM, () -> {
            left.element(0, 1);
            left.element(1, 2999);
            left.element(3000, 1096);
            queue.immediate(0x01020304);
        });
        left.expect(7, OK);
        right.expect(70, OK);
        assertThat(right.completions.opcode()).isEqualTo(WorkCompletionOpcode.RECV.code());
        assertThat(right.completions.byteLength()).isEqualTo(4096);
        assertThat(right.completions.flags() & WITH_IMM).isNotZero();
        assertThat(right.completions.immediate()).isEqualTo(0x01020304);
        assertThat(right.completions.queuePairNumber()).isEqualTo(right.pair.number());
        assertThat(part(right, 0, 1000).mismatch(part(left, 0, 1000))).isEqualTo(-1);
        assertThat(part(right, 2000, 3096).mismatch(part(left, 1000, 3096))).isEqualTo(-1);
    }

    @Test
    void inlineBytesAreTakenWhenTheyArePosted() {
        right.receive(70, 0, 64);
        MemorySegment bytes = MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5, 6, 7});
        post(7, SEND, () -> {
            queue.inline(bytes, 0, 3);
            queue.inline(bytes, 3, 4);
        });
        bytes.fill((byte) 0);
        left.expect(7, OK);
        right.expect(70, OK);
        assertThat(part(right, 0, 7).toArray(ValueLayout.JAVA_BYTE)).containsExactly(1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void writeAndRead() {
        fill(left.memory, 5);
        post(1, WRITE, () -> {
            queue.remote(right.memory.address() + 100, right.region.rkey());
            left.element(0, 3000);
        });
        left.expect(1, OK);
        assertThat(left.completions.opcode()).isEqualTo(WorkCompletionOpcode.RDMA_WRITE.code());
        assertThat(part(right, 100, 3000).mismatch(part(left, 0, 3000))).isEqualTo(-1);
        right.expectNothing();
        post(2, READ, () -> {
            queue.remote(right.memory.address() + 100, right.region.rkey());
            left.element(4000, 3000);
        });
        left.expect(2, OK);
        assertThat(left.completions.byteLength()).isEqualTo(3000);
        assertThat(part(left, 4000, 3000).mismatch(part(left, 0, 3000))).isEqualTo(-1);
    }

    @Test
    void writeWithImmediateTakesAReceive() {
        right.receive(70, 4096, 8);
        post(1, WRITE_IMM, () -> {
            queue.remote(right.memory.address(), right.region.rkey());
            queue.immediate(9);
            left.element(0, 16);
        });
        right.expect(70, OK);
        assertThat(right.completions.opcode()).isEqualTo(WorkCompletionOpcode.RECV_RDMA_WITH_IMM.code());
        assertThat(right.completions.byteLength()).isEqualTo(16);
        assertThat(right.completions.immediate()).isEqualTo(9);
    }

    @Test
    void atomics() {
        right.memory.set(ValueLayout.JAVA_LONG, 8, 40);
        post(1, FETCH_ADD, () -> {
            queue.atomic(right.memory.address() + 8, right.region.rkey(), 2, 0);
            left.element(0, 8);
        });
        left.expect(1, OK);
        assertThat(left.memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(40);
        post(2, COMPARE_SWAP, () -> {
            queue.atomic(right.memory.address() + 8, right.region.rkey(), 42, -7);
            left.element(0, 8);
        });
        left.expect(2, OK);
        assertThat(left.memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(42);
        assertThat(right.memory.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(-7);
    }

    @Test
    void ringsWrapManyTimes() {
        for (long id = 0; id < 100; id++) {
            right.receive(1000 + id, 0, 8);
            left.memory.set(ValueLayout.JAVA_LONG, 0, id);
            post(id, SEND, () -> left.element(0, 8));
            left.expect(id, OK);
            right.expect(1000 + id, OK);
            assertThat(right.memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(id);
            left.completions.end();
            right.completions.end();
        }
        assertThat(queue.outstanding()).isZero();
        assertThat(right.pair.receiveQueue().outstanding()).isZero();
    }

    @Test
    void aBatchIsPostedAtOnceOrNotAtAll() {
        for (int i = 0; i < 3; i++) {
            right.receive(70 + i, 0, 8);
        }
        queue.begin();
        for (int i = 0; i < 3; i++) {
            assertThat(queue.request(i, SEND)).isTrue();
            queue.flags(SIGNALED);
            left.element(0, 8);
            queue.seal();
        }
        right.expectNothing();
        queue.begin();
        assertThat(queue.commit()).isZero();
        right.expectNothing();
        assertThat(right.pair.receiveQueue().outstanding()).isEqualTo(3);
    }

    @Test
    void unsignaledWorkRequestsAreRetiredAndAFullQueueFindsRoom() {
        for (int i = 0; i < 20; i++) {
            queue.begin();
            assertThat(queue.request(i, WRITE)).isTrue();
            queue.remote(right.memory.address(), right.region.rkey());
            left.element(0, 8);
            queue.seal();
            assertThat(queue.commit()).isZero();
        }
        left.expectNothing();
        assertThat(queue.outstanding()).isZero();
    }

    @Test
    void aWrongKeyEndsInAnErrorAndTheRestIsFlushed() {
        queue.begin();
        for (int i = 0; i < 3; i++) {
            assertThat(queue.request(i, WRITE)).isTrue();
            queue.remote(right.memory.address(), right.region.rkey() + 1);
            left.element(0, 8);
            queue.seal();
        }
        assertThat(queue.commit()).isZero();
        left.expect(0, WorkCompletionStatus.REM_ACCESS_ERR.code());
        left.expect(1, WorkCompletionStatus.WR_FLUSH_ERR.code());
        left.expect(2, WorkCompletionStatus.WR_FLUSH_ERR.code());
        left.expectNothing();
        assertThat(left.pair.query().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void noReceiverEndsAfterTheRetries() {
        post(1, SEND, () -> left.element(0, 8));
        left.expectNothing();
        world.settle();
        left.expect(1, WorkCompletionStatus.RNR_RETRY_EXC_ERR.code());
    }

    @Test
    void afterResetTheQueuesStartAgain() {
        for (int i = 0; i < 5; i++) {
            right.receive(i, 0, 8);
        }
        post(1, SEND, () -> left.element(0, 8));
        left.expect(1, OK);
        right.expect(0, OK);
        QueuePairAttributes reset =
                QueuePairAttributes.builder().state(QueuePairState.RESET).build();
        left.pair.modify(reset);
        right.pair.modify(reset);
        assertThat(right.pair.receiveQueue().outstanding()).isZero();
        world.connect();
        for (int i = 0; i < 7; i++) {
            right.receive(100 + i, 0, 8);
        }
        for (int i = 0; i < 7; i++) {
            post(i, SEND, () -> left.element(0, 8));
            left.expect(i, OK);
            right.expect(100 + i, OK);
        }
        right.expectNothing();
    }

    @Test
    void beforeReadyToSendTheDoorbellRefuses() {
        left.pair.modify(
                QueuePairAttributes.builder().state(QueuePairState.RESET).build());
        queue.begin();
        assertThat(queue.request(1, SEND)).isTrue();
        queue.seal();
        assertThat(queue.commit()).isEqualTo(Errno.EINVAL);
    }

    @Test
    void resizeKeepsCompletionsAndTheirOrder() {
        for (int i = 0; i < 7; i++) {
            post(i, WRITE, () -> {
                queue.remote(right.memory.address(), right.region.rkey());
                left.element(0, 8);
            });
        }
        left.expect(0, OK);
        left.completions.resize(100);
        assertThat(left.completions.capacity()).isGreaterThanOrEqualTo(100);
        for (int i = 1; i < 7; i++) {
            left.expect(i, OK);
        }
        left.expectNothing();
        post(7, WRITE, () -> {
            queue.remote(right.memory.address(), right.region.rkey());
            left.element(0, 8);
        });
        left.expect(7, OK);
        assertThatThrownBy(() -> left.completions.resize(1 << 30)).isInstanceOf(VerbsFault.class);
        left.expectNothing();
    }

    @Test
    void whatIsInUseIsNotDestroyed() {
        assertThatThrownBy(left.completions::close)
                .isInstanceOfSatisfying(
                        VerbsFault.class, fault -> assertThat(fault.errno()).isEqualTo(Errno.EBUSY));
        post(1, WRITE, () -> {
            queue.remote(right.memory.address(), right.region.rkey());
            left.element(0, 8);
        });
        left.expect(1, OK);
    }

    @Test
    void queuesOfNoElements() {
        var request = new QueuePairRequest(
                world.domain,
                QueuePairType.RC,
                left.completions,
                left.completions,
                null,
                new QueuePairCapacity(1, 0, 1, 0, 0),
                true,
                0);
        try (var pair = world.context.createQueuePair(request)) {
            assertThat(pair.capacity().maxSendRequests()).isEqualTo(1);
            assertThat(pair.receiveQueue().outstanding()).isZero();
        }
    }

    @Test
    void theDeviceDescribesItself() {
        assertThat(world.context.queryDevice().ports()).isEqualTo(1);
        assertThat(world.context.queryPort(1).activeMtu().bytes()).isGreaterThanOrEqualTo(1024);
        assertThatThrownBy(() -> world.context.queryPort(2))
                .isInstanceOfSatisfying(
                        VerbsFault.class, fault -> assertThat(fault.errno()).isEqualTo(Errno.EINVAL));
        assertThat(left.pair.query().sendPsn()).isEqualTo(0xfffffe);
    }
}
