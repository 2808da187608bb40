package dev.doorbell.linux;

import dev.doorbell.kernel.CmChannel;
import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelDevice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The RDMA devices of the Linux kernel, as it lists them over netlink, or as /sys/class/infiniband shows them. Elsewhere,
 * and where no RDMA module is loaded, there are none.
 *
 * <p>Netlink needs native access ({@code --enable-native-access}); without it, and where it is refused, sysfs serves. Which
 * one did is a property of each device, {@code discovery}. The environment variable {@code DOORBELL_DISCOVERY}, or the
 * system property {@code doorbell.linux.discovery}, forces {@code netlink} or {@code sysfs}; {@code DOORBELL_CARRIER}, or
 * {@code doorbell.linux.carrier}, forces commands to travel by {@code ioctl} or {@code write}. {@code SYSFS_PATH} names
 * another place for sysfs, as it does for the C library, and then netlink is not asked.
 */
public final class LinuxKernel implements Kernel {
    private static final String SYSFS_VARIABLE = "SYSFS_PATH";

    private final Sysfs sysfs;
    private final Path nodes;
    private final NetDevices netDevices;
    private final boolean real;

    /** The kernel that this process runs on. */
    public LinuxKernel() {
        this(
                Path.of(System.getenv().getOrDefault(SYSFS_VARIABLE, "/sys")),
                Path.of("/dev/infiniband"),
                NetDevices.LOCAL,
                !System.getenv().containsKey(SYSFS_VARIABLE));
    }

    /** A kernel whose devices stand elsewhere, as files. */
    LinuxKernel(Path sysfs, Path nodes, NetDevices netDevices) {
        this(sysfs, nodes, netDevices, false);
    }

    private LinuxKernel(Path sysfs, Path nodes, NetDevices netDevices, boolean real) {
        this.sysfs = new Sysfs(sysfs);
        this.nodes = nodes;
        this.netDevices = netDevices;
        this.real = real;
    }

    @Override
    public String name() {
        return "linux " + System.getProperty("os.version");
    }

    /** In order of the numbers of their nodes, which is the order in which the kernel met them. */
    @Override
    public List<KernelDevice> devices() {
        Discovery discovery = real
                ? new PreferredDiscovery(sysfs, LinuxSettings.current().discovery())
                : new SysfsDiscovery(sysfs, "sysfs at " + sysfs.root());
        Discovery.Listing listing = discovery.list();
        return listing.devices().stream()
                .sorted(Comparator.comparingInt(DeviceIdentity::rank).thenComparing(DeviceIdentity::name))
                .<KernelDevice>map(identity -> new LinuxDevice(identity, listing.source(), sysfs, nodes, netDevices))
                .toList();
    }

    /** Opens /dev/infiniband/rdma_cm, which the module rdma_ucm makes. */
    @Override
    public CmChannel openConnectionManager() {
        return CmFile.open(nodes.resolve("rdma_cm"), sysfs);
    }

    @Override
    public Optional<String> absence() {
        if (!System.getProperty("os.name", "").equals("Linux") || !devices().isEmpty()) {
            return Optional.empty();
        }
        String what = Files.isDirectory(sysfs.root().resolve(SysfsDiscovery.DEVICE_CLASS))
                ? "no RDMA device is there: load the driver of one"
                : "no RDMA module is loaded: load the driver of a device";
        return Optional.of(
                what + ", or make a software device (modprobe rdma_rxe; doorbell link add rxe0 --netdev eth0)");
    }

    @Override
    public String toString() {
        return name();
    }
}
