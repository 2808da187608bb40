package dev.doorbell.soft.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Bth;
import dev.doorbell.wire.Icrc;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A capture is never in the way of the device whose packets it writes. */
class CaptureFileTest {
    private static final int LONGEST = 65_507 - Icrc.SIZE;

    @TempDir
    private Path folder;

    private final MemorySegment packet = Arena.ofAuto().allocate(1 << 17);
    private Path path = Path.of("");

    @BeforeEach
    void name() {
        path = folder.resolve("all.pcapng");
    }

    private void write(CaptureFile file, int length, long prefix) {
        file.write(packet, 0, length, new Gid(prefix, 0xffff_0a00_0001L), new Gid(prefix, 0xffff_0a00_0002L));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 0x2001_0db8_0000_0000L})
    void theLongestDatagramOfAPeerFits(long prefix) throws IOException {
        try (CaptureFile file = new CaptureFile(path)) {
            write(file, LONGEST, prefix);
            long one = Files.size(path);
            assertThat(one).isGreaterThan(LONGEST);
            write(file, LONGEST + 1, prefix);
            write(file, 1 << 17, prefix);
            assertThat(Files.size(path))
                    .as("what no datagram holds is left out")
                    .isEqualTo(one);
        }
    }

    @Test
    void interruptingAThreadEndsNoCapture() throws IOException {
        try (CaptureFile file = new CaptureFile(path)) {
            long before = Files.size(path);
            Thread.currentThread().interrupt();
            try {
                write(file, Bth.SIZE, 0);
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
            write(file, Bth.SIZE, 0);
            long each = (Files.size(path) - before) / 2;
            assertThat(each).isGreaterThan(Bth.SIZE);
        }
    }

    @Test
    void packetsGoOnWhenTheCaptureHasEnded() throws IOException {
        CaptureFile file = new CaptureFile(path);
        file.close();
        long before = Files.size(path);
        write(file, Bth.SIZE, 0);
        assertThat(Files.size(path)).isEqualTo(before);
    }
}
