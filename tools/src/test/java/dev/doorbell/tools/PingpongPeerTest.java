package dev.doorbell.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Peers that do not play along: each ends the program with a sentence and exit code 1, and none keeps it waiting. */
@Timeout(120)
final class PingpongPeerTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final String GID = "00000000000000000000ffff7f000001";

    /** An address as the C programs write it, of a queue pair that is not there. */
    private static final String NOBODY = "0000:0ffffe:ABCDEF:" + GID + "\0";

    private static final String NOTHING = "0000:000000:000000:" + "0".repeat(32) + "\0";

    private static RunningCommand server() {
        return RunningCommand.start("rc-pingpong", "-d", "soft0", "-p", "0", "--timeout", "0.3");
    }

    private static void send(Socket to, String text) throws IOException {
        to.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void assertRefused(RunningCommand command, String... sentences) throws Exception {
        assertThat(command.status()).as(command.out()).isEqualTo(DoorbellCommand.FAILED);
        assertThat(command.err()).startsWith("doorbell: ").contains(sentences).doesNotContain("\tat ");
        assertThat(command.err().lines()).hasSize(1);
    }

    @Test
    void serverTellsItsAddressInOneMessageAsTheCProgramsReadIt() throws Exception {
        RunningCommand server = server();
        try (Socket peer = new Socket(HERE, server.listeningPort())) {
            send(peer, NOBODY);
            byte[] answer = new byte[1000];
            assertThat(peer.getInputStream().read(answer)).isEqualTo(52);
            assertThat(new String(answer, 0, 52, StandardCharsets.US_ASCII))
                    .matches("0000:[0-9a-f]{6}:[0-9a-f]{6}:[0-9a-f]{32}\0");
            send(peer, "done\0");
            // Nobody sends a packet from there.
            assertRefused(
                    server,
                    "nothing came from the peer in 0.3 s: 0 messages were sent and 0 received of 1000 each way; soft0 has link ");
            assertThat(server.out())
                    .contains("remote address: LID 0x0000, QPN 0x0ffffe, PSN 0xabcdef, GID ::ffff:127.0.0.1");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                     | fell silent before it sent its address: nothing came in time (0.3 s)",
                "0000:000011:                           | fell silent after 12 of 52 bytes of its address",
                "GET / HTTP/1.1_Host: doorbell.example_Accept: text/html | the peer sent 'GET / HTTP/1.1_Host:",
                "0000:0000fg:000000:00000000000000000000ffff7f0000010  | where LID:QPN:PSN:GID in hexadecimal digits",
            })
    void peerWithAnotherStory(String story, String sentence) throws Exception {
        RunningCommand server = server();
        try (Socket peer = new Socket(HERE, server.listeningPort())) {
            send(peer, story);
            assertRefused(server, sentence);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, before it sent its address", "1, after 1 of 52 bytes of its address", "51, after 51 of 52 bytes"})
    void peerThatLeaves(int bytes, String sentence) throws Exception {
        RunningCommand server = server();
        try (Socket peer = new Socket(HERE, server.listeningPort())) {
            send(peer, NOBODY.substring(0, bytes));
        }
        assertRefused(server, "the peer closed the connection " + sentence);
    }

    /** A byte now and then must not move the deadline, which is for the message. */
    @Test
    void peerThatDripsBytes() throws Exception {
        RunningCommand server = server();
        try (Socket peer = new Socket(HERE, server.listeningPort())) {
            int sent = 0;
            while (sent < 52 && !server.ends(Duration.ofMillis(50))) {
                send(peer, NOBODY.substring(sent, ++sent));
            }
            assertThat(sent).isLessThan(52);
            assertRefused(server, "fell silent after ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "dont_, the peer sent 'dont_' where 'done' and a NUL were expected",
        "do, fell silent after 2 of 5 bytes of 'done'",
    })
    void peerThatDoesNotSayDone(String word, String sentence) throws Exception {
        RunningCommand server = server();
        try (Socket peer = new Socket(HERE, server.listeningPort())) {
            send(peer, NOBODY);
            assertThat(peer.getInputStream().readNBytes(52)).hasSize(52);
            send(peer, word);
            assertRefused(server, sentence);
        }
    }

    @Test
    void peerThatLeavesBeforeItSaysDone() throws Exception {
        RunningCommand server = server();
        try (Socket peer = new Socket(HERE, server.listeningPort())) {
            send(peer, NOBODY);
            assertThat(peer.getInputStream().readNBytes(52)).hasSize(52);
        }
        assertRefused(server, "the peer closed the connection before it sent 'done'");
    }

    @Test
    void peerThatTellsNoGid() throws Exception {
        RunningCommand server = server();
        try (Socket peer = new Socket(HERE, server.listeningPort())) {
            send(peer, NOBODY.replace(GID, "0".repeat(32)));
            assertRefused(server, "told no GID", "start it with -g INDEX");
        }
    }

    @Test
    void peerWithoutAQueuePair() throws Exception {
        RunningCommand server = server();
        try (Socket peer = new Socket(HERE, server.listeningPort())) {
            send(peer, NOBODY.replace("0ffffe", "000000"));
            assertRefused(server, "the peer has 0 queue pairs and this end 1");
        }
    }

    /** The C program does so whatever its -q says, and expects as many. */
    @Test
    void endsWithASharedQueueTell256Addresses() throws Exception {
        RunningCommand server =
                RunningCommand.start("srq-pingpong", "-d", "soft0", "-p", "0", "--timeout", "0.3", "-q", "2");
        try (Socket peer = new Socket(HERE, server.listeningPort())) {
            send(peer, (NOBODY + NOBODY) + NOTHING.repeat(254));
            String answer = new String(peer.getInputStream().readNBytes(256 * 52), StandardCharsets.US_ASCII);
            assertThat(answer).endsWith(NOTHING.repeat(254)).hasSize(256 * 52);
            assertThat(answer.substring(0, 2 * 52)).doesNotContain(NOTHING);
            send(peer, "done\0");
            assertRefused(server, "nothing came from the peer in 0.3 s");
        }
    }

    @Test
    void serverThatIsNotThere() throws Exception {
        int port;
        try (ServerSocket gone = new ServerSocket(0, 1, HERE)) {
            port = gone.getLocalPort();
        }
        RunningCommand client =
                RunningCommand.start("rc-pingpong", "-d", "soft0", "-p", Integer.toString(port), "127.0.0.1");
        assertRefused(client, "cannot connect to 127.0.0.1 port " + port, "refused");
    }

    @Test
    void hostThatIsNotThere() throws Exception {
        assertRefused(
                RunningCommand.start("rc-pingpong", "-d", "soft0", "no.such.host.invalid"),
                "there is no host 'no.such.host.invalid'");
    }

    @ParameterizedTest
    @CsvSource({
        "'', fell silent before it sent its address",
        "0000:, fell silent after 5 of 52 bytes of its address",
        "0000;0ffffe;ABCDEF;00000000000000000000ffff7f000001_, the peer sent '0000;0ffffe;",
    })
    void serverWithAnotherStory(String story, String sentence) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, HERE)) {
            RunningCommand client = client(listener);
            try (Socket peer = listener.accept()) {
                assertThat(peer.getInputStream().readNBytes(52)).hasSize(52);
                send(peer, story);
                assertRefused(client, sentence);
            }
        }
    }

    @Test
    void serverWithoutAQueuePair() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, HERE)) {
            RunningCommand client = client(listener);
            try (Socket peer = listener.accept()) {
                InputStream in = peer.getInputStream();
                assertThat(in.readNBytes(52)).hasSize(52);
                send(peer, NOBODY);
                assertThat(in.readNBytes(5)).isEqualTo("done\0".getBytes(StandardCharsets.US_ASCII));
                assertThat(in.read()).as("the client closes the connection").isEqualTo(-1);
                assertThat(client.status()).isEqualTo(DoorbellCommand.FAILED);
                assertThat(client.err())
                        .startsWith("doorbell: ")
                        .containsPattern("RETRY_EXC|nothing came from the peer in 0.3 s");
            }
        }
    }

    @Test
    void peerThatNeverSendsIsNotAwaitedForEverAsleep() throws Exception {
        RunningCommand server = RunningCommand.start("rc-pingpong", "-d", "soft0", "-p", "0", "--timeout", "0.3", "-e");
        try (Socket peer = new Socket(HERE, server.listeningPort())) {
            send(peer, NOBODY);
            assertThat(peer.getInputStream().readNBytes(52)).hasSize(52);
            send(peer, "done\0");
            assertRefused(server, "nothing came from the peer in 0.3 s");
        }
    }

    private static RunningCommand client(ServerSocket listener) {
        return RunningCommand.start(
                "rc-pingpong",
                "-d",
                "soft0",
                "-p",
                Integer.toString(listener.getLocalPort()),
                "--timeout",
                "0.3",
                HERE.getHostAddress());
    }
}
