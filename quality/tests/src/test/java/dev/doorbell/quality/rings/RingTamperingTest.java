package dev.doorbell.quality.rings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.abi.RxeAtomicWr;
import dev.doorbell.kernel.abi.RxeCqe;
import dev.doorbell.kernel.abi.RxeRdmaWr;
import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.kernel.abi.RxeSge;
import dev.doorbell.memory.Host;
import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.quality.stack.TappedKernel;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Changes one byte of an element in a ring, between the moment at which one side writes it and the moment at which the other
 * side looks at it: what then happens follows the ring, and so nothing that matters travels on the side.
 */
@ParameterizedClass
@EnumSource(Path.class)
@Timeout(60)
final class RingTamperingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long ID = 0x7700_0000_0042L;
    private static final long RECEIVE_ID = 0x7700_0000_0043L;
    private static final int BYTES = 96;
    private static final int HERE = 128;
    private static final int THERE = 512;

    private final Tap tap = new Tap();
    private final Pair pair;
    private final End left;
    private final End right;
    private final RemoteMemory remote;

    RingTamperingTest(Path path) {
        pair = Pair.builder()
                .path(path)
                .kernel(kernel -> new TappedKernel(kernel, tap::on))
                .queuePair(builder -> builder.sge(4, 8))
                .build();
        left = pair.left();
        right = pair.right();
        remote = right.region().remote();
        for (int at = 0; at < 4096; at++) {
            Host.setByte(left.memory(), at, at * 7 & 0x7f);
            Host.setByte(right.memory(), at, at * 5 | 0x80);
        }
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private void write(SendBatch batch) {
        batch.write(ID, remote, THERE).sge(left.region(), HERE, BYTES).signaled();
    }

    private void send(SendBatch batch) {
        batch.send(ID).sge(left.region(), HERE, BYTES).signaled();
    }

    /** Posts, and lets the device see what is in the ring after this change. */
    private void post(Consumer<SendBatch> body, Consumer<Element> change) {
        tap.beforeDoorbell(() -> change.accept(tap.await(Tap.Kind.SEND, ID)));
        try (SendBatch batch = left.queuePair().batch()) {
            body.accept(batch);
            batch.submit();
        }
        tap.beforeDoorbell(() -> {});
    }

    private void postReceive(Consumer<Element> change) {
        right.queuePair().postReceive(RECEIVE_ID, right.region().slice(THERE, 2 * BYTES));
        change.accept(tap.await(Tap.Kind.RECEIVE, RECEIVE_ID));
    }

    private static Completion next(End end) {
        List<Completion> completions = new ArrayList<>();
        end.completions().await(1, PATIENCE, completion -> completions.add(completion.copy()));
        assertThat(completions).hasSize(1);
        return completions.getFirst();
    }

    private Completion success() {
        Completion completion = next(left);
        assertThat(completion.status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        return completion;
    }

    private void failure(WorkCompletionStatus status) {
        assertThat(next(left).status()).isEqualTo(status);
        assertUntouched(THERE, 2 * BYTES);
    }

    /** So many bytes lie at the peer now, from here on, and none beside them. */
    private void assertArrived(int to, int from, int bytes) {
        assertSame(right.memory().asSlice(to, bytes), left.memory().asSlice(from, bytes));
        assertUntouched(to - BYTES, BYTES);
        assertUntouched(to + bytes, BYTES);
    }

    private void assertUntouched(int from, int bytes) {
        for (int at = from; at < from + bytes; at++) {
            assertThat(Host.getUnsignedByte(right.memory(), at))
                    .as("byte %d of the peer", at)
                    .isEqualTo(at * 5 & 0xff | 0x80);
        }
    }

    private static void assertSame(MemorySegment actual, MemorySegment expected) {
        assertThat(actual.mismatch(expected)).as("first difference").isEqualTo(-1);
    }

    private static Consumer<Element> slot(BiConsumer<MemorySegment, Long> change) {
        return element -> change.accept(element.memory(), element.at());
    }

    @Test
    void unchanged() {
        post(this::write, element -> {});

        assertThat(success().id()).isEqualTo(ID);
        assertArrived(THERE, HERE, BYTES);
    }

    @Test
    void withdrawn() {
        post(this::write, Element::withdraw);

        assertThat(left.completions().await(1, Duration.ofMillis(20), completion -> {}))
                .isZero();
        assertUntouched(THERE - BYTES, 3 * BYTES);
    }

    @Test
    void opcode() {
        byte[] there = right.memory().asSlice(THERE, BYTES).toArray(ValueLayout.JAVA_BYTE);

        post(this::write, slot((memory, at) -> RxeSendWqe.setOpcode(memory, at, WorkRequestOpcode.RDMA_READ.code())));

        assertThat(success().opcode()).isEqualTo(WorkCompletionOpcode.RDMA_READ);
        assertSame(left.memory().asSlice(HERE, BYTES), MemorySegment.ofArray(there));
        assertUntouched(THERE, BYTES);
    }

    @Test
    void identifier() {
        post(this::write, slot((memory, at) -> RxeSendWqe.setWrId(memory, at, ID ^ 0x100)));

        assertThat(success().id()).isEqualTo(ID ^ 0x100);
    }

    @Test
    void signaledFlag() {
        post(
                this::write,
                slot((memory, at) -> RxeSendWqe.setSendFlags(
                        memory, at, RxeSendWqe.sendFlags(memory, at) ^ SendFlag.SIGNALED.bit())));

        assertThat(left.completions().await(1, Duration.ofMillis(20), completion -> {}))
                .isZero();
        assertArrived(THERE, HERE, BYTES);
    }

    @Test
    void remoteAddress() {
        post(this::write, slot((memory, at) -> RxeSendWqe.setIova(memory, at, RxeSendWqe.iova(memory, at) ^ 0x01)));

        success();
        assertArrived(THERE + 1, HERE, BYTES);
    }

    @Test
    void remoteKey() {
        post(this::write, slot((memory, at) -> RxeRdmaWr.setRkey(memory, at, RxeRdmaWr.rkey(memory, at) ^ 0x01)));

        failure(WorkCompletionStatus.REM_ACCESS_ERR);
    }

    @Test
    void messageLength() {
        post(this::write, slot((memory, at) -> RxeSendWqe.setDmaLength(memory, at, BYTES ^ 0x20)));

        success();
        assertArrived(THERE, HERE, BYTES ^ 0x20);
    }

    @Test
    void messageLengthBeyondTheElements() {
        post(this::write, slot((memory, at) -> RxeSendWqe.setDmaLength(memory, at, BYTES ^ 0x80)));

        failure(WorkCompletionStatus.LOC_QP_OP_ERR);
    }

    @Test
    void numberOfElements() {
        post(this::write, slot((memory, at) -> RxeSendWqe.setDmaNumSge(memory, at, 0)));

        failure(WorkCompletionStatus.LOC_QP_OP_ERR);
    }

    @Test
    void numberOfElementsBeyondTheSlot() {
        post(this::write, slot((memory, at) -> RxeSendWqe.setDmaNumSge(memory, at, 0x81)));

        failure(WorkCompletionStatus.LOC_QP_OP_ERR);
    }

    @Test
    void elementAddress() {
        post(this::write, slot((memory, at) -> {
            long element = RxeSendWqe.sge(at, 0);
            RxeSge.setAddr(memory, element, RxeSge.addr(memory, element) ^ 0x08);
        }));

        success();
        assertArrived(THERE, HERE + 8, BYTES);
    }

    @Test
    void elementKey() {
        post(this::write, slot((memory, at) -> {
            long element = RxeSendWqe.sge(at, 0);
            RxeSge.setLkey(memory, element, RxeSge.lkey(memory, element) ^ 0x01);
        }));

        failure(WorkCompletionStatus.LOC_PROT_ERR);
    }

    @Test
    void elementLength() {
        post(
                batch -> batch.write(ID, remote, THERE)
                        .sge(left.region(), HERE, 64)
                        .sge(left.region(), HERE + 1024, 64)
                        .signaled(),
                // Its elements now have fewer bytes than the message, so that is shortened too.
                slot((memory, at) -> RxeSge.setLength(memory, RxeSendWqe.sge(at, 0), 64 ^ 0x60))
                        .andThen(slot((memory, at) -> RxeSendWqe.setDmaLength(memory, at, 96))));

        success();
        assertSame(right.memory().asSlice(THERE, 32), left.memory().asSlice(HERE, 32));
        assertSame(right.memory().asSlice(THERE + 32, 64), left.memory().asSlice(HERE + 1024, 64));
        assertUntouched(THERE + 96, BYTES);
    }

    @Test
    void inlineByte() {
        post(
                batch -> batch.write(ID, remote, THERE)
                        .inline(left.memory(), HERE, 64)
                        .signaled(),
                element -> element.flip(RxeSendWqe.inlineData(element.at()) + 17, 0x55));

        success();
        assertThat(Host.getUnsignedByte(right.memory(), THERE + 17))
                .isEqualTo(Host.getUnsignedByte(left.memory(), HERE + 17) ^ 0x55);
        assertSame(right.memory().asSlice(THERE, 17), left.memory().asSlice(HERE, 17));
        assertSame(right.memory().asSlice(THERE + 18, 46), left.memory().asSlice(HERE + 18, 46));
    }

    @Test
    void inlineFlag() {
        post(
                this::write,
                slot((memory, at) ->
                        RxeSendWqe.setSendFlags(memory, at, RxeSendWqe.sendFlags(memory, at) ^ SendFlag.INLINE.bit())));

        // 96 bytes are more than the queue pair takes inline.
        failure(WorkCompletionStatus.LOC_QP_OP_ERR);
    }

    @Test
    void immediateData() {
        postReceive(element -> {});
        post(
                batch -> batch.sendWithImmediate(ID, 0x01020304)
                        .sge(left.region(), HERE, BYTES)
                        .signaled(),
                slot((memory, at) -> RxeSendWqe.setImmData(memory, at, RxeSendWqe.immData(memory, at) ^ 0x00ff_0000)));

        success();
        assertThat(next(right).immediate()).isEqualTo(0x01fd0304);
    }

    @Test
    void addend() {
        Host.setLong(right.memory(), 0, 100);
        post(
                batch -> batch.fetchAndAdd(ID, remote, 0, 1)
                        .sge(left.region(), HERE, 8)
                        .signaled(),
                slot((memory, at) -> RxeAtomicWr.setCompareAdd(memory, at, 1 ^ 0x10)));

        success();
        assertThat(Host.getLong(left.memory(), HERE)).isEqualTo(100);
        assertThat(Host.getLong(right.memory(), 0)).isEqualTo(117);
    }

    @Test
    void swapAndComparison() {
        Host.setLong(right.memory(), 0, 100);
        post(
                batch -> batch.compareAndSwap(ID, remote, 0, 100 ^ 0x01, 7)
                        .sge(left.region(), HERE, 8)
                        .signaled(),
                slot((memory, at) -> RxeAtomicWr.setCompareAdd(memory, at, 100))
                        .andThen(slot((memory, at) -> RxeAtomicWr.setSwap(memory, at, 7 ^ 0x20))));

        success();
        assertThat(Host.getLong(right.memory(), 0)).isEqualTo(7 ^ 0x20);
    }

    @Test
    void receiveIdentifier() {
        postReceive(slot((memory, at) -> RxeRecvWqe.setWrId(memory, at, RECEIVE_ID ^ 0x01)));
        post(this::send, element -> {});

        success();
        assertThat(next(right).id()).isEqualTo(RECEIVE_ID ^ 0x01);
        assertArrived(THERE, HERE, BYTES);
    }

    @Test
    void receiveAddress() {
        postReceive(slot((memory, at) -> {
            long element = RxeRecvWqe.sge(at, 0);
            RxeSge.setAddr(memory, element, RxeSge.addr(memory, element) ^ 0x04);
        }));
        post(this::send, element -> {});

        success();
        assertThat(next(right).byteLength()).isEqualTo(BYTES);
        assertArrived(THERE + 4, HERE, BYTES);
    }

    @Test
    void receiveKey() {
        postReceive(slot((memory, at) -> {
            long element = RxeRecvWqe.sge(at, 0);
            RxeSge.setLkey(memory, element, RxeSge.lkey(memory, element) ^ 0x01);
        }));
        post(this::send, element -> {});

        failure(WorkCompletionStatus.REM_OP_ERR);
        assertThat(next(right).status()).isEqualTo(WorkCompletionStatus.LOC_PROT_ERR);
    }

    @Test
    void receiveLength() {
        postReceive(slot((memory, at) -> RxeSge.setLength(memory, RxeRecvWqe.sge(at, 0), 0x40)));
        post(this::send, element -> {});

        failure(WorkCompletionStatus.REM_INV_REQ_ERR);
        assertThat(next(right).status()).isEqualTo(WorkCompletionStatus.LOC_LEN_ERR);
    }

    @Test
    void receiveElements() {
        postReceive(slot((memory, at) -> RxeRecvWqe.setDmaNumSge(memory, at, 0)));
        post(this::send, element -> {});

        failure(WorkCompletionStatus.REM_INV_REQ_ERR);
    }

    @Test
    void receiveWithdrawn() {
        postReceive(Element::withdraw);
        post(this::send, element -> {});

        assertThat(left.completions().await(1, Duration.ofMillis(20), completion -> {}))
                .as("completions of a SEND that finds no receive")
                .isZero();
        assertUntouched(THERE, BYTES);
    }

    /** Lets the device complete a WRITE, changes its completion in the ring, and polls it. */
    private Completion tampered(BiConsumer<MemorySegment, Long> change) {
        post(this::write, element -> {});
        slot(change).accept(tap.await(Tap.Kind.COMPLETION, ID));
        return next(left);
    }

    @Test
    void completionIdentifier() {
        assertThat(tampered((memory, at) -> RxeCqe.setWrId(memory, at, ID ^ 0x40))
                        .id())
                .isEqualTo(ID ^ 0x40);
    }

    @Test
    void completionStatus() {
        assertThat(tampered((memory, at) -> RxeCqe.setStatus(memory, at, WorkCompletionStatus.RETRY_EXC_ERR.code()))
                        .status())
                .isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);
    }

    @Test
    void completionOfAStatusThatNobodyKnows() {
        Completion completion = tampered((memory, at) -> RxeCqe.setStatus(memory, at, 0x7b));

        assertThat(completion.isSuccess()).isFalse();
    }

    @Test
    void completionOpcode() {
        assertThat(tampered((memory, at) -> RxeCqe.setOpcode(memory, at, WorkCompletionOpcode.RDMA_READ.code()))
                        .opcode())
                .isEqualTo(WorkCompletionOpcode.RDMA_READ);
    }

    @Test
    void completionLength() {
        assertThat(tampered((memory, at) -> RxeCqe.setByteLen(memory, at, BYTES ^ 0x10))
                        .byteLength())
                .isEqualTo(BYTES ^ 0x10);
    }

    @Test
    void completionQueuePair() {
        int number = left.queuePair().number();

        assertThat(tampered((memory, at) -> RxeCqe.setQpNum(memory, at, number ^ 0x02))
                        .queuePairNumber())
                .isEqualTo(number ^ 0x02);
    }

    @Test
    void completionImmediate() {
        postReceive(element -> {});
        post(
                batch -> batch.sendWithImmediate(ID, 5)
                        .sge(left.region(), HERE, BYTES)
                        .signaled(),
                element -> {});
        success();
        Element completion = tap.await(Tap.Kind.COMPLETION, RECEIVE_ID);
        RxeCqe.setImmData(completion.memory(), completion.at(), 5 ^ 0x0100_0000);

        assertThat(next(right).immediate()).isEqualTo(5 ^ 0x0100_0000);
    }
}
