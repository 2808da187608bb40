package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.spec.GidType;
import dev.doorbell.spec.Guid;
import dev.doorbell.verbs.fake.FakeDevice;
import dev.doorbell.verbs.fake.FakeKernel;
import dev.doorbell.verbs.fake.FakeProvider;
import dev.doorbell.verbs.spi.AbiRange;
import dev.doorbell.verbs.spi.DeviceCatalog;
import dev.doorbell.verbs.spi.MatchTable;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeviceSelectionTest {
    private final FakeDevice first = new FakeDevice("acme0");
    private final FakeDevice second = new FakeDevice("acme1");

    private DeviceCatalog catalog(KernelDevice... devices) {
        return DeviceCatalog.of(List.of(new FakeKernel("fake 1.0", 0, devices)), List.of(new FakeProvider()));
    }

    @Test
    void theServiceLoaderFindsKernelsAndDriversOfThirdParties() {
        Device device = Device.named("acme0");

        assertThat(device.kernel()).isEqualTo("fake 1.0");
        assertThat(device.driver()).contains("acme");
        assertThat(device.isUsable()).isTrue();
        assertThat(Device.list()).contains(device).isUnmodifiable();
    }

    @Test
    void aDriverThatDoesNotExistIsNotWishedForInSilence() {
        System.setProperty("doorbell.driver", "libibverb");
        try {
            assertThat(DeviceCatalog.installed().devices())
                    .allSatisfy(device -> assertThat(device.obstacle())
                            .hasValueSatisfying(reason ->
                                    assertThat(reason).contains("'libibverb'", "does not exist", "there are acme")));
            assertThat(catalog(first).devices().getFirst().obstacle())
                    .as("a catalogue of a test's own lacks drivers on purpose")
                    .isEmpty();
        } finally {
            System.clearProperty("doorbell.driver");
        }
    }

    @Test
    void aDeviceSaysWhatItIs() {
        Device device = catalog(first).devices().getFirst();

        assertThat(device.name()).isEqualTo("acme0");
        assertThat(device.nodeGuid()).isEqualTo(first.nodeGuid());
        assertThat(device.driverAbi()).isEqualTo(2);
        assertThat(device.coreAbi()).isEqualTo(6);
        assertThat(device.node()).isEqualTo("/dev/fake/acme0");
        assertThat(device.ports()).isEqualTo(1);
        assertThat(device.gids(1)).isEqualTo(first.gids).isEqualTo(device.gids());
        assertThat(device.pkey(1, 0)).isEqualTo(0xffff);
        assertThat(device.properties()).containsEntry("link", "none");
        assertThat(device).hasToString("acme0 (fake 1.0)");
        assertThatThrownBy(() -> device.gids(2)).isInstanceOfSatisfying(VerbsException.class, e -> {
            assertThat(e.errno()).isEqualTo(Errno.EINVAL);
            assertThat(e.asked()).isEqualTo("port 2");
            assertThat(e.allowed()).isEqualTo("1 to 1");
        });
        assertThatThrownBy(() -> device.pkey(0, 0)).isInstanceOf(VerbsException.class);
    }

    @Test
    void devicesAreChosenByNameGuidNetDeviceAddressAndPredicate() throws Exception {
        second.gids = List.of(FakeDevice.gid(3, "198.51.100.1", GidType.ROCE_V2, "eth1"));
        catalog(first, second).call(() -> {
            assertThat(Device.named("acme1").name()).isEqualTo("acme1");
            assertThat(Device.withGuid(second.nodeGuid()).name()).isEqualTo("acme1");
            assertThat(Device.onNetDevice("eth1").name()).isEqualTo("acme1");
            assertThat(Device.at(address("198.51.100.1")).name()).isEqualTo("acme1");
            assertThat(Device.at(address("192.0.2.7")).name()).isEqualTo("acme0");
            assertThat(Device.matching(device -> device.name().endsWith("1")).name())
                    .isEqualTo("acme1");
            assertThat(Device.preferred().name()).isEqualTo("acme0");
            return 0;
        });
    }

    private static InetAddress address(String text) {
        return FakeDevice.gid(0, text, GidType.ROCE_V2, "").gid().toInetAddress();
    }

    @Test
    void aFailedSearchNamesWhatWasLookedForAndWhatThereIs() {
        second.obstacle = Optional.of("/dev/fake/acme1 is not readable; join the group rdma");
        catalog(first, second).call(() -> {
            assertThatThrownBy(() -> Device.named("mlx5_0"))
                    .isInstanceOf(DeviceUnavailableException.class)
                    .hasMessageContaining("ENODEV")
                    .hasMessageContaining("mlx5_0")
                    .hasMessageContaining("acme0 (fake 1.0)")
                    .hasMessageContaining("acme1 (fake 1.0, not usable: /dev/fake/acme1 is not readable");
            assertThatThrownBy(() -> Device.withGuid(new Guid(0x1234)))
                    .isInstanceOf(DeviceUnavailableException.class)
                    .hasMessageContaining("0000:0000:0000:1234");
            assertThatThrownBy(() -> Device.onNetDevice("eth9")).hasMessageContaining("eth9");
            assertThatThrownBy(() -> Device.at(address("203.0.113.5"))).hasMessageContaining("203.0.113.5");
            assertThatThrownBy(() -> Device.matching(device -> false)).isInstanceOf(DeviceUnavailableException.class);
            return 0;
        });
        catalog().call(() -> {
            assertThatThrownBy(Device::preferred).hasMessageContaining("there are no devices at all");
            return 0;
        });
    }

    @Test
    void usableDevicesComeFirstThenThoseThatReachFurther() {
        FakeDevice blocked = new FakeDevice("acme0");
        blocked.obstacle = Optional.of("no permission");
        FakeDevice elsewhere = new FakeDevice("acme1");
        elsewhere.gids = List.of(FakeDevice.gid(0, "192.0.2.1", GidType.ROCE_V2, ""));
        FakeDevice local = new FakeDevice("acme2");
        local.gids = List.of(FakeDevice.gid(0, "fe80::2", GidType.ROCE_V2, "eth0"));
        FakeDevice embedded = new FakeDevice("acme3");
        FakeDevice system = new FakeDevice("acme4");
        DeviceCatalog catalog = DeviceCatalog.of(
                List.of(
                        new FakeKernel("embedded", 100, embedded),
                        new FakeKernel("system", 0, blocked, elsewhere, local, system)),
                List.of(new FakeProvider()));

        assertThat(catalog.devices())
                .extracting(Device::name)
                .containsExactly("acme4", "acme3", "acme2", "acme1", "acme0");
    }

    @Test
    void aDeviceThatCannotBeUsedIsNeverPreferred() {
        first.obstacle = Optional.of("no permission");
        catalog(first).call(() -> {
            assertThatThrownBy(Device::preferred)
                    .isInstanceOf(DeviceUnavailableException.class)
                    .hasMessageContaining("no permission");
            return 0;
        });
    }

    @Test
    void anAbiOutOfRangeNamesBothNumbersAndTheSideThatIsOld() {
        first.driverAbi = 4;
        second.driverAbi = 0;

        assertThat(catalog(first, second).devices())
                .extracting(device -> device.obstacle().orElseThrow())
                .containsExactlyInAnyOrder(
                        "its kernel driver has ABI version 4, and the driver acme speaks 1 to 3;"
                                + " the driver is too old: use a newer one",
                        "its kernel driver has ABI version 0, and the driver acme speaks 1 to 3;"
                                + " the kernel is too old: use a newer kernel or an older driver");
    }

    @Test
    void aDeviceWithoutDriverIsListedAndSaysSo() {
        FakeDevice stranger = new FakeDevice("other0");
        stranger.driverId = 99;
        stranger.modalias = "pci:v1";
        Device device = catalog(stranger).devices().getFirst();

        assertThat(device.driver()).isEmpty();
        assertThat(device.obstacle().orElseThrow()).contains("driver id 99", "other0", "pci:v1", "[acme]");
        assertThatThrownBy(device::open)
                .isInstanceOf(DeviceUnavailableException.class)
                .hasMessageContaining("no driver for it");
    }

    @Test
    void driverIdBeatsNameAndNameBeatsModalias() {
        FakeProvider byId = provider("byId", Set.of(7), List.of(), List.of());
        FakeProvider byName = provider("byName", Set.of(), List.of("card"), List.of());
        FakeProvider byModalias = provider("byModalias", Set.of(), List.of(), List.of("pci:v15B3*sv*"));
        List<FakeProvider> providers = List.of(byModalias, byName, byId);
        FakeDevice device = new FakeDevice("card0");
        device.modalias = "pci:v15B3d1017sv00";

        device.driverId = 7;
        assertThat(driver(device, providers)).isEqualTo("byId");
        device.driverId = 0;
        assertThat(driver(device, providers)).isEqualTo("byName");
        FakeDevice renamed = new FakeDevice("ib0");
        renamed.driverId = 0;
        renamed.modalias = device.modalias;
        assertThat(driver(renamed, providers)).isEqualTo("byModalias");
        renamed.modalias = "pci:v15B4d1017sv00";
        assertThat(driver(renamed, providers)).isEmpty();
    }

    private static String driver(FakeDevice device, List<FakeProvider> providers) {
        return DeviceCatalog.of(List.of(new FakeKernel("fake", 0, device)), providers)
                .devices()
                .getFirst()
                .driver()
                .orElse("");
    }

    private static FakeProvider provider(String name, Set<Integer> ids, List<String> names, List<String> modaliases) {
        return new FakeProvider(name, new MatchTable(ids, names, modaliases), new AbiRange(1, 3));
    }
}
