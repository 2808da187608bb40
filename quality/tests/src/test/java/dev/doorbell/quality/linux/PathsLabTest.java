package dev.doorbell.quality.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.RegisteredArena;
import dev.doorbell.verbs.SendBatch;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The examples through the system's libibverbs, and two ends of which one drives rxe0 itself and the other through the library:
 * neither can tell. Not among the lab's tests: {@code LAB_TAG=library} asks for them.
 */
@Tag("library")
@Tag("once")
@Timeout(120)
final class PathsLabTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int SIZE = 10_000;
    private static final String DRIVER = "doorbell.driver";

    /** One end. */
    private static final class End implements AutoCloseable {
        final Context context;
        final CompletionQueue completions;
        final QueuePair queuePair;
        final MemorySlice memory;

        End(String driver) {
            context = Device.named("rxe0").withDriver(driver).open();
            ProtectionDomain domain = context.allocateProtectionDomain();
            completions = context.createCompletionQueue(64);
            queuePair = domain.queuePair(completions).depth(16, 16).build();
            RegisteredArena arena = domain.arena(
                    AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
            memory = arena.allocateSlice(2L * SIZE);
        }

        @Override
        public void close() {
            context.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"rxe,libibverbs", "libibverbs,rxe", "libibverbs,libibverbs"})
    void bothPathsMeet(String one, String other) {
        try (End left = new End(one);
                End right = new End(other)) {
            left.queuePair.connect(right.queuePair.endpoint());
            right.queuePair.connect(left.queuePair.endpoint());
            for (int i = 0; i < SIZE; i++) {
                left.memory.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7 + 1));
            }
            right.memory.segment().set(ValueLayout.JAVA_LONG, SIZE, 40);
            right.queuePair.postReceive(1, right.memory.slice(SIZE + 16, 64));
            try (SendBatch batch = left.queuePair.batch()) {
                batch.write(2, right.memory.remote(), 0)
                        .sge(left.memory.slice(0, SIZE))
                        .signaled();
                batch.read(3, right.memory.remote(), 0)
                        .sge(left.memory.slice(SIZE, SIZE))
                        .signaled();
                batch.fetchAndAdd(4, right.memory.remote(), SIZE, 2)
                        .sge(left.memory.slice(0, 8))
                        .signaled();
                batch.send(5).sge(left.memory.slice(16, 64)).signaled();
                batch.submit();
            }
            left.completions.awaitSuccess(4, PATIENCE);
            right.completions.awaitSuccess(1, PATIENCE);

            assertThat(left.memory
                            .segment()
                            .asSlice(SIZE + 8, SIZE - 8)
                            .mismatch(right.memory.segment().asSlice(8, SIZE - 8)))
                    .as("written and read back")
                    .isEqualTo(-1);
            assertThat(left.memory.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(40);
            assertThat(right.memory.segment().get(ValueLayout.JAVA_LONG, SIZE)).isEqualTo(42);
            assertThat(right.memory
                            .segment()
                            .asSlice(SIZE + 16, 64)
                            .mismatch(left.memory.segment().asSlice(16, 64)))
                    .as("sent")
                    .isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.doorbell.quality.linux.ProgramsLabTest#examples")
    void anExampleThroughTheSystemsLibrary(String name) throws Throwable {
        String before = System.setProperty(DRIVER, "libibverbs");
        try {
            assertThat(Device.named("rxe0").driver()).contains("libibverbs");
            ProgramsLabTest.run(name);
        } finally {
            if (before == null) {
                System.clearProperty(DRIVER);
            } else {
                System.setProperty(DRIVER, before);
            }
        }
    }
}
