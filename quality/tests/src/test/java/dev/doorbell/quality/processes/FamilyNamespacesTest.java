package dev.doorbell.quality.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both families of addresses, through real sockets: everything that devices say to each other, and their IP headers. */
@Timeout(300)
final class FamilyNamespacesTest {
    private static final NetworkNamespaces HOSTS = new NetworkNamespaces();

    @BeforeAll
    static void requireHosts() {
        assumeTrue(HOSTS.obstacle().isEmpty(), () -> "needs network namespaces: " + HOSTS.obstacle());
        HOSTS.inLeft("addr add 10.78.0.11/24 dev veth0");
        HOSTS.inLeft("addr add fd78::11/64 dev veth0 nodad");
        HOSTS.inLeft("addr add fe80::78:11/64 dev veth0 nodad");
    }

    @AfterAll
    static void remove() {
        HOSTS.close();
    }

    @ParameterizedTest
    @CsvSource({
        "10.78.0.1, 10.78.0.11, 239.7.8.9, true",
        "10.78.0.1, 10.78.0.11, 239.7.8.9, false",
        "fd78::1, fd78::11, ff1e::789, true",
        "fd78::1, fd78::11, ff1e::789, false",
        "fe80::78:1%veth0, fe80::78:11%veth0, ff12::789, true"
    })
    void everythingArrives(String one, String other, String group, String segmentation) throws Exception {
        String program = FamilyConversation.class.getName();
        try (CommandProcess process =
                CommandProcess.program(program, HOSTS.inLeft(), Map.of(), one, other, group, segmentation)) {
            assertThat(process.status()).as(process.output()).isZero();
            assertThat(process.output().lines())
                    .containsExactly(
                            "OK SEND, WRITE, READ and atomics",
                            "OK datagrams",
                            "OK groups",
                            "OK segmentation " + segmentation);
        }
    }
}
