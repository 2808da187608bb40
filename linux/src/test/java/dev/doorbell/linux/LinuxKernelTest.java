package dev.doorbell.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.GidType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinuxKernelTest {
    private static final String IPV4_GID = "0000:0000:0000:0000:0000:ffff:0a4d:0001";
    private static final String LINK_LOCAL_GID = "fe80:0000:0000:0000:6c39:35ff:fe33:0e9a";

    @TempDir
    private Path folder;

    private FakeSysfs sysfs;

    @BeforeEach
    void emptyTree() throws IOException {
        sysfs = FakeSysfs.in(folder);
    }

    @Test
    void isFoundByServiceLoader() {
        assertThat(LinuxKernel.class.getModule().getDescriptor().provides())
                .anySatisfy(provided -> assertThat(provided.providers()).contains(LinuxKernel.class.getName()));
        assertThat(new LinuxKernel().name()).startsWith("linux ");
    }

    @Test
    void hasNoDevicesWhereSysfsIsAbsent() {
        assertThat(new LinuxKernel(folder.resolve("none"), folder, (name, gid) -> true).devices())
                .isEmpty();
        assertThat(kernel().devices()).isEmpty();
    }

    @Test
    void listsDevicesByNodeNumber() throws IOException {
        sysfs.device(10, "mlx5_1").device(2, "rxe0").device(0, "mlx5_0");
        sysfs.put("class/infiniband_verbs/uverbsX/ibdev", "odd");
        Files.createDirectories(sysfs.root().resolve("class/infiniband_verbs/uverbs7"));
        assertThat(kernel().devices()).extracting(KernelDevice::name).containsExactly("mlx5_0", "rxe0", "mlx5_1");
    }

    @Test
    void readsIdentity() throws IOException {
        sysfs.device(0, "rxe0").port("rxe0", 2);
        KernelDevice device = device();
        assertThat(device.nodeGuid().toString()).isEqualTo("6c39:35ff:fe33:0e9a");
        assertThat(device.ports()).isEqualTo(2);
        assertThat(device.coreAbi()).isEqualTo(6);
        assertThat(device.driverAbi()).isEqualTo(2);
        assertThat(device.node()).endsWith("/infiniband/uverbs0");
        assertThat(device.modalias()).isEmpty();
        assertThat(device.pkey(1, 0)).isEqualTo(0xffff);
        assertThat(device.pkey(1, 1)).isZero();
        assertThat(device.properties()).containsEntry("node type", "1: CA");
        assertThat(device).hasToString("rxe0 (" + device.node() + ")");
    }

    @Test
    void tellsDriversByBusDriverOrName() throws IOException {
        sysfs.device(0, "net_roce").put("class/infiniband/net_roce/node_desc", "rxe");
        sysfs.device(1, "siw_lo").device(2, "mlx5_0").link("class/infiniband/mlx5_0/device/driver", "../mlx5_core");
        sysfs.put("class/infiniband/mlx5_0/device/modalias", "pci:v000015B3d00001017sv000015B3sd00000007bc02sc00i00");
        sysfs.device(3, "rxe_like").link("class/infiniband/rxe_like/device/driver", "../mystery");
        assertThat(kernel().devices())
                .extracting(KernelDevice::driverId)
                .containsExactly(DriverId.RXE, DriverId.SIW, DriverId.MLX5, DriverId.UNKNOWN);
        assertThat(kernel().devices().get(2).modalias()).startsWith("pci:v000015B3d00001017");
        assertThat(kernel().devices().get(2).properties()).containsEntry("kernel driver", "mlx5_core");
    }

    @Test
    void readsGidTablesWithHoles() throws IOException {
        sysfs.device(0, "rxe0").gid("rxe0", 10, IPV4_GID, "RoCE v2", "lab0").emptyGid("rxe0", 1);
        sysfs.gid("rxe0", 0, LINK_LOCAL_GID, "IB/RoCE v1", "lab0");
        assertThat(device().gids(1))
                .containsExactly(
                        new GidEntry(1, 0, new Gid(0xfe80L << 48, 0x6c3935fffe330e9aL), GidType.ROCE_V1, "lab0"),
                        new GidEntry(1, 10, new Gid(0, 0xffff_0a4d_0001L), GidType.ROCE_V2, "lab0"));
        assertThat(device().gids(2)).isEmpty();
    }

    @Test
    void namesNoNetDeviceOfAnotherNamespace() throws IOException {
        sysfs.device(0, "rxe0").node(0).gid("rxe0", 0, IPV4_GID, "RoCE v2", "eth0");
        KernelDevice elsewhere = new LinuxKernel(sysfs.root(), sysfs.nodes(), (name, gid) -> false)
                .devices()
                .getFirst();
        assertThat(elsewhere.gids(1)).extracting(GidEntry::netDevice).containsExactly("");
        assertThat(elsewhere.obstacle()).get().asString().contains("eth0", "not in this network namespace", "ip netns");
        assertThat(device().obstacle()).isEmpty();
    }

    @Test
    void oneUsableGidIsEnough() throws IOException {
        sysfs.device(0, "rxe0").node(0).gid("rxe0", 0, LINK_LOCAL_GID, "RoCE v2", "eth0");
        sysfs.gid("rxe0", 1, IPV4_GID, "RoCE v2", "eth1");
        LinuxKernel kernel = new LinuxKernel(sysfs.root(), sysfs.nodes(), (name, gid) -> name.equals("eth1"));
        assertThat(kernel.devices().getFirst().obstacle()).isEmpty();
        assertThat(kernel.devices().getFirst().gids(1))
                .extracting(GidEntry::netDevice)
                .containsExactly("", "eth1");
    }

    @Test
    void saysThatTheNodeIsMissing() throws IOException {
        sysfs.device(0, "rxe0");
        assertThat(device().obstacle()).get().asString().contains("uverbs0 does not exist", "modprobe ib_uverbs");
        assertThatThrownBy(() -> device().open())
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("uverbs0 of rxe0")
                .hasMessageContaining("modprobe ib_uverbs")
                .hasMessageEndingWith("(ENOENT)");
    }

    @Test
    void saysThatTheNodeStandsForSomethingElse() throws IOException {
        sysfs.device(0, "rxe0");
        Path node = Files.createSymbolicLink(sysfs.nodes().resolve("uverbs0"), Path.of("/dev/zero"));
        assertThat(device().obstacle()).get().asString().contains("stands for device 1:5, not for 231:192");
        Files.delete(node);
    }

    @Test
    void saysThatPermissionIsMissing() throws IOException {
        sysfs.device(0, "rxe0").node(0);
        assertThat(DeviceNode.explain(sysfs.nodes().resolve("uverbs0"), Errno.EACCES))
                .contains("may not be read and written", "owner " + System.getProperty("user.name"), "group", "udev");
    }

    @Test
    void saysThatTheDriverIsUnknown() throws IOException {
        sysfs.device(0, "strange").node(0);
        assertThat(device().obstacle()).get().asString().contains("which kernel driver");
    }

    private LinuxKernel kernel() {
        return new LinuxKernel(sysfs.root(), sysfs.nodes(), (name, gid) -> true);
    }

    private KernelDevice device() {
        return kernel().devices().getFirst();
    }
}
