package dev.doorbell.quality.rings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.quality.stack.TappedKernel;
import dev.doorbell.quality.stack.Workers;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.CompletionCursor;
import dev.doorbell.verbs.DeviceUnavailableException;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.VerbsException;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A device that goes away under a program: its doorbell is refused, or the memory of its rings vanishes. The program gets an
 * error with a name, and its work requests back; the JVM lives on.
 */
@Timeout(60)
final class LostDeviceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Tap tap = new Tap();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private java.nio.file.Path folder;

    private Pair pair() {
        return Pair.builder()
                .path(Path.DIRECT)
                .kernel(kernel -> new TappedKernel(kernel, tap::on))
                .build();
    }

    private static void send(End end, long id) {
        try (SendBatch batch = end.queuePair().batch()) {
            batch.send(id).sge(end.region(), 0, 8).signaled();
            batch.submit();
        }
    }

    @ParameterizedTest
    @CsvSource({"11, the next submit()", "5, The device was removed", "13, open the device in this process", "22, Query"
    })
    void aRefusedDoorbellHasANameAndARemedy(int errno, String remedy) {
        try (Pair pair = pair()) {
            tap.refuseDoorbells(errno);
            assertThatThrownBy(() -> send(pair.left(), 1))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                    .isInstanceOf(errno == Errno.EIO ? DeviceUnavailableException.class : VerbsException.class)
                    .hasMessageContaining(Errno.name(errno))
                    .hasMessageContaining(remedy);
        }
    }

    @Test
    void theNextDoorbellTellsOfWhatTheRefusedOneDidNot() {
        try (Pair pair = pair()) {
            pair.right().queuePair().postReceive(11, pair.right().region().slice(0, 64));
            pair.right().queuePair().postReceive(12, pair.right().region().slice(64, 64));
            tap.refuseDoorbells(Errno.EAGAIN);
            assertThatThrownBy(() -> send(pair.left(), 1)).hasMessageContaining("EAGAIN");
            tap.refuseDoorbells(0);
            send(pair.left(), 2);
            List<Long> ids = new ArrayList<>();
            assertThat(pair.left().completions().await(2, PATIENCE, completion -> ids.add(completion.id())))
                    .isEqualTo(2);
            assertThat(ids).containsExactly(1L, 2L);
        }
    }

    @Test
    void closingReturnsWhatNoDoorbellToldOf() {
        try (Pair pair = pair()) {
            tap.refuseDoorbells(Errno.EIO);
            assertThatThrownBy(() -> send(pair.left(), 7)).isInstanceOf(DeviceUnavailableException.class);
            pair.left().queuePair().close();
            List<Completion> returned = new ArrayList<>();
            pair.left().completions().await(1, PATIENCE, completion -> returned.add(completion.copy()));
            assertThat(returned).singleElement().matches(completion -> completion.id() == 7 && !completion.isSuccess());
        }
    }

    /** The rings lie in files that are cut off: touching them is a SIGBUS, as with a mapping that a driver took back. */
    @Test
    void ringsThatVanishAreAnErrorWithAName() throws IOException {
        List<java.nio.file.Path> files = new ArrayList<>();
        tap.offer(mapping -> inFile(mapping, files));
        try (Pair pair = pair()) {
            cutOff(files);
            assertLost(() -> send(pair.left(), 1));
            assertLost(() -> pair.left().completions().poll(1, completion -> {}));
            assertLost(() -> pair.right()
                    .queuePair()
                    .postReceive(1, pair.right().region().slice(0, 64)));
        }
    }

    /** In the middle of what is going on: every call says so, none keeps a turn, and everything closes, one by one. */
    @Test
    void ringsThatVanishUnderOpenBatchesHoldUpNobody() throws IOException {
        List<java.nio.file.Path> files = new ArrayList<>();
        tap.offer(mapping -> inFile(mapping, files));
        try (Pair pair = pair()) {
            End end = pair.left();
            pair.right().queuePair().postReceive(1, pair.right().region().slice(0, 64));
            send(end, 1);
            end.completions().await(() -> true, PATIENCE, completion -> {});
            send(end, 2);
            CompletionCursor cursor = end.completions().poll();
            cursor.next();
            SendBatch sends = end.queuePair().batch();
            sends.write(3, pair.right().region().remote(), 0).sge(end.region(), 0, 8);
            ReceiveBatch receives = end.queuePair().receives();
            receives.receive(4).sge(end.region(), 0, 8);
            cutOff(files);

            assertLost(receives::room);
            assertLost(() -> receives.sge(end.region(), 0, 8));
            receives.close();
            assertLost(sends::submit);
            sends.close();
            cursor.close();
            assertLost(() -> end.queuePair().sendSlots());
            assertLost(() -> end.queuePair().receiveCredit());
            Workers.run(
                    PATIENCE,
                    () -> end.queuePair().close(),
                    () -> end.queuePair().close());
            Workers.run(PATIENCE, () -> end.completions().close());
        }
    }

    private static void cutOff(List<java.nio.file.Path> files) throws IOException {
        for (java.nio.file.Path file : files) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(0);
            }
        }
    }

    private static void assertLost(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(DeviceUnavailableException.class)
                .hasMessageContaining("EIO")
                .hasMessageContaining("the memory of its queue is gone");
    }

    private MemorySegment inFile(MemorySegment mapping, List<java.nio.file.Path> files) {
        java.nio.file.Path path = folder.resolve("ring" + files.size());
        files.add(path);
        try (FileChannel channel =
                FileChannel.open(Files.createFile(path), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment file = channel.map(FileChannel.MapMode.READ_WRITE, 0, mapping.byteSize(), Arena.ofAuto());
            MemorySegment.copy(mapping, 0, file, 0, mapping.byteSize());
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
