package dev.doorbell.quality.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doorbell.testkit.Loopback;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** rping between two processes: over loopback addresses, and over a cable between two hosts. */
@Timeout(180)
final class RpingProcessesTest {
    private static final NetworkNamespaces HOSTS = new NetworkNamespaces();
    private static final String LISTENING = "(listening at)";

    private final String here = Loopback.next().getHostAddress();
    private final String there = Loopback.next().getHostAddress();

    @AfterAll
    static void remove() {
        HOSTS.close();
    }

    private static CommandProcess start(List<String> prefix, String own, String... words) throws Exception {
        String[] all = new String[words.length + 1];
        all[0] = "rping";
        System.arraycopy(words, 0, all, 1, words.length);
        return CommandProcess.start(prefix, Map.of("DOORBELL_SOFT", "soft0@" + own), all);
    }

    private static void meet(List<String> left, String serverHost, List<String> right, String clientHost)
            throws Exception {
        try (CommandProcess server = start(left, serverHost, "-s", "-a", serverHost)) {
            server.awaitOutput(LISTENING);
            try (CommandProcess client = start(right, clientHost, "-c", "-a", serverHost, "-C", "100", "-V")) {
                assertThat(client.status()).as(client.output()).isZero();
                assertThat(server.status()).as(server.output()).isZero();
                assertThat(server.output()).contains("DISCONNECT EVENT after 100 pings");
            }
        }
    }

    @Test
    void overLoopback() throws Exception {
        meet(List.of(), here, List.of(), there);
        meet(List.of(), there, List.of(), here);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.78.0.", "fd78::"})
    void overACable(String prefix) throws Exception {
        assumeTrue(HOSTS.obstacle().isEmpty(), () -> "needs network namespaces: " + HOSTS.obstacle());
        meet(HOSTS.inLeft(), prefix + 1, HOSTS.inRight(), prefix + 2);
    }

    @Test
    void aClosedPortRefuses() throws Exception {
        try (CommandProcess server = start(List.of(), there, "-s", "-a", there)) {
            server.awaitOutput(LISTENING);
            try (CommandProcess client = start(List.of(), here, "-c", "-a", there, "-p", "7175", "-C", "1")) {
                assertThat(client.status()).as(client.output()).isOne();
                assertThat(client.output())
                        .contains("ECONNREFUSED: rejected with reason 8: nobody listens at that port");
            }
        }
    }

    @Test
    void anUnreachableNetworkIsToldAtOnce() throws Exception {
        try (CommandProcess client = start(List.of(), here, "-c", "-a", "192.0.2.1", "-C", "1")) {
            assertThat(client.status()).as(client.output()).isOne();
            assertThat(client.output()).contains("ENETUNREACH");
        }
    }

    @Test
    void aSilentAddressEndsWithTheDeadline() throws Exception {
        try (CommandProcess client = start(List.of(), here, "-c", "-a", there, "-C", "1", "--timeout", "2")) {
            assertThat(client.status()).as(client.output()).isOne();
            assertThat(client.output()).contains("ETIMEDOUT: connecting to " + there + ":7174 took longer than 2 s");
        }
    }
}
