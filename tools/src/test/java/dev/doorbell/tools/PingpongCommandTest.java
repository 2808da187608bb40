package dev.doorbell.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends of a ping-pong in this JVM, on the embedded device. */
@Timeout(120)
final class PingpongCommandTest {
    @ParameterizedTest
    @CsvSource({
        "rc-pingpong, '-n 100', 819200, 100",
        "rc-pingpong, '-n 20 -s 1', 40, 20",
        "rc-pingpong, '-n 20 -s 100000 -c', 4000000, 20",
        "rc-pingpong, '-n 50 -r 1', 409600, 50",
        "rc-pingpong, '-n 0x20 -s 010 -N', 512, 32",
        "rc-pingpong, '-n 20 -m 4096 -g 1 -l 3', 163840, 20",
        "rc-pingpong, '-n 100 -e', 819200, 100",
        "srq-pingpong, '-n 100 -e -q 3', 819200, 100",
        "uc-pingpong, '-n 100', 819200, 100",
        "uc-pingpong, '-n 20 -s 100000 -c -m 4096', 4000000, 20",
        "uc-pingpong, '-n 50 -r 1 -e', 409600, 50",
        "ud-pingpong, '-n 100', 409600, 100",
        "ud-pingpong, '-n 20 -s 4096 -c', 163840, 20",
        "ud-pingpong, '-n 50 -r 1 -s 1 -e -l 3', 100, 50",
        "srq-pingpong, '-n 100', 819200, 100",
        "srq-pingpong, '-n 100 -q 1 -r 1 -s 100', 20000, 100",
        "srq-pingpong, '-n 200 -q 3 -r 4 -s 5000 -c', 2000000, 200",
        "srq-pingpong, '-n 5 -q 16 -r 16', 40960, 5",
        "rc-pingpong, '--iters=1 --size=64 --rx-depth=2 --chk --timeout 30', 128, 1",
    })
    void bothEndsSayHowLongItTook(String program, String options, long bytes, int iterations) throws Exception {
        PingpongMatch.play(program, options).assertSuccess().assertResult(bytes, iterations);
    }

    @Test
    void eachEndPrintsBothAddressesAndTheyAgree() throws Exception {
        PingpongMatch match = PingpongMatch.play("rc-pingpong", "-n 2").assertSuccess();
        List<String> server = PingpongMatch.addresses(match.server(), "  local address:  ");
        List<String> client = PingpongMatch.addresses(match.client(), "  local address:  ");
        assertThat(server).isEqualTo(PingpongMatch.addresses(match.client(), "  remote address: "));
        assertThat(client).isEqualTo(PingpongMatch.addresses(match.server(), "  remote address: "));
        assertThat(client)
                .singleElement()
                .asString()
                .matches("LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6}, GID ::ffff:127\\.0\\.0\\.\\d+");
    }

    @Test
    void withoutAnIndexTheGidIsChosenAndTheReasonTold() throws Exception {
        PingpongMatch match =
                PingpongMatch.play("rc-pingpong", "-n 2", "-n 2 -g 1").assertSuccess();
        assertThat(match.server().out())
                .containsPattern("without -g: GID index 1 ::ffff:127\\.0\\.0\\.\\d+: RoCE v2 over IPv4 on lo");
        assertThat(match.client().out()).doesNotContain("without -g");
    }

    @Test
    void dataThatTheClientDidNotMarkAreInvalid() throws Exception {
        PingpongMatch match = PingpongMatch.play("rc-pingpong", "-n 2 -s 8192 -c", "-n 2 -s 8192");
        assertThat(match.server().status()).isEqualTo(DoorbellCommand.FAILED);
        assertThat(match.server().out()).contains("invalid data in page 0", "invalid data in page 1", "2 iters in");
        assertThat(match.client().status()).isZero();
    }

    @Test
    void timesByTheDevicesClock() throws Exception {
        PingpongMatch match = PingpongMatch.play("rc-pingpong", "-n 20 -t").assertSuccess();
        assertThat(match.client().out())
                .containsPattern("(?m)^Max receive completion clock cycles = \\d+$")
                .containsPattern("(?m)^Min receive completion clock cycles = \\d+$")
                .containsPattern("(?m)^Average receive completion clock cycles = \\d+\\.\\d{6}$");
    }

    @Test
    void eachQueuePairOfASharedQueueHasItsAddress() throws Exception {
        PingpongMatch match = PingpongMatch.play("srq-pingpong", "-n 20 -q 5").assertSuccess();
        assertThat(PingpongMatch.addresses(match.server(), "  local address:  "))
                .hasSize(5)
                .doesNotHaveDuplicates()
                .isEqualTo(PingpongMatch.addresses(match.client(), "  remote address: "));
    }

    @Test
    void peersWithDifferentNumbersOfQueuePairsPart() throws Exception {
        PingpongMatch match = PingpongMatch.play("srq-pingpong", "-n 20 -q 3", "-n 20 -q 2");
        assertThat(match.server().err()).contains("the peer has 2 queue pairs and this end 3: -q has to say the same");
        assertThat(match.client().err()).contains("closed the connection before it sent its 256 addresses");
    }

