package dev.doorbell.quality.misuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.quality.stack.Workers;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.QueueFullException;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One thread closes what others use, at any moment: they learn it by a {@link ClosedException} or by a failed completion, and
 * nothing else happens.
 */
@Timeout(200)
final class CloseRaceTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int RUNS = 100;

    enum Victim {
        QUEUE_PAIR,
        PEER,
        COMPLETION_QUEUE,
        REGION,
        ARENA,
        CONTEXT
    }

    static Stream<Arguments> cases() {
        return Stream.of(Path.values())
                .flatMap(path -> Stream.of(Victim.values()).map(victim -> Arguments.of(path, victim)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void nothingElseHappens(Path path, Victim victim) {
        for (int run = 0; run < RUNS; run++) {
            SplittableRandom random = new SplittableRandom(run);
            int spins = random.nextInt(100_000);
            Arena arena = Arena.ofShared();
            try (Pair pair = shortTempered(path)) {
                MemoryRegion source = pair.left()
                        .domain()
                        .register(arena.allocate(4096), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
                AtomicBoolean over = new AtomicBoolean();
                Workers.run(
                        DEADLINE,
                        () -> post(pair.left(), source, pair.right().region().remote(), over),
                        () -> poll(pair.left(), over),
                        () -> {
                            try {
                                spin(spins);
                                close(victim, pair, source, arena);
                                spin(1000);
                            } finally {
                                over.set(true);
                            }
                        });
            } finally {
                if (arena.scope().isAlive()) {
                    arena.close();
                }
            }
        }
    }

    private static Pair shortTempered(Path path) {
        return Pair.builder()
                .path(path)
                .options(ConnectOptions.defaults()
                        .ackTimeout(Duration.ofMillis(1))
                        .retryCount(1))
                .build();
    }

    private static void spin(int spins) {
        for (int i = 0; i < spins; i++) {
            Thread.onSpinWait();
        }
    }

    private static void close(Victim victim, Pair pair, MemoryRegion source, Arena arena) {
        switch (victim) {
            case QUEUE_PAIR -> pair.left().queuePair().close();
            case PEER -> pair.right().queuePair().close();
            case COMPLETION_QUEUE -> {
                pair.left().queuePair().close();
                pair.left().completions().close();
            }
            case REGION -> source.close();
            case ARENA -> arena.close();
            case CONTEXT -> pair.left().context().close();
        }
    }

    private static void post(End left, MemoryRegion source, RemoteMemory remote, AtomicBoolean over) {
        while (!over.get()) {
            try (SendBatch batch = left.queuePair().batch()) {
                batch.write(1, remote, 0).sge(source, 0, 64).signaled();
                batch.write(2, remote, 64).sge(source, 64, 2048).signaled();
                batch.submit();
            } catch (QueueFullException full) {
                Thread.onSpinWait();
            } catch (ClosedException closed) {
                return;
            }
        }
    }

    private static void poll(End left, AtomicBoolean over) {
        Set<String> statuses = new HashSet<>();
        try {
            while (!over.get()) {
                left.completions()
                        .poll(16, completion -> statuses.add(completion.status().name()));
            }
        } catch (ClosedException closed) {
            assertThat(closed.errnoName()).isEqualTo("EBADF");
        }
        assertThat(statuses).isSubsetOf("SUCCESS", "WR_FLUSH_ERR", "LOC_PROT_ERR", "REM_ACCESS_ERR", "RETRY_EXC_ERR");
    }

    /** Both ends of everything are closed at once, from many threads. */
    @ParameterizedTest
    @EnumSource(Path.class)
    void manyClose(Path path) {
        for (int run = 0; run < RUNS; run++) {
            try (Pair pair = Pair.on(path)) {
                Workers.run(
                        DEADLINE,
                        () -> pair.left().queuePair().close(),
                        () -> pair.left().queuePair().close(),
                        () -> pair.right().queuePair().close(),
                        () -> pair.left().region().close(),
                        () -> refusedAtMost(pair.left().completions()::close),
                        () -> refusedAtMost(pair.left().domain()::close),
                        () -> pair.left().context().close());
                assertThat(pair.left().context().isOpen()).isFalse();
            }
        }
    }

    /** While something is still in use, closing it alone is refused. */
    private static void refusedAtMost(Runnable close) {
        try {
            close.run();
        } catch (VerbsException busy) {
            assertThat(busy.errnoName()).isEqualTo("EBUSY");
        }
    }
}
