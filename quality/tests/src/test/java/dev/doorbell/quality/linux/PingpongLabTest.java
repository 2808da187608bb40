package dev.doorbell.quality.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.tools.pingpong.Service;
import dev.doorbell.verbs.Device;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Our ping-pong programs against those of ibverbs-utils, each on rxe0, either of them as the server. */
@Tag("lab")
@Timeout(240)
final class PingpongLabTest {
    private static final String SERVER = "10.77.0.1";

    private static int port = 18515;

    /** The C programs need the index told; ours choose it by themselves. */
    private static String gidIndex() {
        return Device.named("rxe0").gids(1).stream()
                .filter(entry -> entry.gid().toString().equals("::ffff:" + SERVER))
                .map(entry -> Integer.toString(entry.index()))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "RC, -n 50 -c -s 3000, 300000",
        "RC, -n 20 -e -r 4 -s 1, 40",
        "UC, -n 50 -c -s 3000, 300000",
        "UD, -n 50 -c -s 1000, 100000",
        "SRQ, -n 50 -q 3 -s 2000 -c, 200000",
    })
    void theCProgramIsTheServer(Service service, String options, long bytes) throws Exception {
        String tcpPort = Integer.toString(++port);
        PingpongEnd server = PingpongEnd.theirs(service, words(options, "-d", "rxe0", "-g", gidIndex(), "-p", tcpPort));
        server.awaitListener(port);
        PingpongEnd client =
                PingpongEnd.ours(service, words(options, "-d", "rxe0", "-p", tcpPort, "--timeout", "60", SERVER));
        assertAgreed(client.await(), server.await(), bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "RC, -n 50 -c -s 3000, 300000",
        "RC, -n 20 -e -r 4 -s 1, 40",
        "UC, -n 50 -c -s 3000, 300000",
        "UD, -n 50 -c -s 1000, 100000",
        "SRQ, -n 50 -q 3 -s 2000 -c, 200000",
    })
    void theCProgramIsTheClient(Service service, String options, long bytes) throws Exception {
        String tcpPort = Integer.toString(++port);
        PingpongEnd server = PingpongEnd.ours(service, words(options, "-d", "rxe0", "-p", tcpPort, "--timeout", "60"));
        server.awaitListener(port);
        PingpongEnd client =
                PingpongEnd.theirs(service, words(options, "-d", "rxe0", "-g", gidIndex(), "-p", tcpPort, SERVER));
        assertAgreed(client.await(), server.await(), bytes);
    }

    private static List<String> words(String options, String... more) {
        List<String> words = new ArrayList<>(Arrays.asList(options.split(" ")));
        words.addAll(Arrays.asList(more));
        return words;
    }

    private static void assertAgreed(String client, String server, long bytes) {
        for (String end : List.of(client, server)) {
            assertThat(end)
                    .containsPattern("(?m)^" + bytes + " bytes in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d Mbit/sec$")
                    .doesNotContain("invalid data");
        }
        assertThat(addresses(client, "local"))
                .isEqualTo(addresses(server, "remote"))
                .isNotEmpty();
        assertThat(addresses(server, "local"))
                .isEqualTo(addresses(client, "remote"))
                .isNotEmpty();
    }

    private static List<String> addresses(String output, String whose) {
        String title = "  " + whose + " address:";
        return output.lines()
                .filter(line -> line.startsWith(title))
                // The datagram program has a colon where the others have a comma.
                .map(line -> line.substring(title.length()).strip().replace(": GID", ", GID"))
                .toList();
    }
}
