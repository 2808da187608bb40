package dev.doorbell.quality.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** However a process ends, its capture is right up to its last block. */
@Timeout(180)
final class CaptureProcessesTest {
    private static final int SECTION = 0x0a0d_0d0a;
    private static final int PACKET = 6;
    private static final int LEAST_BLOCK = 12;
    private static final String ROUNDS = "1000000000";
    private static final long ENOUGH_BYTES = 1 << 16;
    private static final int LIMIT_KIB = 256;

    @TempDir
    private Path folder;

    /** The types of a file's whole blocks, and how many bytes are behind them. */
    private record Blocks(List<Integer> types, long rest) {
        static Blocks of(Path file) throws IOException {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
            List<Integer> types = new ArrayList<>();
            while (bytes.remaining() >= LEAST_BLOCK) {
                int at = bytes.position();
                int length = bytes.getInt(at + 4);
                assertThat(length).as("length of block %d", types.size()).isBetween(LEAST_BLOCK, 1 << 17);
                if (bytes.remaining() < length) {
                    break;
                }
                assertThat(bytes.getInt(at + length - 4))
                        .as("its length, again")
                        .isEqualTo(length);
                types.add(bytes.getInt(at));
                bytes.position(at + length);
            }
            return new Blocks(types, bytes.remaining());
        }

        long packets() {
            return types.stream().filter(type -> type == PACKET).count();
        }
    }

    /** Lets two ends play until somebody has seen enough of the one whose packets are written. */
    private static void play(List<String> prefix, Path capture, Probe probe) throws Exception {
        try (CommandProcess server = CommandProcess.start("rc-pingpong", "-d", "soft0", "-p", "0", "-n", ROUNDS)) {
            String port = server.awaitOutput("listening on TCP port (\\d+)\n");
            Map<String, String> environment = Map.of("DOORBELL_CAPTURE", capture.toString());
            try (CommandProcess client = CommandProcess.start(
                    prefix, environment, "rc-pingpong", "-d", "soft0", "-p", port, "-n", ROUNDS, "127.0.0.1")) {
                client.awaitOutput("(remote address: )");
                probe.look(client);
            }
        }
    }

    @FunctionalInterface
    private interface Probe {
        void look(CommandProcess client) throws Exception;
    }

    private static void awaitSize(CommandProcess client, Path file, long bytes) throws IOException {
        long start = System.nanoTime();
        while (Files.size(file) < bytes) {
            assertThat(client.isAlive()).as("it plays on:%n%s", client.output()).isTrue();
            assertThat(System.nanoTime() - start)
                    .as("the file grows:%n%s", client.output())
                    .isLessThan(TimeUnit.SECONDS.toNanos(120));
            Thread.yield();
        }
    }

    @Test
    void aKilledProcessLeavesAFileThatCanBeRead() throws Exception {
        Path capture = folder.resolve("killed.pcapng");
        play(List.of(), capture, client -> awaitSize(client, capture, ENOUGH_BYTES));
        Blocks blocks = Blocks.of(capture);
        assertThat(blocks.types()).startsWith(SECTION, 1);
        assertThat(blocks.packets()).isGreaterThan(10);
    }

    /** As on a full disk, the last write is one of a part. */
    @Test
    void whatTheSystemTakesOnlyAPartOfIsTakenBack() throws Exception {
        Path capture = folder.resolve("limited.pcapng");
        List<String> limited = List.of("bash", "-c", "ulimit -f " + LIMIT_KIB + " && exec \"$@\"", "limited");
        play(limited, capture, client -> client.awaitOutput("(capture file .* ends here)"));
        Blocks blocks = Blocks.of(capture);
        assertThat(blocks.rest()).isZero();
        assertThat(blocks.packets()).isGreaterThan(10);
        assertThat(Files.size(capture)).isLessThanOrEqualTo(LIMIT_KIB * 1024L);
    }
}
