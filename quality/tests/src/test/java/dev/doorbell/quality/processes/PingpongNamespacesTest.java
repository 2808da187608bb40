package dev.doorbell.quality.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two hosts with a cable between them. */
@Timeout(180)
final class PingpongNamespacesTest {
    private static final NetworkNamespaces HOSTS = new NetworkNamespaces();

    @BeforeAll
    static void requireHosts() {
        assumeTrue(HOSTS.obstacle().isEmpty(), () -> "needs network namespaces: " + HOSTS.obstacle());
    }

    @AfterAll
    static void remove() {
        HOSTS.close();
    }

    @ParameterizedTest
    @CsvSource({
        "rc-pingpong, 10.78.0.1, 10.78.0.2, -n 200 -c",
        "rc-pingpong, fd78::1, fd78::2, -n 200 -c",
        "rc-pingpong, fd78::1, fd78::2, -n 20 -c -s 1000003 -m 1024",
        "rc-pingpong, fe80::78:1%veth0, fe80::78:2%veth0, -n 200 -c",
        "uc-pingpong, 10.78.0.1, 10.78.0.2, -n 200 -c",
        "ud-pingpong, fd78::1, fd78::2, -n 200 -c -s 1000",
        "srq-pingpong, fd78::1, fd78::2, -n 200 -c -q 3",
    })
    void meet(String program, String serverHost, String clientHost, String options) throws Exception {
        try (CommandProcess server = start(HOSTS.inLeft(), program, serverHost, options)) {
            server.awaitOutput("(local address): .* GID .*" + gid(serverHost) + "\n");
            try (CommandProcess client = start(HOSTS.inRight(), program, clientHost, options + " " + serverHost)) {
                for (CommandProcess end : List.of(client, server)) {
                    assertThat(end.status()).as(end.output()).isZero();
                    assertThat(end.output()).contains("0 iters in ").doesNotContain("invalid data");
                }
                client.awaitOutput("(local address): .* GID .*" + gid(clientHost) + "\n");
            }
        }
    }

    /** A GID has no scope. */
    private static String gid(String host) {
        return host.replaceAll("%.*", "");
    }

    private static CommandProcess start(List<String> prefix, String program, String address, String options)
            throws Exception {
        List<String> words = new ArrayList<>(List.of(program, "-d", "soft0"));
        words.addAll(Arrays.asList(options.split(" ")));
        return CommandProcess.start(prefix, Map.of("DOORBELL_SOFT", "soft0@" + address), words.toArray(new String[0]));
    }
}
