package dev.doorbell.quality.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.KernelCounters;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.OpenOptions;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.RegisteredArena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The public API on Linux's own Soft-RoCE: what every program does first, through the driver that soft0 uses too. */
@Tag("lab")
@Timeout(120)
final class FirstLightLabTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int SIZE = 3000;

    private final KernelCounters counters = new KernelCounters();
    private Context context;
    private ProtectionDomain domain;
    private CompletionQueue completions;
    private RegisteredArena arena;
    private QueuePair left;
    private QueuePair right;
    private MemorySlice source;
    private MemorySlice target;

    @BeforeEach
    void connect() {
        context = Device.named("rxe0").open(OpenOptions.plain().observer(counters));
        domain = context.allocateProtectionDomain();
        completions = context.createCompletionQueue(128);
        arena = domain.arena(
                AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
        left = domain.queuePair(completions).depth(16, 16).sge(2, 2).inline(64).build();
        right = domain.queuePair(completions).depth(16, 16).sge(2, 2).inline(64).build();
        left.connect(right.endpoint());
        right.connect(left.endpoint());
        source = arena.allocateSlice(SIZE);
        target = arena.allocateSlice(SIZE);
        for (int i = 0; i < SIZE; i++) {
            source.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7 + 1));
        }
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
        arena.close();
        completions.close();
        domain.close();
        context.close();
    }

    @Test
    void theContextSaysWhoServesIt() {
        assertThat(context.driver()).isEqualTo("rxe");
        assertThat(context.driverAbi()).isEqualTo(2);
        assertThat(context.coreAbi()).isEqualTo(6);
        assertThat(context.commandFile()).startsWith("/dev/infiniband/uverbs0 fd ");
        assertThat(context.completionVectors()).isEqualTo(2);
        assertThat(left.gid().entry().gid().toString()).isEqualTo("::ffff:10.77.0.1");
    }

    @Test
    void aMessageIsReceived() {
        right.postReceive(1, target);
        left.postSend(2, source);
        List<Completion> both = await(2);
        assertThat(both)
                .allMatch(Completion::isSuccess)
                .extracting(Completion::id)
                .containsExactlyInAnyOrder(1L, 2L);
        assertThat(both.stream()
                        .filter(one -> one.id() == 1)
                        .findAny()
                        .orElseThrow()
                        .byteLength())
                .isEqualTo(SIZE);
        assertTargetHoldsSource();
    }

    @Test
    void memoryIsWrittenAndRead() {
        try (var batch = left.batch()) {
            batch.write(1, target.remote(), 0).sge(source).signaled();
            batch.submit();
        }
        completions.awaitSuccess(1, PATIENCE);
        assertTargetHoldsSource();
        source.segment().fill((byte) 0);
        try (var batch = left.batch()) {
            batch.read(2, target.remote(), 0).sge(source).signaled();
            batch.submit();
        }
        completions.awaitSuccess(1, PATIENCE);
        assertTargetHoldsSource();
        assertThat(source.segment().get(ValueLayout.JAVA_BYTE, 1)).isEqualTo((byte) 8);
    }

    @Test
    void atomicsReturnWhatWasThere() {
        long at = 64;
        target.segment().set(ValueLayout.JAVA_LONG, at, 40);
        try (var batch = left.batch()) {
            batch.fetchAndAdd(1, target.remote(), at, 2).sge(source.slice(0, 8)).signaled();
            batch.compareAndSwap(2, target.remote(), at, 42, -1)
                    .sge(source.slice(8, 8))
                    .signaled();
            batch.submit();
        }
        completions.awaitSuccess(2, PATIENCE);
        assertThat(source.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(40);
        assertThat(source.segment().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(42);
        assertThat(target.segment().get(ValueLayout.JAVA_LONG, at)).isEqualTo(-1);
    }

    /** Nothing but one system call for each batch reaches the kernel between post and poll; a wait may arm the queue. */
    @Test
    void aBatchCostsOneDoorbell() {
        MemorySegment word = source.segment().asSlice(0, 8);
        Map<String, KernelCounters.Command> commands = withoutArming();
        long doorbells = counters.systemCallDoorbells();
        for (int round = 0; round < 5; round++) {
            try (var batch = left.batch()) {
                batch.write(1, target.remote(), 0).inline(word, 0, 8);
                batch.write(2, target.remote(), 8).sge(source.slice(0, 8));
                batch.write(3, target.remote(), 16)
                        .sge(source.slice(8, 8))
                        .sge(source.slice(0, 8))
                        .signaled();
                assertThat(batch.submit()).isEqualTo(3);
            }
            completions.awaitSuccess(1, PATIENCE);
        }
        assertThat(counters.systemCallDoorbells() - doorbells).isEqualTo(5);
        assertThat(withoutArming()).isEqualTo(commands);
        assertThat(counters.refusedDoorbells()).isZero();
    }

    private Map<String, KernelCounters.Command> withoutArming() {
        Map<String, KernelCounters.Command> commands = new TreeMap<>(counters.commands());
        commands.remove("REQ_NOTIFY_CQ");
        return commands;
    }

    private List<Completion> await(int count) {
        List<Completion> completed = new ArrayList<>();
        assertThat(completions.await(count, PATIENCE, completion -> completed.add(completion.copy())))
                .isEqualTo(count);
        return completed;
    }

    private void assertTargetHoldsSource() {
        assertThat(target.segment().mismatch(source.segment())).isEqualTo(-1);
    }
}
