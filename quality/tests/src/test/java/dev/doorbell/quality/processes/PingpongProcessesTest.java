package dev.doorbell.quality.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two processes of this host: their devices stand on different loopback addresses and meet over UDP. */
@Timeout(180)
final class PingpongProcessesTest {
    private static final int SIGTERM = 128 + 15;
    private static final String LISTENING = "listening on TCP port (\\d+)\n";
    private static final String ADDRESS = "(local address: .*)\n";

    private static CommandProcess start(String program, String port, String options) throws Exception {
        List<String> words = new ArrayList<>(List.of(program, "-d", "soft0", "-p", port));
        words.addAll(Arrays.asList(options.split(" ")));
        return CommandProcess.start(words.toArray(new String[0]));
    }

    @ParameterizedTest
    @CsvSource({
        "rc-pingpong, -n 300 -c, 2457600",
        "rc-pingpong, -n 20 -s 100000 -m 4096 -e, 4000000",
        "uc-pingpong, -n 300 -c, 2457600",
        "ud-pingpong, -n 300 -c, 1228800",
        "srq-pingpong, -n 300 -q 4 -c, 2457600",
    })
    void meet(String program, String options, long bytes) throws Exception {
        try (CommandProcess server = start(program, "0", options)) {
            String port = server.awaitOutput(LISTENING);
            try (CommandProcess client = start(program, port, options + " 127.0.0.1")) {
                for (CommandProcess end : List.of(client, server)) {
                    assertThat(end.status()).as(end.output()).isZero();
                    assertThat(end.output()).contains(bytes + " bytes in ").doesNotContain("invalid data");
                }
                assertThat(gid(client, "local")).isEqualTo(gid(server, "remote"));
                assertThat(gid(client, "local")).isNotEqualTo(gid(client, "remote"));
            }
        }
    }

    /** One end's device loses, doubles, mixes up and damages packets on purpose, in both directions; the data are right. */
    @Test
    void meetOverABadLink() throws Exception {
        String options = "-n 300 -s 20000 -m 1024 -c";
        try (CommandProcess server = start("rc-pingpong", "0", options)) {
            String port = server.awaitOutput(LISTENING);
            String faults = "loss=1%,duplicate=1%,reorder=1%,corrupt=1%,seed=7";
            try (CommandProcess client =
                    start("rc-pingpong", port, options + " --faults " + faults + ",drop=2@sent/SEND_LAST 127.0.0.1")) {
                for (CommandProcess end : List.of(client, server)) {
                    assertThat(end.status()).as(end.output()).isZero();
                    assertThat(end.output()).contains("12000000 bytes in ").doesNotContain("invalid data");
                }
                assertThat(client.output())
                        .contains(
                                "faults on purpose: loss=1%,duplicate=1%,reorder=1%,corrupt=1%,drop=2@sent/SEND_LAST,seed=7")
                        .containsPattern(
                                "packets of this end: [1-9]\\d* corrupted, [1-9]\\d* duplicated, [1-9]\\d* lost");
            }
        }
    }

    private static String gid(CommandProcess end, String whose) throws InterruptedException {
        return end.awaitOutput(whose + " address: .* GID (::ffff:127\\.0\\.0\\.\\d+)\n");
    }

    /** Ctrl-C while it waits for a client, and in the middle of the game: the ports are free again at once. */
    @Test
    void anInterruptedEndLeavesNothingBehind() throws Exception {
        int port;
        try (CommandProcess server = start("rc-pingpong", "0", "-n 10")) {
            port = Integer.parseInt(server.awaitOutput(LISTENING));
            server.awaitOutput(ADDRESS);
            server.interrupt();
            assertThat(server.status()).isEqualTo(SIGTERM);
        }
        assertThat(new ServerSocket(port)).satisfies(ServerSocket::close);

        String address;
        try (CommandProcess server = start("rc-pingpong", Integer.toString(port), "-n 2000000000 --timeout 3")) {
            address = server.awaitOutput(ADDRESS);
            try (CommandProcess client =
                    start("rc-pingpong", Integer.toString(port), "-n 2000000000 --timeout 3 127.0.0.1")) {
                server.awaitOutput("(remote address)");
                server.interrupt();
                assertThat(server.status()).isEqualTo(SIGTERM);
                assertThat(client.status()).as(client.output()).isEqualTo(1);
                assertThat(client.output())
                        .containsPattern("RETRY_EXC|nothing came from the peer in 3 s|closed the connection");
            }
        }
        try (CommandProcess again = start("rc-pingpong", Integer.toString(port), "-n 10")) {
            assertThat(again.awaitOutput(ADDRESS).replaceAll(".*GID", "")).isEqualTo(address.replaceAll(".*GID", ""));
        }
    }
}
