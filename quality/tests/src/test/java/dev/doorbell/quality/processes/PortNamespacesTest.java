package dev.doorbell.quality.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two hosts whose cable is pulled and whose addresses go, while programs keep their devices open. */
@Timeout(300)
final class PortNamespacesTest {
    private static final NetworkNamespaces HOSTS = new NetworkNamespaces();
    private static final String PROGRAM = OutageEnd.class.getName();

    @BeforeAll
    static void requireHosts() {
        assumeTrue(HOSTS.obstacle().isEmpty(), () -> "needs network namespaces: " + HOSTS.obstacle());
    }

    @AfterAll
    static void remove() {
        HOSTS.close();
    }

    private static CommandProcess start(List<String> prefix, String address) throws IOException {
        return CommandProcess.program(PROGRAM, prefix, Map.of("DOORBELL_SOFT", "soft0@" + address));
    }

    private static void connect(CommandProcess left, CommandProcess right) throws Exception {
        left.tell("create");
        right.tell("create");
        String here = left.next("ENDPOINT (.*)\n");
        String there = right.next("ENDPOINT (.*)\n");
        left.tell("peer " + there);
        right.tell("peer " + here);
        left.next("(CONNECTED)\n");
        right.next("(CONNECTED)\n");
    }

    private static String send(CommandProcess end) throws Exception {
        end.tell("send");
        return end.next("DONE (.*)\n");
    }

    private static String state(CommandProcess end) throws Exception {
        end.tell("state");
        return end.next("STATE (.*)\n");
    }

    @ParameterizedTest
    @CsvSource({
        "10.78.0.1, 10.78.0.2, 10.78.0.1/24",
        "fd78::1, fd78::2, fd78::1/64",
        "fe80::78:1%veth0, fe80::78:2%veth0, fe80::78:1/64"
    })
    void aDeviceOutlivesItsNetwork(String here, String there, String address) throws Exception {
        try (CommandProcess left = start(HOSTS.inLeft(), here);
                CommandProcess right = start(HOSTS.inRight(), there)) {
            left.next("(OPEN)\n");
            right.next("(OPEN)\n");
            connect(left, right);
            assertThat(send(left)).isEqualTo("SUCCESS");

            HOSTS.inLeft("addr del " + address + " dev veth0");
            left.next("EVENT (GID_CHANGE)\n");
            left.next("EVENT (PORT_ERR)\n");
            assertThat(state(left)).startsWith("DOWN").contains("down: no interface has ");
            assertThat(send(left)).isEqualTo("RETRY_EXC_ERR");

            HOSTS.inLeft("addr add " + address + " dev veth0 nodad");
            left.next("EVENT (PORT_ACTIVE)\n");
            connect(left, right);
            assertThat(send(left)).isEqualTo("SUCCESS");

            // Linux takes global addresses of IPv6 away with the interface, and makes none for it.
            HOSTS.inLeft("link set veth0 down");
            left.next("EVENT (PORT_ERR)\n");
            right.next("EVENT (PORT_ERR)\n");
            assertThat(send(right)).isEqualTo("RETRY_EXC_ERR");
            HOSTS.inLeft("link set veth0 up");
            HOSTS.inLeft("addr replace " + address + " dev veth0 nodad");
            left.next("EVENT (PORT_ACTIVE)\n");
            right.next("EVENT (PORT_ACTIVE)\n");
            connect(left, right);
            assertThat(send(left)).isEqualTo("SUCCESS");

            HOSTS.inLeft("link del veth0");
            left.next("EVENT (PORT_ERR)\n");
            right.next("EVENT (PORT_ERR)\n");
            assertThat(HOSTS.connect()).isEmpty();
            left.next("EVENT (PORT_ACTIVE)\n");
            right.next("EVENT (PORT_ACTIVE)\n");
            connect(left, right);
            assertThat(send(left)).isEqualTo("SUCCESS");
            assertThat(send(right)).isEqualTo("SUCCESS");
        }
    }

    @Test
    void aPathThatBecomesTooNarrowIsNamed() throws Exception {
        try (CommandProcess left = start(HOSTS.inLeft(), "10.78.0.1");
                CommandProcess right = start(HOSTS.inRight(), "10.78.0.2")) {
            left.next("(OPEN)\n");
            right.next("(OPEN)\n");
            connect(left, right);
            assertThat(send(left)).isEqualTo("SUCCESS");
            HOSTS.inLeft("link set veth0 mtu 700");
            assertThat(send(left)).isEqualTo("RETRY_EXC_ERR");
            assertThat(state(left))
                    .startsWith("ACTIVE")
                    .contains("packets are longer than the path to ::ffff:10.78.0.2 takes")
                    .contains("dropped_longer_than_path_mtu=");
            connect(left, right);
            assertThat(send(left)).as("with a smaller MTU").isEqualTo("SUCCESS");
        } finally {
            HOSTS.inLeft("link set veth0 mtu 1500");
        }
    }

    @Test
    void anAddressThatComesWhileAnotherHoldsThePortIsHadAfterwards() throws Exception {
        HOSTS.inLeft("addr del 10.78.0.1/24 dev veth0");
        try (CommandProcess left = start(HOSTS.inLeft(), "10.78.0.1");
                CommandProcess other = CommandProcess.program(PROGRAM, HOSTS.inLeft(), Map.of(), "hold")) {
            left.next("(OPEN)\n");
            other.next("(HELD)");
            assertThat(state(left)).startsWith("DOWN").contains("down: no interface has 10.78.0.1");
            HOSTS.inLeft("addr add 10.78.0.1/24 dev veth0");
            long start = System.nanoTime();
            String state = state(left);
            while (!state.contains("10.78.0.1: port 4791 held")) {
                assertThat(System.nanoTime() - start).as(state).isLessThan(TimeUnit.SECONDS.toNanos(60));
                state = state(left);
            }
            assertThat(state).startsWith("DOWN");
            other.tell("");
            assertThat(other.status()).isZero();
            left.next("EVENT (PORT_ACTIVE)\n");
            assertThat(state(left)).startsWith("ACTIVE");
        }
    }
}
