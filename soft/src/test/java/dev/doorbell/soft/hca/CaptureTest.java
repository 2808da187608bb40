package dev.doorbell.soft.hca;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.soft.link.CaptureFile;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Opcode;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is written down is what a network would carry: another program reads it. */
@Timeout(240)
class CaptureTest {
    /** Codes that have a meaning, and that no device of ours sends: it takes congestion notifications, and sends none. */
    private static final Set<Integer> NEVER_SENT = Set.of(Opcode.CNP);

    /**
     * Codes of the specification's annexes of 2020, for which Debian 12's tshark (4.0) has no name: it shows their number, and
     * what is behind the base header as the data of a packet that it does not know. That is no error either.
     */
    private static final Set<Integer> UNNAMED = Set.of(Opcode.RC_FLUSH, Opcode.RC_ATOMIC_WRITE);

    private static final int ERROR = 0x80_0000;

    /** Answers: an acknowledgement, not ready, and the four refusals of table 45. */
    private static final List<Integer> SYNDROMES = List.of(0, 1, 0x60, 0x61, 0x62, 0x63);

    @TempDir
    private Path folder;

    /** A packet as tshark sees it. */
    private record Seen(int opcode, String syndrome, boolean malformed, int severity, Instant time) {
        static Seen of(String line) {
            String[] fields = line.split("\t", -1);
            int severity = Arrays.stream(fields[3].split(",", -1))
                    .filter(field -> !field.isEmpty())
                    .mapToInt(Integer::decode)
                    .max()
                    .orElse(0);
            String[] time = fields[4].split("\\.", -1);
            return new Seen(
                    Integer.decode(fields[0].strip()),
                    fields[1],
                    !fields[2].isEmpty(),
                    severity,
                    Instant.ofEpochSecond(Long.parseLong(time[0]), Long.parseLong(time[1])));
        }
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.1, 10.0.0.2, 239.1.2.3", "2001:db8::1, 2001:db8::2, ff12::1:203"})
    void tsharkDissectsEveryPacketThatADeviceSends(String here, String there, String group) throws Exception {
        Path path = folder.resolve("all.pcapng");
        Instant before = Instant.now();
        long written;
        try (CaptureFile file = new CaptureFile(path)) {
            EveryPacket.converse(file, gid(here), gid(there), gid(group));
            written = file.packets();
            assertThat(file.dropped()).isZero();
        }
        List<Seen> packets = dissected(path);
        assertThat(packets).hasSize(Math.toIntExact(written));
        assertThat(names(packets.stream().map(Seen::opcode).toList()))
                .as("every operation code that there is, and none that there is not")
                .isEqualTo(names(sendable()));
        assertThat(packets).as("packets that tshark objects to").noneMatch(Seen::malformed);
        assertThat(packets).as("expert errors").noneMatch(packet -> packet.severity() >= ERROR);
        assertThat(answers(packets)).containsAll(SYNDROMES);
        assertThat(packets)
                .extracting(Seen::time)
                .isSorted()
                .allMatch(time -> !time.isBefore(before.minusSeconds(1))
                        && !time.isAfter(Instant.now().plusSeconds(1)));
        theUnnamedAreShownAsNumbers(path);
    }

    private static Gid gid(String address) {
        return Gid.of(InetAddress.ofLiteral(address));
    }

    private static List<Integer> sendable() {
        return IntStream.range(0, 256)
                .filter(Opcode::isKnown)
                .filter(code -> !NEVER_SENT.contains(code))
                .boxed()
                .toList();
    }

    private static Set<String> names(List<Integer> codes) {
        return codes.stream().map(Opcode::name).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Syndromes without the credits of an acknowledgement and the timer of who is not ready, which is 1 here. */
    private static Set<Integer> answers(List<Seen> packets) {
        Set<Integer> answers = new HashSet<>();
        for (Seen packet : packets) {
            if (!packet.syndrome().isEmpty()) {
                int syndrome = Integer.decode(packet.syndrome());
                answers.add(syndrome >= 0x60 ? syndrome : syndrome >>> 5);
            }
        }
        return answers;
    }

    private void theUnnamedAreShownAsNumbers(Path path) throws Exception {
        StringBuilder others = new StringBuilder("infiniband");
        for (int code : UNNAMED) {
            String text = tshark(path, "-Y", "infiniband.bth.opcode == " + code, "-V");
            assertThat(text).containsPattern("Opcode: .*\\(" + code + "\\)").contains("Destination Queue Pair: 0x");
            others.append(" && infiniband.bth.opcode != ").append(code);
        }
        assertThat(tshark(path, "-Y", others.toString(), "-V"))
                .as("the others have names, and their headers are known")
                .contains("Opcode: Reliable Connection (RC) - SEND Only")
                .doesNotContain("Opcode: Unknown", "Reserved (2", "Unknown Header Sequence");
    }

    private List<Seen> dissected(Path path) throws Exception {
        String text = tshark(
                path,
                "-Y",
                "infiniband",
                "-T",
                "fields",
                "-e",
                "infiniband.bth.opcode",
                "-e",
                "infiniband.aeth.syndrome",
                "-e",
                "_ws.malformed",
                "-e",
                "_ws.expert.severity",
                "-e",
                "frame.time_epoch");
        return text.lines().map(Seen::of).toList();
    }

    /** Its answer; the test is skipped where it is not installed. */
    private String tshark(Path capture, String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", capture.toString()));
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
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        return Files.readString(output);
    }
}
