package dev.doorbell.soft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.GidType;
import dev.doorbell.spec.Guid;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is listed, without configuration, with one, and with a wrong one. */
final class SoftKernelTest {
    @Test
    void theClassPathNamesTheKernelLikeTheModule() throws IOException {
        try (InputStream services =
                SoftKernel.class.getResourceAsStream("/META-INF/services/" + Kernel.class.getName())) {
            assertThat(services).isNotNull();
            assertThat(new String(services.readAllBytes(), StandardCharsets.UTF_8).strip())
                    .isEqualTo(SoftKernel.class.getName());
        }
    }

    @Test
    void soft0IsAnRxeDevice() {
        Kernel kernel = new SoftKernel();
        KernelDevice device = kernel.devices().getFirst();
        assertThat(device.name()).isEqualTo("soft0");
        assertThat(device.driverId()).isEqualTo(DriverId.RXE);
        assertThat(device.driverAbi()).isEqualTo(2);
        assertThat(device.coreAbi()).isEqualTo(6);
        assertThat(device.ports()).isEqualTo(1);
        assertThat(device.obstacle()).isEmpty();
        assertThat(device.properties()).containsEntry("link", "UDP port 4791, bound when the device is opened");
        assertThat(new SoftKernel().devices())
                .as("each instance shows the same")
                .isEqualTo(kernel.devices());
    }

    @Test
    void theGidTableIsThatOfRxe() {
        KernelDevice device = SoftKernel.fromEnvironment(null).getFirst();
        Guid guid = device.nodeGuid();
        assertThat(device.gids(1))
                .containsExactly(
                        new GidEntry(1, 0, Gid.linkLocal(guid.value()), GidType.ROCE_V2, "lo"),
                        new GidEntry(1, 1, Gid.of(InetAddress.ofLiteral("127.0.0.1")), GidType.ROCE_V2, "lo"));
        assertThat(device.gids(2)).isEmpty();
        assertThat(device.pkey(1, 0)).isEqualTo(0xffff);
        assertThat(device.pkey(1, 1)).isZero();
        assertThat(device.pkey(2, 0)).isZero();
    }

    @Test
    void devicesAreNamedByTheEnvironment() {
        List<KernelDevice> devices = SoftKernel.fromEnvironment("left@127.0.0.1, right@127.0.0.2,six@::1");
        assertThat(devices).extracting(KernelDevice::name).containsExactly("left", "right", "six");
        assertThat(devices).extracting(KernelDevice::nodeGuid).doesNotHaveDuplicates();
        assertThat(devices.get(1).gids(1).get(1).gid()).hasToString("::ffff:127.0.0.2");
        assertThat(devices.get(2).gids(1).get(1).gid().isIpv4Mapped()).isFalse();
    }

    @Test
    void anMlx5DeviceIsListedWhenItIsAskedFor() {
        assertThat(SoftKernel.fromEnvironment(null)).hasSize(1);
        List<KernelDevice> devices = SoftKernel.withMlx5(null, "soft-mlx5");
        assertThat(devices).extracting(KernelDevice::name).containsExactly("soft0", "soft-mlx5");
        assertThat(devices.getFirst().driverId()).isEqualTo(DriverId.RXE);
        assertThat(devices.getLast().driverId()).isEqualTo(DriverId.MLX5);
        assertThat(SoftKernel.withMlx5(null, "m@127.0.0.9")
                        .getLast()
                        .gids(1)
                        .get(1)
                        .gid())
                .hasToString("::ffff:127.0.0.9");
        assertThat(SoftKernel.withMlx5(null, "m@nowhere").getFirst().obstacle())
                .hasValueSatisfying(reason -> assertThat(reason).startsWith("DOORBELL_SOFT_MLX5"));
    }

