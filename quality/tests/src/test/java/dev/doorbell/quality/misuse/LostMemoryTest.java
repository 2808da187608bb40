package dev.doorbell.quality.misuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.SendBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Registered memory that is gone when the device reaches for it: its arena was closed, or the file behind it was cut off.
 * That ends in a completion with an access error; the engine, the device's thread and the JVM live on.
 */
@Timeout(60)
final class LostMemoryTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int BYTES = 16_384;
    private static final AccessFlag[] EVERYTHING = {
        AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC
    };

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private java.nio.file.Path folder;

    /** How memory gets lost. */
    enum Loss {
        CLOSED_ARENA,
        TRUNCATED_FILE
    }

    /** Whose memory is lost in which operation. */
    enum Use {
        SEND_FROM(false, WorkCompletionStatus.LOC_PROT_ERR),
        RECEIVE_INTO(true, WorkCompletionStatus.REM_OP_ERR),
        WRITE_FROM(false, WorkCompletionStatus.LOC_PROT_ERR),
        WRITE_TO(true, WorkCompletionStatus.REM_ACCESS_ERR),
        READ_INTO(false, WorkCompletionStatus.LOC_PROT_ERR),
        READ_FROM(true, WorkCompletionStatus.REM_ACCESS_ERR),
        ADD_INTO(false, WorkCompletionStatus.LOC_PROT_ERR),
        ADD_TO(true, WorkCompletionStatus.REM_ACCESS_ERR);

        private final boolean atPeer;
        private final WorkCompletionStatus status;

        Use(boolean atPeer, WorkCompletionStatus status) {
            this.atPeer = atPeer;
            this.status = status;
        }
    }

    static Stream<Arguments> cases() {
        return Stream.of(Path.values())
                .flatMap(path -> Stream.of(Loss.values())
                        .flatMap(loss -> Stream.of(Use.values()).map(use -> Arguments.of(path, loss, use))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void endsInAnAccessError(Path path, Loss loss, Use use) throws IOException {
        try (Pair pair = Pair.on(path)) {
            for (int attempt = 0; attempt < 3; attempt++) {
                End left = attempt == 0 ? pair.left() : pair.anotherEnd(pair.left());
                End right = attempt == 0 ? pair.right() : pair.anotherEnd(pair.right());
                if (attempt > 0) {
                    // The device still works, for others too.
                    pair.connect(left.queuePair(), right.queuePair());
                    useSound(left, right);
                }
                lose(left, right, loss, use);
            }
        }
    }

    @SuppressWarnings("MustBeClosed") // the device loses it before that
    private void lose(End left, End right, Loss loss, Use use) throws IOException {
        End owner = use.atPeer ? right : left;
        switch (loss) {
            case CLOSED_ARENA -> {
                Arena arena = Arena.ofShared();
                MemoryRegion region = owner.domain().register(arena.allocate(BYTES, 4096), EVERYTHING);
                post(left, right, region, use, () -> close(arena));
                assertFailed(left, right, use);
                region.close();
            }
            case TRUNCATED_FILE -> {
                try (Arena arena = Arena.ofShared();
                        FileChannel file = file()) {
                    MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
                    MemoryRegion region = owner.domain().register(mapped, EVERYTHING);
                    post(left, right, region, use, () -> truncate(file));
                    assertFailed(left, right, use);
                    region.close();
                }
            }
        }
    }

    private FileChannel file() throws IOException {
        java.nio.file.Path path = Files.createTempFile(folder, "mapped", ".bin");
        Files.write(path, new byte[BYTES]);
        return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private static void close(Arena arena) {
        arena.close();
    }

    private static void truncate(FileChannel file) {
        try {
            file.truncate(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void post(End left, End right, MemoryRegion lost, Use use, Runnable loss) {
        MemoryRegion there = right.region();
        MemoryRegion here = left.region();
        MemoryRegion inbox = use == Use.RECEIVE_INTO ? lost : there;
        right.queuePair().postReceive(7, inbox.slice(0, 4096));
        loss.run();
        try (SendBatch batch = left.queuePair().batch()) {
            switch (use) {
                case SEND_FROM -> batch.send(1).sge(lost, 0, 3000);
                case RECEIVE_INTO -> batch.send(1).sge(here, 0, 3000);
                case WRITE_FROM -> batch.write(1, there.remote(), 0).sge(lost, 0, 3000);
                case WRITE_TO -> batch.write(1, lost.remote(), 0).sge(here, 0, 3000);
                case READ_INTO -> batch.read(1, there.remote(), 0).sge(lost, 0, 3000);
                case READ_FROM -> batch.read(1, lost.remote(), 0).sge(here, 0, 3000);
                case ADD_INTO -> batch.fetchAndAdd(1, there.remote(), 0, 1).sge(lost, 0, 8);
                case ADD_TO -> batch.fetchAndAdd(1, lost.remote(), 0, 1).sge(here, 0, 8);
            }
            batch.signaled();
            batch.submit();
        }
    }

    private static void assertFailed(End left, End right, Use use) {
        assertThat(statuses(left, 1)).as("%s", use).containsExactly(use.status);
        if (use == Use.RECEIVE_INTO) {
            assertThat(statuses(right, 1)).containsExactly(WorkCompletionStatus.LOC_PROT_ERR);
        }
    }

    private static void useSound(End left, End right) {
        right.queuePair().postReceive(7, right.region().slice(0, 4096));
        left.queuePair().postSend(1, left.region().slice(0, 3000));
        left.completions().awaitSuccess(1, PATIENCE);
        right.completions().awaitSuccess(1, PATIENCE);
    }

    private static List<WorkCompletionStatus> statuses(End end, int count) {
        List<WorkCompletionStatus> statuses = new ArrayList<>();
        end.completions().await(count, PATIENCE, completion -> statuses.add(completion.status()));
        return statuses;
    }
}
