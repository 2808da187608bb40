package dev.doorbell.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.ResizeCq;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.mlx5.Cqe;
import dev.doorbell.kernel.abi.mlx5.CqeOpcode;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateQp;
import dev.doorbell.kernel.abi.mlx5.Mlx5ResizeCq;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.ProviderContext.CompletionQueueRequest;
import dev.doorbell.verbs.spi.ProviderContext.QueuePairRequest;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Completion queues that move, before a device that writes entries as the hardware does. */
@Timeout(60)
class CompletionQueueResizeTest {
    private static final int[] SIZES = {3, 7, 15, 63};

    private final Session session = new Session("dyn");
    private final Map<Mlx5QueuePair, Integer> indices = new HashMap<>();
    private Mlx5CompletionQueue queue = queue(7, Cqe.SIZE);
    private CqeRing device = queue.ring();
    private int producer;
    private int completed;
    private int polled;

    CompletionQueueResizeTest() {
        session.kernel.answers.put(UverbsCommand.RESIZE_CQ, this::move);
    }

    private Mlx5CompletionQueue queue(int entries, int entrySize) {
        return CompletionQueueCommands.create(
                session.context.device(), new CompletionQueueRequest(entries, 0, -1, 1, false, false), entrySize);
    }

    /** The device leaves its mark and goes on in the other ring. */
    private int move(FakeMlx5.Sent sent) {
        write(0, CqeOpcode.RESIZE);
        device = offered(sent);
        return 0;
    }

    private CqeRing offered(FakeMlx5.Sent sent) {
        int entries = ResizeCq.cqe(sent.coreIn(), 0) + 1;
        int size = Mlx5ResizeCq.entrySize(sent.driverIn(), 0);
        MemorySegment memory =
                MemorySegment.ofAddress(Mlx5ResizeCq.buffer(sent.driverIn(), 0)).reinterpret((long) entries * size);
        return new CqeRing(memory, entries, Integer.numberOfTrailingZeros(size));
    }

    private void write(int userIndex, int opcode) {
        long at = device.entry(producer);
        Cqe.setUserIndex(device.memory(), at, userIndex);
        Cqe.setLength(device.memory(), at, completed);
        int owner = (producer & device.entries()) == 0 ? 0 : Cqe.OWNER;
        Cqe.setOpAndOwner(device.memory(), at, (byte) (opcode << 4 | owner));
        producer++;
    }

    private Mlx5QueuePair pair(Mlx5CompletionQueue completions) {
        Mlx5QueuePair pair = (Mlx5QueuePair) session.context.createQueuePair(new QueuePairRequest(
                session.domain,
                QueuePairType.RC,
                completions,
                completions,
                null,
                new QueuePairCapacity(1, 64, 1, 1, 0),
                false,
                1));
        indices.put(
                pair, Mlx5CreateQp.userIndex(session.kernel.commands.getLast().driverIn(), 0));
        Session.state(pair, QueuePairState.RTS);
        return pair;
    }

    /** Messages arrive: their lengths number them. */
    private void receive(int count, Mlx5QueuePair pair) {
        Mlx5ReceiveQueue receives = Objects.requireNonNull(pair.queues().receive());
        int index = Objects.requireNonNull(indices.get(pair));
        for (int i = 0; i < count; i++) {
            receives.begin();
            receives.request(completed);
            receives.seal();
            receives.commit();
            write(index, CqeOpcode.RECEIVED_SEND);
            completed++;
        }
    }

    private void poll(int count) {
        List<Long> lengths = new ArrayList<>();
        List<Long> ids = new ArrayList<>();
        while (lengths.size() < count && queue.next()) {
            lengths.add(queue.byteLength());
            ids.add(queue.id());
        }
        queue.end();
        List<Long> expected = IntStream.range(polled, polled + count)
                .mapToObj(number -> (long) number)
                .toList();
        assertThat(lengths).isEqualTo(expected);
        assertThat(ids).isEqualTo(expected);
        polled += count;
    }