    @Test
    void aDeviceCanBePlacedOnAnInterface() {
        List<KernelDevice> devices = SoftKernel.fromEnvironment("soft0@lo");
        assertThat(devices.getFirst().gids(1)).extracting(GidEntry::netDevice).containsOnly("lo");
        assertThat(devices.getFirst().gids(1))
                .extracting(GidEntry::gid)
                .contains(Gid.of(InetAddress.ofLiteral("127.0.0.1")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "soft0 | without an address",
                "soft0@127.0.0.1,soft0@127.0.0.2 | names the device soft0 twice",
                "soft0@127.0.0.1,soft1@127.0.0.1 | gives the address 127.0.0.1 to two devices",
                "0soft@127.0.0.1 | has the device name '0soft'",
                "soft0@nowhere7 | neither an IP address nor an interface",
                "soft0@300.1.1.1 | neither an IP address nor an interface",
                "soft0@ | neither an IP address nor an interface",
                "soft0@0.0.0.0 | which no single host has",
                "soft0@224.0.0.1 | which no single host has",
                "soft0@127.0.0.1, | without an address"
            })
    void aWrongConfigurationIsListedWithItsReason(String text, String reason) {
        List<KernelDevice> devices = SoftKernel.fromEnvironment(text);
        assertThat(devices).hasSize(1);
        assertThat(devices.getFirst().obstacle())
                .hasValueSatisfying(obstacle ->
                        assertThat(obstacle).startsWith("DOORBELL_SOFT ").contains(reason, "such as soft0@127.0.0.1"));
        assertThatThrownBy(() -> devices.getFirst().open())
                .isInstanceOf(KernelException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void theEmbeddedDeviceCanBeLeftOut() {
        assertThat(SoftKernel.fromEnvironment("off")).isEmpty();
        assertThat(SoftKernel.withMlx5("off", "soft-mlx5"))
                .extracting(KernelDevice::name)
                .containsExactly("soft-mlx5");
        assertThat(new SoftKernel().absence()).as("it is there").isEmpty();
    }

    @Test
    void listingLeavesTheCaptureOfTheLastRunAlone(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("all.pcapng");
        Files.writeString(file, "the last run");
        List<KernelDevice> devices = SoftKernel.fromEnvironment("a@127.0.0.1", file.toString(), null);
        assertThat(devices.getFirst().obstacle()).isEmpty();
        assertThat(file).hasContent("the last run");
    }

    @Test
    void aCaptureThatCannotBeIsSaidWhereDevicesAreMissed(@TempDir Path folder) {
        assertThat(SoftKernel.fromEnvironment(null, folder.toString(), null)
                        .getFirst()
                        .obstacle())
                .hasValue("DOORBELL_CAPTURE: " + folder + " is a folder; name a file in it");
        assertThat(SoftKernel.fromEnvironment(null, folder + "/none/all.pcapng", null)
                        .getFirst()
                        .obstacle())
                .hasValue("DOORBELL_CAPTURE: there is no folder " + folder + "/none");
    }

    @Test
    void faultsAreSaidByTheEnvironmentAndShown() {
        List<KernelDevice> devices = SoftKernel.fromEnvironment(
                "left@127.0.0.1,right@127.0.0.2", null, "loss=1%,drop=1@READ_REQUEST,seed=9");
        assertThat(devices)
                .allSatisfy(device -> assertThat(device.properties().get("link"))
                        .endsWith("; faults on purpose: loss=1%,drop=1@READ_REQUEST,seed=9"))
                .allSatisfy(device -> assertThat(device.counters(1)).containsEntry("faults_lost", 0L));
        assertThat(SoftKernel.fromEnvironment(null, null, "loss=2").getFirst().obstacle())
                .hasValue("DOORBELL_FAULTS: 'loss=2': it takes 0% to 100%, or 0 to 1");
    }

    @Test
    void listingStartsNothingAndClosingEndsTheThread() throws InterruptedException {
        SoftNetwork network = SoftNetwork.builder().devices(2).build();
        assertThat(threads("doorbell-soft1")).isEmpty();
        try (CommandChannel channel = network.device("soft1").open()) {
            assertThat(channel.description()).isEqualTo("embedded context 1 of soft1");
            assertThat(threads("doorbell-soft1")).hasSize(1).allMatch(Thread::isDaemon);
        }
        List<Thread> background = threads("doorbell-soft1");
        network.close();
        for (Thread thread : background) {
            thread.join();
        }
        assertThat(network.device("soft1").obstacle()).isPresent();
        assertThatThrownBy(() -> network.device("soft1").open()).isInstanceOf(KernelException.class);
        assertThat(threads("doorbell-soft1")).isEmpty();
    }

    private static List<Thread> threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .toList();
    }
}
