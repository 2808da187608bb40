package dev.doorbell.linux;

import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelDevice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The RDMA devices of the Linux kernel, as /sys/class/infiniband_verbs lists them. Elsewhere, and where no RDMA module
 * is loaded, there are none.
 *
 * <p>The environment variable {@code SYSFS_PATH} names another place for sysfs, as it does for the C library.
 */
public final class LinuxKernel implements Kernel {
    private static final String CLASS_FOLDER = "class/infiniband_verbs";
    private static final String PREFIX = "uverbs";

    private final Sysfs sysfs;
    private final Path nodes;
    private final NetDevices netDevices;

    /** The kernel that this process runs on. */
    public LinuxKernel() {
        this(Path.of(System.getenv().getOrDefault("SYSFS_PATH", "/sys")), Path.of("/dev/infiniband"), NetDevices.LOCAL);
    }

    /** A kernel whose devices stand elsewhere. */
    LinuxKernel(Path sysfs, Path nodes, NetDevices netDevices) {
        this.sysfs = new Sysfs(sysfs);
        this.nodes = nodes;
        this.netDevices = netDevices;
    }

    @Override
    public String name() {
        return "linux " + System.getProperty("os.version");
    }

    /** In order of the numbers of their nodes, which is the order in which the kernel met them. */
    @Override
    public List<KernelDevice> devices() {
        List<String> files = new ArrayList<>(sysfs.names(CLASS_FOLDER));
        files.removeIf(name -> number(name) < 0);
        files.sort(Comparator.comparingInt(LinuxKernel::number));
        List<KernelDevice> devices = new ArrayList<>();
        for (String file : files) {
            String name = sysfs.text(CLASS_FOLDER + '/' + file + "/ibdev");
            if (!name.isEmpty()) {
                devices.add(new LinuxDevice(name, file, sysfs, nodes.resolve(file), netDevices));
            }
        }
        return devices;
    }

    /** The N of uverbsN; -1 for other names. */
    private static int number(String name) {
        try {
            return name.startsWith(PREFIX) ? Integer.parseInt(name.substring(PREFIX.length())) : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
