package dev.doorbell.soft.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.KernelException;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Bth;
import dev.doorbell.wire.Icrc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
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
            assertThat(Files.size(path)).isGreaterThan(LONGEST);
            write(file, LONGEST + 1, prefix);
            write(file, 1 << 17, prefix);
            assertThat(file.packets()).as("what no datagram holds is left out").isEqualTo(1);
            assertThat(file.dropped()).isEqualTo(2);
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
        file.close();
        long before = Files.size(path);
        write(file, Bth.SIZE, 0);
        assertThat(Files.size(path)).isEqualTo(before);
        assertThat(file.packets() + file.dropped()).isZero();
    }

    /** Blocks behind the two that begin a file: type, and time in nanoseconds. */
    private record Block(int type, long time, ByteBuffer bytes) {
        static List<Block> of(Path file) throws IOException {
            ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
            List<Block> blocks = new ArrayList<>();
            for (int at = 60; at < all.limit(); at += all.getInt(at + 4)) {
                long time = (long) all.getInt(at + 12) << 32 | all.getInt(at + 16) & 0xffff_ffffL;
                blocks.add(new Block(
                        all.getInt(at), time, all.slice(at, all.getInt(at + 4)).order(all.order())));
            }
            return blocks;
        }

        long option(int code) {
            for (int at = 20; bytes.getShort(at) != 0; at += 4 + (bytes.getShort(at + 2) + 3 & ~3)) {
                if (bytes.getShort(at) == code) {
                    return bytes.getLong(at + 4);
                }
            }
            throw new AssertionError("no option " + code);
        }
    }

    @Test
    void whatIsLeftOutIsCountedAtOnce() throws IOException {
        CaptureFile file = new CaptureFile(path);
        write(file, Bth.SIZE, 0);
        write(file, LONGEST + 1, 0);
        Gid one = new Gid(0, 0xffff_0a00_0001L);
        file.write(packet, 0, Bth.SIZE, one, new Gid(0x2001_0db8_0000_0000L, 1));
        write(file, Bth.SIZE, 0);
        assertThat(Block.of(path)).extracting(Block::type).containsExactly(6, 5, 5, 6);
        file.close();
        assertThat(file.packets()).isEqualTo(2);
        assertThat(file.dropped()).isEqualTo(2);
        Block last = Block.of(path).getLast();
        assertThat(last.type()).isEqualTo(5);
        assertThat(last.option(4)).as("packets that came").isEqualTo(4);
        assertThat(last.option(5)).as("packets that were left out").isEqualTo(2);
    }

    @Test
    void aFileThatWaitsForADeviceBeginsOnce() throws IOException {
        Files.writeString(path, "what was there");
        try (CaptureFile file = CaptureFile.fromWhenADeviceIsOpened(path)) {
            write(file, Bth.SIZE, 0);
            assertThat(path).hasContent("what was there");
            file.begin();
            write(file, Bth.SIZE, 0);
            file.begin();
            assertThat(Block.of(path)).extracting(Block::type).containsExactly(6);
        }
        CaptureFile unused = CaptureFile.fromWhenADeviceIsOpened(folder.resolve("none"));
        unused.close();
        unused.begin();
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void whoOpensADeviceHearsThatItsCaptureCannotBeWritten() {
        SoftNetwork network = SoftNetwork.builder()
                .devices(2)
                .capture(CaptureFile.fromWhenADeviceIsOpened(folder.resolve("none/all.pcapng")))
                .build();
        try (network) {
            assertThatThrownBy(() -> network.device("soft0").open())
                    .isInstanceOf(KernelException.class)
                    .hasMessageContaining("capture file")
                    .hasMessageContaining("none/all.pcapng");
        }
    }

    @Test
    void timesAreThoseOfTheClock() throws IOException {
        AtomicLong clock = new AtomicLong(1_700_000_000_123_456_789L);
        try (CaptureFile file = new CaptureFile(path, clock::get)) {
            write(file, Bth.SIZE, 0);
            clock.addAndGet(5_000_000_001L);
            write(file, Bth.SIZE, 0);
        }
        assertThat(Block.of(path))
                .extracting(Block::time)
                .containsExactly(1_700_000_000_123_456_789L, 1_700_000_005_123_456_790L, 1_700_000_005_123_456_790L);
    }

    @Test
    void whatCannotBeWrittenIsSaidAtOnce() {
        assertThatThrownBy(() -> new CaptureFile(folder.resolve("no/such/folder")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("no/such/folder");
    }
}