    private void begin(int entries, int entrySize) {
        queue = queue(entries, entrySize);
        device = queue.ring();
        producer = 0;
        completed = 0;
        polled = 0;
    }

    @Test
    void whatWaitsStaysInOrderWhereverItLies() {
        for (int entrySize : new int[] {Cqe.SIZE, 2 * Cqe.SIZE}) {
            for (int from : SIZES) {
                for (int to : SIZES) {
                    for (int before = 0; before < 2 * from + 3; before++) {
                        moves(entrySize, from, to, before);
                    }
                }
            }
        }
    }

    private void moves(int entrySize, int from, int to, int before) {
        begin(from, entrySize);
        Mlx5QueuePair pair = pair(queue);
        for (int i = 0; i < before; i++) {
            receive(1, pair);
            poll(1);
        }
        int waiting = Math.min(Math.min(from, to) - 1, before % 5);
        receive(waiting, pair);
        queue.resize(to);
        assertThat(queue.capacity()).isEqualTo(to);
        receive(1, pair);
        poll(waiting + 1);
        for (int lap = 0; lap < 3; lap++) {
            receive(to - 1, pair);
            poll(to - 1);
        }
        assertThat(queue.next()).isFalse();
        pair.close();
    }

    @Test
    void aRefusalChangesNothing() {
        Mlx5QueuePair pair = pair(queue);
        receive(3, pair);
        session.kernel.answers.put(UverbsCommand.RESIZE_CQ, sent -> Errno.EINVAL);
        assertThatThrownBy(() -> queue.resize(31))
                .isInstanceOfSatisfying(
                        VerbsFault.class, fault -> assertThat(fault.errno()).isEqualTo(Errno.EINVAL));
        assertThat(queue.capacity()).isEqualTo(7);
        receive(1, pair);
        poll(4);
    }

    @Test
    void sizesThatThereAreNotAreRefusedAndTheSameSizeIsLeft() {
        for (int entries : new int[] {0, -1, Integer.MAX_VALUE, 1 << 22}) {
            assertThatThrownBy(() -> queue.resize(entries))
                    .isInstanceOfSatisfying(
                            VerbsFault.class, fault -> assertThat(fault.errno()).isEqualTo(Errno.EINVAL));
        }
        queue.resize(5);
        assertThat(session.kernel.commands).noneMatch(sent -> sent.command() == UverbsCommand.RESIZE_CQ);
    }

    /** What lies in the old ring without an end is taken for nothing. */
    @Test
    void aDeviceThatLeavesNoMarkLosesCompletionsAndNothingElse() {
        Mlx5QueuePair pair = pair(queue);
        receive(3, pair);
        session.kernel.answers.put(UverbsCommand.RESIZE_CQ, sent -> {
            device = offered(sent);
            return 0;
        });
        assertThatThrownBy(() -> queue.resize(31))
                .isInstanceOfSatisfying(
                        VerbsFault.class, fault -> assertThat(fault.errno()).isEqualTo(Errno.EIO));
        assertThat(queue.capacity()).isEqualTo(31);
        queue.close();
    }

    /** Entries come along with the lap that the new ring is in: removing one moves the others there. */
    @Test
    void aQueuePairIsForgottenAfterTheMove() {
        Mlx5QueuePair left = pair(queue);
        receive(2, left);
        polled = 2;
        Mlx5QueuePair stays = pair(queue);
        receive(2, stays);
        queue.resize(15);
        left.close();
        poll(2);
        receive(14, stays);
        poll(14);
    }

    @Test
    void theDeviceIsToldHowFarItWasEmptied() {
        Mlx5QueuePair pair = pair(queue);
        receive(3, pair);
        poll(2);
        queue.resize(31);
        poll(1);
        List<RecordingStores.Store> stores = session.stores.stores;
        assertThat(stores.getLast().bytes()).isEqualTo("%08x".formatted(producer));
    }
}
