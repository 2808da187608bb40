package dev.doorbell.linux;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.linux.syscall.Libc;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.GidType;
import dev.doorbell.spec.Guid;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/** A device as sysfs shows it. Everything is read when it is asked for; nothing is open and nothing needs freeing. */
final class LinuxDevice implements KernelDevice {
    private static final int DEFAULT_CORE_ABI = 6;

    private final String name;
    private final String verbsFolder;
    private final String folder;
    private final Sysfs sysfs;
    private final Path node;
    private final NetDevices netDevices;

    /**
     * @param name the device's name in class/infiniband
     * @param file its name in class/infiniband_verbs
     * @param node the character device
     */
    LinuxDevice(String name, String file, Sysfs sysfs, Path node, NetDevices netDevices) {
        this.name = name;
        this.verbsFolder = "class/infiniband_verbs/" + file + '/';
        this.folder = "class/infiniband/" + name + '/';
        this.sysfs = sysfs;
        this.node = node;
        this.netDevices = netDevices;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Guid nodeGuid() {
        String digits = sysfs.text(folder + "node_guid").replace(":", "");
        return new Guid(isHex(digits, 16) ? Long.parseUnsignedLong(digits, 16) : 0);
    }

    @Override
    public int ports() {
        return sysfs.names(folder + "ports").size();
    }

    @Override
    public int driverId() {
        return KernelDrivers.id(name, sysfs.linkTarget(folder + "device/driver"), sysfs.text(folder + "node_desc"));
    }

    @Override
    public int driverAbi() {
        return sysfs.number(verbsFolder + "abi_version", 0);
    }

    @Override
    public int coreAbi() {
        return sysfs.number("class/infiniband_verbs/abi_version", DEFAULT_CORE_ABI);
    }

    @Override
    public String modalias() {
        return sysfs.text(folder + "device/modalias");
    }

    @Override
    public String node() {
        return node.toString();
    }

    @Override
    public Optional<String> obstacle() {
        return DeviceNode.obstacle(node, sysfs.text(verbsFolder + "dev"))
                .or(this::namespaceObstacle)
                .or(this::driverObstacle);
    }

    /** Looks no further than the first GID that can be used: a table has up to thousand slots, each a file. */
    private Optional<String> namespaceObstacle() {
        String elsewhere = "";
        for (int port = 1; port <= ports(); port++) {
            for (int index : gidSlots(port)) {
                Gid gid = gid(port, index);
                String netDevice = gid.isZero() ? "" : sysfs.text(gidAttribute(port, "ndevs", index));
                if (!gid.isZero() && (netDevice.isEmpty() || netDevices.owns(netDevice, gid))) {
                    return Optional.empty();
                }
                elsewhere = netDevice.isEmpty() ? elsewhere : netDevice;
            }
        }
        return elsewhere.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "its network device " + elsewhere + " is not in this network namespace: run the program in"
                                + " that namespace (ip netns exec), or move the network device here");
    }

    private Optional<String> driverObstacle() {
        return driverId() == DriverId.UNKNOWN && modalias().isEmpty()
                ? Optional.of("which kernel driver runs it cannot be seen in "
                        + sysfs.root().resolve(folder)
                        + ": a software device should be named after its driver (rxe0, siw0)")
                : Optional.empty();
    }

    @Override
    public List<GidEntry> gids(int port) {
        List<GidEntry> entries = new ArrayList<>();
        for (int index : gidSlots(port)) {
            Gid gid = gid(port, index);
            if (!gid.isZero()) {
                String netDevice = sysfs.text(gidAttribute(port, "ndevs", index));
                boolean here = !netDevice.isEmpty() && netDevices.owns(netDevice, gid);
                entries.add(new GidEntry(port, index, gid, gidType(port, index), here ? netDevice : ""));
            }
        }
        return entries;
    }

    private int[] gidSlots(int port) {
        return sysfs.names(portFolder(port) + "gids").stream()
                .filter(name -> !name.isEmpty() && name.chars().allMatch(Character::isDigit))
                .mapToInt(Integer::parseInt)
                .sorted()
                .toArray();
    }

    private Gid gid(int port, int index) {
        String digits = sysfs.text(portFolder(port) + "gids/" + index).replace(":", "");
        return isHex(digits, 2 * Gid.BYTES) ? Gid.parseHex(digits) : Gid.ZERO;
    }

    /** The kernel has two names for three types: the first stands for InfiniBand and for RoCE version 1. */
    private GidType gidType(int port, int index) {
        if (sysfs.text(gidAttribute(port, "types", index)).equals("RoCE v2")) {
            return GidType.ROCE_V2;
        }
        boolean ethernet = sysfs.text(portFolder(port) + "link_layer").equals("Ethernet");
        return ethernet ? GidType.ROCE_V1 : GidType.INFINIBAND;
    }

    @Override
    public int pkey(int port, int index) {
        return sysfs.number(portFolder(port) + "pkeys/" + index, 0);
    }

    @Override
    public Map<String, String> properties() {
        SequencedMap<String, String> properties = new LinkedHashMap<>();
        put(properties, "kernel driver", sysfs.linkTarget(folder + "device/driver"));
        put(properties, "parent", sysfs.text(folder + "parent"));
        put(properties, "node type", sysfs.text(folder + "node_type"));
        put(properties, "board", sysfs.text(folder + "board_id"));
        return Collections.unmodifiableMap(properties);
    }

    @Override
    public CommandChannel open() {
        int fd;
        try {
            fd = Libc.open(node.toString(), Libc.O_RDWR_CLOEXEC);
        } catch (IllegalCallerException | ExceptionInInitializerError | NoClassDefFoundError e) {
            throw new KernelException(
                    Errno.EPERM,
                    "opening " + node + ": this JVM may not make system calls; start it with --enable-native-access="
                            + caller());
        }
        if (fd < 0) {
            throw new KernelException(-fd, "opening " + node + " of " + name + ": " + DeviceNode.explain(node, -fd));
        }
        return new UverbsChannel(node.toString(), fd);
    }

    private static String caller() {
        Module module = LinuxDevice.class.getModule();
        return module.isNamed() ? module.getName() : "ALL-UNNAMED";
    }

    private String portFolder(int port) {
        return folder + "ports/" + port + '/';
    }

    private String gidAttribute(int port, String attribute, int index) {
        return portFolder(port) + "gid_attrs/" + attribute + '/' + index;
    }

    private static void put(Map<String, String> properties, String key, String value) {
        if (!value.isEmpty()) {
            properties.put(key, value);
        }
    }

    private static boolean isHex(String text, int digits) {
        return text.length() == digits && text.chars().allMatch(c -> Character.digit(c, 16) >= 0);
    }

    @Override
    public String toString() {
        return name + " (" + node + ')';
    }
}