    /** What the ends exchange has no sizes in it, so a mistake shows as a wrong length. */
    @Test
    void endsWithDifferentSizesHearWhatHasToBeTheSame() throws Exception {
        PingpongMatch match = PingpongMatch.play("rc-pingpong", "-n 20 -s 100", "-n 20 -s 200");
        assertThat(match.server().err())
                .contains("LOC_LEN_ERR", "Here: both ends have to be the same program with the same -s, -m and -n");
        assertThat(match.client().err()).contains("REM_INV_REQ_ERR", "the same -s, -m and -n");
    }

    @Test
    void aDatagramFitsInOnePacket() throws Exception {
        RunningCommand command = RunningCommand.start("ud-pingpong", "-d", "soft0", "-p", "0", "-s", "4097");
        assertThat(command.status()).isEqualTo(DoorbellCommand.FAILED);
        assertThat(command.err())
                .contains("a datagram of 4097 bytes does not fit in one packet: port 1 of soft0 has an MTU of 4096");
    }

    @Test
    void theDatagramProgramHasAColonInItsLocalAddress() throws Exception {
        PingpongMatch match = PingpongMatch.play("ud-pingpong", "-n 1").assertSuccess();
        assertThat(match.server().out()).containsPattern("local address: .* PSN 0x[0-9a-f]{6}: GID ::ffff:");
        assertThat(match.server().out()).containsPattern("remote address: .* PSN 0x[0-9a-f]{6}, GID ::ffff:");
    }

    @Test
    void everyQueuePairNeedsAReceive() throws Exception {
        RunningCommand command = RunningCommand.start("srq-pingpong", "-q", "5", "-r", "4");
        assertThat(command.status()).isEqualTo(DoorbellCommand.USAGE);
        assertThat(command.err()).contains("-r 4 is too small for 5 queue pairs");
    }

    @Test
    void gidsOfDifferentKindsAreRefusedByBothEnds() throws Exception {
        PingpongMatch match = PingpongMatch.play("rc-pingpong", "-g 0", "-g 1");
        assertThat(List.of(match.server().status(), match.client().status())).containsOnly(DoorbellCommand.FAILED);
        assertThat(match.server().err()).contains("different kinds, IPv4 and IPv6: -g chooses another");
        assertThat(match.client().err()).contains("the peer closed the connection before it sent its address");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"rc-pingpong -o", "rc-pingpong -O", "rc-pingpong -o -P", "rc-pingpong -j", "srq-pingpong -o"})
    void whatTheDeviceLacksIsRefusedInASentence(String line) throws Exception {
        RunningCommand command = RunningCommand.start((line + " -p 0 -d soft0").split(" "));
        assertThat(command.status()).isEqualTo(DoorbellCommand.FAILED);
        assertThat(command.err())
                .containsPattern("^doorbell: device soft0, driven by rxe, has no .*; leave out -[oOj]");
    }

    @Test
    void gidIndexThatTheDeviceLacksFails() throws Exception {
        RunningCommand command = RunningCommand.start("rc-pingpong", "-d", "soft0", "-p", "0", "-g", "77");
        assertThat(command.status()).isEqualTo(DoorbellCommand.FAILED);
        assertThat(command.err()).contains("slot 77 of its GID table is empty");
    }

    @Test
    void tcpPortThatIsTakenFailsWithoutADevice() throws Exception {
        try (var holder = new ServerSocket(0)) {
            RunningCommand command =
                    RunningCommand.start("rc-pingpong", "-d", "none", "-p", Integer.toString(holder.getLocalPort()));
            assertThat(command.status()).isEqualTo(DoorbellCommand.FAILED);
            assertThat(command.err()).contains("cannot listen on TCP port " + holder.getLocalPort(), "in use");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-p 65536, '-p is 0 to 65535, not ''65536'''",
        "-p x, '-p is 0 to 65535, not ''x'''",
        "-i 0, '-i is 1 to 255, not ''0'''",
        "-s 0, '-s is 1 to '",
        "-m 1000, 'no MTU has 1000 bytes; allowed are 256, 512, 1024, 2048, 4096'",
        "-r 0, '-r is 1 to '",
        "-n 0, '-n is 1 to '",
        "-n 9999999999, '-n is 1 to 2147483647, not ''9999999999'''",
        "-l 16, '-l is 0 to 15, not ''16'''",
        "-g -1, '-g is 0 to '",
        "--timeout 0, '--timeout is 0.001 to 86400 seconds, not ''0'''",
        "--timeout soon, not 'soon'",
        "-P, 'it needs -o'",
        "-j -o, 'is not paged on demand'",
        "-p 0 somewhere, 'a client has to know it'",
        "one two, 'unexpected argument ''two'''",
        "-q 3, 'Unrecognized option: -q'",
    })
    void valuesThatMakeNoSenseAreUsageErrors(String options, String sentence) throws Exception {
        RunningCommand command = RunningCommand.start(("rc-pingpong " + options).split(" "));
        assertThat(command.status()).as(command.err()).isEqualTo(DoorbellCommand.USAGE);
        assertThat(command.err()).contains(sentence, "Try 'doorbell rc-pingpong --help'");
    }
}
