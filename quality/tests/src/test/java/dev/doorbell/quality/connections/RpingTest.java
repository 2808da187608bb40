package dev.doorbell.quality.connections;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.cm.CmConnection;
import dev.doorbell.cm.Connector;
import dev.doorbell.cm.RejectedException;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.verbs.VerbsException;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** rping between embedded devices of one process, that are joined in memory: as Soft-RoCE, and as mlx5 through that driver. */
@ParameterizedClass
@ValueSource(strings = {"rxe", "mlx5"})
@Timeout(180)
final class RpingTest {
    private static final int PORT = 7174;
    private static final int COUNT = 50;

    private final SoftNetwork network;
    private final Rpings rpings;

    RpingTest(String driver) {
        SoftNetwork.Builder builder = SoftNetwork.builder()
                .device("soft0", InetAddress.ofLiteral("10.5.0.1"))
                .device("soft1", InetAddress.ofLiteral("10.5.0.2"))
                .device("soft2", InetAddress.ofLiteral("fd05::1"))
                .device("soft3", InetAddress.ofLiteral("fd05::2"));
        if (driver.equals("mlx5")) {
            builder.mlx5("soft0").mlx5("soft1").mlx5("soft2").mlx5("soft3");
        }
        this.network = builder.build();
        this.rpings = new Rpings(network);
        assertThat(DeviceCatalog.of(List.of(network), DeviceCatalog.installed().providers())
                        .devices())
                .allSatisfy(device -> assertThat(device.driver()).contains(driver));
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(network.connections().identifiers()).isZero();
        assertThat(network.connections().files()).isZero();
        assertThat(network.census().values()).allMatch(census -> census.isEmpty());
        network.close();
    }

    @ParameterizedTest
    @CsvSource({
        "10.5.0.1, 10.5.0.2, 10.5.0.2",
        "fd05::1, fd05::2, fd05::2",
        "10.5.0.1, 10.5.0.2, 0.0.0.0",
        ", 10.5.0.2, 10.5.0.2"
    })
    void ping(String source, String destination, String listened) throws Exception {
        FutureTask<String> server = rpings.start(Rpings.server(listened, PORT));
        awaitListener();
        String client = rpings.play(Rpings.client(destination, PORT, source, COUNT));
        assertThat(client).isNotEmpty();
        assertThat(server.get(60, TimeUnit.SECONDS)).contains("server DISCONNECT EVENT after " + COUNT + " pings");
    }

    private void awaitListener() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (network.connections().ports() == 0 && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aClosedPortRefusesAtOnce() {
        DeviceCatalog catalog =
                DeviceCatalog.of(List.of(network), DeviceCatalog.installed().providers());
        catalog.call(() -> {
            try (Connector connector = Connector.open()) {
                Assertions.assertThatThrownBy(() -> connect(connector, "10.5.0.2", Duration.ofSeconds(30)))
                        .isInstanceOf(RejectedException.class);
            }
            return 0;
        });
    }

    @Test
    void anUnreachableNetworkAndASilentDeviceEndInTime() {
        DeviceCatalog catalog =
                DeviceCatalog.of(List.of(network), DeviceCatalog.installed().providers());
        catalog.call(() -> {
            try (Connector connector = Connector.open()) {
                Assertions.assertThatThrownBy(() -> connect(connector, "192.0.2.1", Duration.ofSeconds(30)))
                        .isInstanceOf(VerbsException.class)
                        .hasMessageContaining("ENETUNREACH");
            }
            return 0;
        });
    }

    private static void connect(Connector connector, String address, Duration deadline) {
        try (CmConnection connection = connector.connect(new InetSocketAddress(address, PORT), deadline)) {
            throw new AssertionError("connected: " + connection);
        }
    }
}
