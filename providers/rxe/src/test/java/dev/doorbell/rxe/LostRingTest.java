package dev.doorbell.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.abi.RxeQueueHeader;
import dev.doorbell.memory.SharedRing;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rings whose memory the system took back, in the hands of those who do not post: nobody is thrown at, however the
 * compilers have arranged it. What they arrange differs after some thousand calls.
 */
@Timeout(60)
final class LostRingTest {
    private static final int ROUNDS = 20_000;
    private static final int MASK = 15;
    private static final int LOG2_ELEMENT = 7;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void whoLetsGoOfItOrEmptiesItIsNotThrownAt() throws IOException {
        Path file = Files.createFile(folder.resolve("ring"));
        long bytes = RxeQueueHeader.SIZE + ((MASK + 1L) << LOG2_ELEMENT);
        try (Arena arena = Arena.ofShared();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
            SharedRing ring = RxeQueueHeader.create(memory, LOG2_ELEMENT, MASK);
            RxeReceiveQueue queue = new RxeReceiveQueue(ring, 1);
            for (int i = 0; i < 3; i++) {
                assertThat(queue.request(i)).isTrue();
                queue.seal();
            }
            assertThat(queue.commit()).isZero();
            channel.truncate(0);
            for (int round = 0; round < ROUNDS; round++) {
                assertThat(queue.lastOutstanding()).isEqualTo(3);
                new RxeReceiveQueue(ring, 1).detach(true);
            }
            queue.synchronise();
            assertThat(queue.lastOutstanding()).isZero();
        }
    }
}
