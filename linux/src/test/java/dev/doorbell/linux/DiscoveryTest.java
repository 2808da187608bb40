package dev.doorbell.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.linux.netlink.RecordedKernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The two sources of the list, and which one is chosen. */
@Timeout(30)
class DiscoveryTest {
    @TempDir
    private Path folder;

    private FakeSysfs sysfs;

    @BeforeEach
    void emptyTree() throws IOException {
        sysfs = FakeSysfs.in(folder);
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.1", "6.12"})
    void netlinkKnowsDriversByNumberAndNodesByDevice(String release) {
        RecordedKernel kernel = RecordedKernel.of(release, "get", "chardev");
        Discovery.Listing listing = new NetlinkDiscovery(kernel::open, new Sysfs(sysfs.root())).list();
        assertThat(listing.source()).isEqualTo("netlink");
        DeviceIdentity rxe0 = listing.devices().getFirst();
        assertThat(rxe0.name()).isEqualTo("rxe0");
        assertThat(rxe0.file()).isEqualTo("uverbs0");
        assertThat(rxe0.number()).isEqualTo("231:192");
        assertThat(rxe0.driverId()).isEqualTo(DriverId.RXE);
        assertThat(rxe0.driverAbi()).isEqualTo(2);
        assertThat(rxe0.coreAbi()).isEqualTo(6);
        assertThat(rxe0.ports()).isEqualTo(1);
        assertThat(rxe0.protocol()).isEqualTo("roce");
    }

    @Test
    void aKernelThatDoesNotKnowCharacterDevicesIsHelpedBySysfs() throws IOException {
        sysfs.device(3, "rxe0");
        // The refusal that is played here is EINVAL, as of a kernel that does not know the question.
        RecordedKernel kernel = RecordedKernel.of("6.12", "get", "chardev-none");
        DeviceIdentity rxe0 = new NetlinkDiscovery(kernel::open, new Sysfs(sysfs.root()))
                .list()
                .devices()
                .getFirst();
        assertThat(rxe0.file()).isEqualTo("uverbs3");
        assertThat(rxe0.number()).isEqualTo("231:195");
        assertThat(rxe0.driverId()).isEqualTo(DriverId.RXE);
    }

    @Test
    void netlinkThatFailsIsAnError() {
        RecordedKernel silent = RecordedKernel.of("6.12", "port");
        assertThatThrownBy(() -> new NetlinkDiscovery(silent::open, new Sysfs(sysfs.root())).list())
                .isInstanceOf(KernelException.class)
                .hasMessageEndingWith("(ETIMEDOUT)");
    }

    @Test
    void sysfsListsDevicesWithoutACharacterDeviceToo() throws IOException {
        sysfs.device(0, "rxe0");
        sysfs.put("class/infiniband/mlx4_0/node_guid", "6c39:35ff:fe33:0e9b").port("mlx4_0", 1);
        LinuxKernel kernel = new LinuxKernel(sysfs.root(), sysfs.nodes(), (name, gid) -> true);
        assertThat(kernel.devices()).extracting(device -> device.name()).containsExactly("rxe0", "mlx4_0");
        assertThat(kernel.devices().getLast().obstacle())
                .get()
                .asString()
                .contains("no character device", "modprobe ib_uverbs");
        assertThatThrownBy(() -> kernel.devices().getLast().open())
                .hasMessageContaining("opening mlx4_0")
                .hasMessageEndingWith("(ENODEV)");
        assertThat(kernel.devices().getFirst().properties())
                .containsEntry("discovery", "sysfs at " + sysfs.root())
                .containsEntry("protocol", "roce");
    }

    @Test
    void whereNothingIsLoadedNetlinkIsNotAsked() throws IOException {
        Files.createDirectories(sysfs.root().resolve("class/net"));
        Discovery.Listing listing = new PreferredDiscovery(
                        new Sysfs(folder.resolve("sys")), LinuxSettings.DiscoveryChoice.AUTOMATIC)
                .list();
        assertThat(listing).isEqualTo(new Discovery.Listing(List.of(), "sysfs"));
    }

    @Test
    void whatCannotBeAskedForByNetlinkComesFromSysfsWithTheReason() throws IOException {
        sysfs.device(0, "rxe0");
        Discovery.Listing listing =
                new PreferredDiscovery(new Sysfs(sysfs.root()), LinuxSettings.DiscoveryChoice.AUTOMATIC).list();
        // This machine's kernel either has RDMA, and then lists its own devices, or says why not.
        assertThat(listing.source()).matches("netlink|sysfs \\(.*\\)");
        Discovery.Listing forced =
                new PreferredDiscovery(new Sysfs(sysfs.root()), LinuxSettings.DiscoveryChoice.SYSFS).list();
        assertThat(forced.source()).isEqualTo("sysfs (asked for)");
        assertThat(forced.devices()).extracting(DeviceIdentity::name).containsExactly("rxe0");
    }

    @Test
    void commandsOfAnotherAbiAreAnObstacle() throws IOException {
        sysfs.device(0, "rxe0").node(0).put("class/infiniband_verbs/abi_version", "7");
        LinuxKernel kernel = new LinuxKernel(sysfs.root(), sysfs.nodes(), (name, gid) -> true);
        sysfs.put("class/infiniband_verbs/uverbs0/dev", "");
        assertThat(kernel.devices().getFirst().obstacle()).get().asString().contains("ABI version 7", "speaks 6");
    }

    @Test
    void countersAreTheTablesOfThePort() throws IOException {
        sysfs.device(0, "rxe0");
        sysfs.put("class/infiniband/rxe0/ports/1/hw_counters/sent_pkts", "12");
        sysfs.put("class/infiniband/rxe0/ports/1/hw_counters/lifespan", "10");
        sysfs.put("class/infiniband/rxe0/ports/1/hw_counters/odd", "N/A (no PMA)");
        sysfs.put("class/infiniband/rxe0/ports/1/hw_counters/huge", "99999999999999999999");
        sysfs.put("class/infiniband/rxe0/ports/1/counters/port_rcv_data", "9223372036854775");
        LinuxKernel kernel = new LinuxKernel(sysfs.root(), sysfs.nodes(), (name, gid) -> true);
        assertThat(kernel.devices().getFirst().counters(1))
                .containsExactly(Map.entry("port_rcv_data", 9223372036854775L), Map.entry("sent_pkts", 12L));
        assertThat(kernel.devices().getFirst().counters(2)).isEmpty();
    }

    @Test
    void settingsComeFromPropertiesThenFromTheEnvironment() {
        Map<String, String> environment = Map.of("DOORBELL_CARRIER", "write", "DOORBELL_DISCOVERY", "Netlink");
        LinuxSettings variables = LinuxSettings.of(name -> null, environment);
        assertThat(variables)
                .isEqualTo(new LinuxSettings(
                        LinuxSettings.DiscoveryChoice.NETLINK, LinuxSettings.CarrierChoice.WRITE, ""));
        LinuxSettings properties =
                LinuxSettings.of(name -> name.equals("doorbell.linux.carrier") ? "ioctl" : null, environment);
        assertThat(properties.carrier()).isEqualTo(LinuxSettings.CarrierChoice.IOCTL);
        LinuxSettings wrong = LinuxSettings.of(name -> "pigeon", Map.of());
        assertThat(wrong.carrier()).isEqualTo(LinuxSettings.CarrierChoice.AUTOMATIC);
        assertThat(wrong.complaint()).contains("DOORBELL_CARRIER is 'pigeon'", "[automatic, ioctl, write]");
    }
}
