package dev.doorbell.quality.misuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.QueueFullException;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Sizes that do not fit, and queues that would overflow: refused early with the numbers, or a failed completion. */
@ParameterizedClass
@EnumSource(Path.class)
@Timeout(60)
final class SizesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Path path;

    SizesTest(Path path) {
        this.path = path;
    }

    private Pair shallow(int sends, int receives) {
        return Pair.builder()
                .path(path)
                .queuePair(builder -> builder.depth(sends, receives))
                .build();
    }

    private static List<WorkCompletionStatus> statuses(End end, int count) {
        List<WorkCompletionStatus> statuses = new ArrayList<>();
        end.completions().await(count, PATIENCE, completion -> statuses.add(completion.status()));
        return statuses;
    }

    @Test
    void aSendQueueThatIsFull() {
        try (Pair pair = shallow(4, 8)) {
            End left = pair.left();
            // Nobody has posted a receive, so none of them can be retired.
            try (SendBatch batch = left.queuePair().batch()) {
                for (int i = 0; i < 3; i++) {
                    batch.send(i).sge(left.region(), 0, 8);
                }
                assertThat(batch.submit()).isEqualTo(3);
            }
            assertThat(left.queuePair().sendSlots()).isEqualTo(1);
            try (SendBatch batch = left.queuePair().batch()) {
                assertThat(batch.room()).isEqualTo(1);
                batch.send(3).sge(left.region(), 0, 8).signaled();
                QueueFullException full = catchThrowableOfType(QueueFullException.class, () -> batch.send(4));
                assertThat(full.outstanding()).isEqualTo(4);
                assertThat(full.capacity()).isEqualTo(4);
                assertThat(full)
                        .hasMessageContaining("ENOMEM")
                        .hasMessageContaining("asked 5")
                        .hasMessageContaining("allowed 4");
                assertThat(batch.submit()).as("what was there before").isEqualTo(1);
            }
            try (ReceiveBatch batch = pair.right().queuePair().receives()) {
                for (int i = 0; i < 4; i++) {
                    batch.receive(i).sge(pair.right().region(), 0, 8);
                }
                batch.submit();
            }
            left.completions().awaitSuccess(1, PATIENCE);
            assertThat(left.queuePair().sendSlots()).isEqualTo(4);
        }
    }

    @Test
    void aReceiveQueueThatIsFull() {
        try (Pair pair = shallow(4, 2)) {
            End right = pair.right();
            right.queuePair().postReceive(0, right.region().slice(0, 8));
            try (ReceiveBatch batch = right.queuePair().receives()) {
                batch.receive(1).sge(right.region(), 0, 8);
                QueueFullException full = catchThrowableOfType(QueueFullException.class, () -> batch.receive(2));
                assertThat(full).hasMessageContaining("asked 3").hasMessageContaining("allowed 2");
                assertThat(batch.submit()).isEqualTo(1);
            }
            assertThat(right.queuePair().receiveCredit()).isEqualTo(2);
        }
    }

    @Test
    void aCompletionQueueThatWouldOverflow() {
        try (Pair pair = shallow(4, 4)) {
            End left = pair.left();
            int capacity = left.completions().capacity();
            int committed = left.completions().committed();
            int asked = capacity - committed + 1;

            assertThatThrownBy(() -> left.domain()
                            .queuePair(left.completions())
                            .depth(asked, 0)
                            .build())
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("ENOSPC")
                    .hasMessageContaining("asked " + (capacity + 1) + " completions, allowed " + capacity)
                    .hasMessageContaining("adds " + asked);
            assertThat(left.completions().committed()).isEqualTo(committed);
        }
    }

    /** Who insists on it gets what the kernel does: the queue pair that cannot complete dies, and nothing else. */
    @Test
    void aCompletionQueueThatOverflows() {
        Pair.Builder builder = Pair.builder()
                .path(path)
                .completions(1)
                .queuePair(queuePair -> queuePair.depth(16, 0).allowCompletionQueueOvercommit());
        try (Pair pair = builder.build()) {
            End left = pair.left();
            int capacity = left.completions().capacity();
            RemoteMemory remote = pair.right().region().remote();
            try (SendBatch batch = left.queuePair().batch()) {
                for (int i = 0; i < Math.min(16, capacity + 3); i++) {
                    batch.write(i, remote, 0).sge(left.region(), 0, 8).signaled();
                }
                batch.submit();
            }
            long start = System.nanoTime();
            while (left.queuePair().query().state() != QueuePairState.ERROR
                    && System.nanoTime() - start < PATIENCE.toNanos()) {
                Thread.onSpinWait();
            }

            assertThat(left.queuePair().query().state()).isEqualTo(QueuePairState.ERROR);
            assertThat(statuses(left, capacity)).hasSize(capacity).containsOnly(WorkCompletionStatus.SUCCESS);
        }
    }

    @Test
    void elementsThatDoNotFit() {
        try (Pair pair = Pair.on(path);
                SendBatch batch = pair.left().queuePair().batch()) {
            int allowed = pair.left().queuePair().capacity().maxSendSge();
            batch.send(1);
            for (int i = 0; i < allowed; i++) {
                batch.sge(pair.left().region(), 0, 8);
            }
            assertThatThrownBy(() -> batch.sge(pair.left().region(), 0, 8))
                    .hasMessageContaining("EINVAL")
                    .hasMessageContaining("asked " + (allowed + 1) + ", allowed " + allowed);
            assertThatThrownBy(batch::submit).hasMessageContaining("nothing of it is posted");
        }
    }

    @Test
    void bytesThatDoNotFit() {
        try (Pair pair = Pair.on(path)) {
            End left = pair.left();
            RemoteMemory remote = pair.right().region().remote();
            long length = left.region().length();
            int inline = left.queuePair().capacity().maxInline();
            refused(left, batch -> batch.write(1, remote, 0).sge(left.region(), length - 7, 8), "do not lie in");
            refused(left, batch -> batch.write(1, remote, 0).sge(left.region(), -1, 8), "do not lie in");
            refused(left, batch -> batch.write(1, remote, 0).sge(left.region(), 0, -1), "do not lie in");
            refused(left, batch -> batch.write(1, remote, length + 1), "do not lie in");
            refused(left, batch -> batch.write(1, remote, 0).sge(0, 1L << 32, 0), "4294967295");
            refused(
                    left,
                    batch -> batch.write(1, remote, 0).inline(left.memory(), 0, inline + 1),
                    "asked " + (inline + 1) + ", allowed " + inline);
            refused(left, batch -> batch.read(1, remote, 0).inline(left.memory(), 0, 8), "only SEND and WRITE");
            refused(left, batch -> batch.signaled(), "no work request is open");
            refused(
                    left,
                    batch -> {
                        batch.write(1, remote, length - 8).sge(left.region(), 0, 16);
                        batch.submit();
                    },
                    "asked 16 bytes, allowed 8");
        }
    }

    private static void refused(End end, Consumer<SendBatch> calls, String message) {
        try (SendBatch batch = end.queuePair().batch()) {
            assertThatThrownBy(() -> calls.accept(batch)).hasMessageContaining(message);
        }
        assertThat(end.queuePair().sendSlots()).as("slots after a refusal").isEqualTo(16);
    }

    @Test
    void aMessageThatDoesNotFitItsReceive() {
        try (Pair pair = Pair.on(path)) {
            pair.right().queuePair().postReceive(9, pair.right().region().slice(0, 99));
            pair.left().queuePair().postSend(1, pair.left().region().slice(0, 100));

            assertThat(statuses(pair.left(), 1)).containsExactly(WorkCompletionStatus.REM_INV_REQ_ERR);
            assertThat(statuses(pair.right(), 1)).containsExactly(WorkCompletionStatus.LOC_LEN_ERR);
        }
    }

    @Test
    void bytesBeyondTheRemoteRegion() {
        try (Pair pair = Pair.on(path)) {
            RemoteMemory remote = pair.right().region().remote();
            try (SendBatch batch = pair.left().queuePair().batch()) {
                batch.write(1, remote.address() + remote.length() - 7, remote.rkey())
                        .sge(pair.left().region(), 0, 8)
                        .signaled();
                batch.submit();
            }

            assertThat(statuses(pair.left(), 1)).containsExactly(WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void sizesThatNoDeviceHas() {
        try (Pair pair = Pair.on(path)) {
            End left = pair.left();
            int most = left.context().query().maxCompletions();
            for (int entries : new int[] {0, -1, most + 1, Integer.MAX_VALUE}) {
                assertThatThrownBy(() -> left.context().createCompletionQueue(entries))
                        .isInstanceOf(VerbsException.class)
                        .hasMessageContaining("EINVAL")
                        .hasMessageContaining(entries + " entries, allowed 1 to " + most);
            }
            assertThatThrownBy(
                            () -> left.context().completionQueue(4).vector(-1).build())
                    .hasMessageContaining("vector -1");
            assertThatThrownBy(() -> left.domain()
                            .queuePair(left.completions())
                            .depth(-1, 0)
                            .build())
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("EINVAL");
            int requests = left.context().query().maxWorkRequests();
            assertThatThrownBy(() -> left.domain()
                            .queuePair(left.completions())
                            .depth(requests + 1, 0)
                            .allowCompletionQueueOvercommit()
                            .build())
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("asked " + (requests + 1) + " send work requests, allowed " + requests);
            assertThatThrownBy(() -> left.domain()
                            .queuePair(left.completions())
                            .depth(1, 1)
                            .sge(left.context().query().maxSge() + 1, 1)
                            .build())
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("EINVAL");
            assertThat(left.completions().committed()).isEqualTo(32);
        }
    }
}
