package dev.doorbell.linux;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.DriverId;
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
import java.util.TreeMap;

/**
 * A device that was listed. Its tables are read from sysfs when they are asked for; nothing is open and nothing needs
 * freeing.
 */
final class LinuxDevice implements KernelDevice {
    /** Those of the specification, which hardware has, and those of the driver. */
    private static final List<String> COUNTER_TABLES = List.of("counters", "hw_counters");

    /** Longer numbers do not fit in 63 bits. */
    private static final int MAX_DIGITS = 19;

    private final DeviceIdentity identity;
    private final String source;
    private final String folder;
    private final Sysfs sysfs;
    private final Path node;
    private final NetDevices netDevices;

    /**
     * @param source what listed it, for people
     * @param nodes the folder of character devices
     */
    LinuxDevice(DeviceIdentity identity, String source, Sysfs sysfs, Path nodes, NetDevices netDevices) {
        this.identity = identity;
        this.source = source;
        this.folder = SysfsDiscovery.DEVICE_CLASS + identity.name() + '/';
        this.sysfs = sysfs;
        this.node = nodes.resolve(identity.hasFile() ? identity.file() : "uverbs-of-" + identity.name());
        this.netDevices = netDevices;
    }

    @Override
    public String name() {
        return identity.name();
    }

    @Override
    public Guid nodeGuid() {
        return identity.nodeGuid();
    }

    @Override
    public int ports() {
        return identity.ports();
    }

    @Override
    public int driverId() {
        return identity.driverId();
    }

    @Override
    public int driverAbi() {
        return identity.driverAbi();
    }

    @Override
    public int coreAbi() {
        return identity.coreAbi();
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
        return fileObstacle()
                .or(() -> DeviceNode.obstacle(node, identity.number()))
                .or(this::abiObstacle)
                .or(this::namespaceObstacle)
                .or(this::driverObstacle);
    }

    private Optional<String> fileObstacle() {
        return identity.hasFile() ? Optional.empty() : Optional.of(noFile());
    }

    private static String noFile() {
        return "the kernel offers no character device for it: load the module ib_uverbs (modprobe ib_uverbs)";
    }

    private Optional<String> abiObstacle() {
        int abi = identity.coreAbi();
        return abi == SysfsDiscovery.CORE_ABI
                ? Optional.empty()
                : Optional.of("the kernel's commands have ABI version " + abi + ", and this library speaks "
                        + SysfsDiscovery.CORE_ABI + ": use a "
                        + (abi > SysfsDiscovery.CORE_ABI ? "newer library" : "newer kernel"));
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
                entries.add(new GidEntry(port, index, gid, gidType(port, index), netDevices.ifOwned(netDevice, gid)));
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
        put(properties, "discovery", source);
        put(properties, "protocol", identity.protocol());
        put(properties, "kernel driver", sysfs.linkTarget(folder + "device/driver"));
        put(properties, "parent", sysfs.text(folder + "parent"));
        put(properties, "node type", sysfs.text(folder + "node_type"));
        put(properties, "board", sysfs.text(folder + "board_id"));
        return Collections.unmodifiableMap(properties);
    }

    @Override
    public Map<String, Long> counters(int port) {
        SequencedMap<String, Long> counters = new TreeMap<>();
        for (String table : COUNTER_TABLES) {
            for (String name : sysfs.names(portFolder(port) + table)) {
                // "lifespan" among them is no counter: for how long the kernel keeps what it read.
                String text = name.equals("lifespan") ? "" : sysfs.text(portFolder(port) + table + '/' + name);
                if (!text.isEmpty()
                        && text.length() < MAX_DIGITS
                        && text.chars().allMatch(Character::isDigit)) {
                    counters.put(name, Long.parseLong(text));
                }
            }
        }
        return counters;
    }

    @Override
    public CommandChannel open() {
        if (!identity.hasFile()) {
            throw new KernelException(Errno.ENODEV, "opening " + name() + ": " + noFile());
        }
        return DeviceOpening.open(node, identity);
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
        return name() + " (" + node + ')';
    }
}
