package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.abi.GrhArea;
import dev.doorbell.soft.link.CaptureFile;
import dev.doorbell.soft.link.CaptureLink;
import dev.doorbell.soft.link.InMemoryNetwork;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is written down is what a network would carry: another program reads it. */
@Timeout(120)
class CaptureTest {
    private static final int QKEY = new Endpoint.Options().qkey;

    @TempDir
    private Path folder;

    private final AtomicLong clock = new AtomicLong();

    @ParameterizedTest
    @CsvSource({"0, 0xffff0a000001, 0xffff0a000002", "0x20010db800000000, 1, 2"})
    void tsharkDissectsEveryPacket(long prefix, long one, long other) throws Exception {
        Path path = folder.resolve("all.pcapng");
        try (CaptureFile file = new CaptureFile(path)) {
            converse(file, new Gid(prefix, one), new Gid(prefix, other));
        }
        String malformed = tshark(path, "-Y", "_ws.malformed");
        assertThat(malformed).as("packets that tshark objects to").isBlank();
        String codes = tshark(path, "-Y", "infiniband", "-T", "fields", "-e", "infiniband.bth.opcode");
        assertThat(codes.lines().distinct().map(CaptureTest::number))
                .as("operation codes that it saw")
                .contains(0, 1, 2, 4, 6, 7, 8, 0x0a, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x64);
    }

    private static int number(String code) {
        return Integer.decode(code.strip());
    }

    /** Its answer; the test is skipped where it is not installed. */
    private String tshark(Path capture, String... more) throws IOException, InterruptedException {
        List<String> command = new java.util.ArrayList<>(List.of("tshark", "-n", "-r", capture.toString()));
        command.addAll(List.of(more));
        Path output = folder.resolve("tshark.txt");
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectOutput(output.toFile())
                    .redirectError(folder.resolve("errors.txt").toFile())
                    .start();
        } catch (IOException notThere) {
            Assumptions.abort("needs tshark");
            return "";
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        return java.nio.file.Files.readString(output);
    }

    private Device device(InMemoryNetwork network, Gid gid, CaptureFile file) {
        return new Device(gid, clock, new CaptureLink(network.join(List.of(gid)), file), HcaLimits.DEFAULT);
    }

    private void converse(CaptureFile file, Gid here, Gid there) {
        InMemoryNetwork network = new InMemoryNetwork();
        Device left = device(network, here, file);
        Device right = device(network, there, file);
        Endpoint one = left.endpoint();
        Endpoint other = right.endpoint();
        Endpoint.connect(one, other);
        Device.Buffer source = left.buffer(3001).fill(new SplittableRandom(1).nextLong());
        Device.Buffer target = right.buffer(4000);
        for (int size : new int[] {0, 1, 3001}) {
            // What a SEND carries tshark takes for a protocol of its own, and so wants more than a few bytes.
            int sent = Math.max(size, 64);
            other.receive(size, sge(target));
            one.send(1, sge(source, 0, sent));
            one.write(2, target, 0, sge(source, 0, size));
            one.read(3, target, 0, sge(source, 0, size));
        }
        one.fetchAdd(4, target.address(), target.key(), 5, sge(source, 0, 8));
        one.compareSwap(5, target.address(), target.key(), 5, 9, sge(source, 8, 8));
        Endpoint ud = left.endpoint(Endpoint.Options.of(QueuePairType.UD)).open();
        Endpoint inbox = right.endpoint(Endpoint.Options.of(QueuePairType.UD)).open();
        inbox.receive(1, sge(right.buffer(4096 + GrhArea.SIZE)));
        ud.datagram(6, ud.address(there), inbox.queuePair.number(), QKEY, sge(source, 0, 77));
        while (left.hca.doWork(clock.get()) || right.hca.doWork(clock.get())) {
            // Each round may have made work for the next.
        }
        assertThat(one.sent()).hasSize(11);
        assertThat(inbox.received()).hasSize(1);
    }
}
