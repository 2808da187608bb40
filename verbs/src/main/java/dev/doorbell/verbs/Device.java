package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.Guid;
import dev.doorbell.verbs.spi.DeviceCatalog;
import dev.doorbell.verbs.spi.DeviceEntry;
import dev.doorbell.verbs.spi.Provider;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An RDMA device as it is listed (ibv_get_device_list(3)): identity and address tables. Nothing is open, and nothing
 * needs to be freed.
 *
 * <p>The order of a list, and so {@link #preferred()}:
 * <ol>
 *   <li>devices that can be used come before those with an {@linkplain #obstacle() obstacle};
 *   <li>then devices with a GID that reaches other hosts, those with a link-local one only, those with none in this
 *       network namespace;
 *   <li>then the operating system's devices, which somebody set up and which other hosts reach, before the embedded one,
 *       which is always there;
 *   <li>then the kernel's own order.
 * </ol>
 *
 * <p>Thread rules: immutable; but tables are read from the kernel on each call.
 */
public final class Device {
    private final DeviceEntry entry;
    private final Duration enumeration;
    private final int standing;

    private Device(DeviceEntry entry, Duration enumeration) {
        this.entry = entry;
        this.enumeration = enumeration;
        this.standing = standing(entry);
    }

    /**
     * The devices of every kernel, also those that cannot be used, in the order above. The list is immutable. Kernels and
     * drivers come from the service loader, or from a test kit's {@link dev.doorbell.verbs.spi.DeviceCatalog}.
     */
    public static List<Device> list() {
        try {
            long start = System.nanoTime();
            List<DeviceEntry> entries = DeviceCatalog.current().entries();
            Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
            return entries.stream()
                    .map(entry -> new Device(entry, elapsed))
                    .sorted(Comparator.comparingInt((Device device) -> device.standing)
                            .thenComparingInt(device -> device.entry.kernelRank()))
                    .toList();
        } catch (KernelException e) {
            throw Refusal.of(e, "list", "the devices of this host").exception();
        }
    }

    /** 0 to 2 for the classes of the order, 3 for an obstacle. */
    private static int standing(DeviceEntry entry) {
        if (entry.obstacle().isPresent()) {
            return 3;
        }
        int best = 2;
        for (int port = 1; port <= entry.device().ports(); port++) {
            Optional<GidChoice> choice = GidRanking.choose(entry.device().gids(port));
            if (choice.isPresent()) {
                boolean local = GidRanking.rank(choice.get().entry()) == GidRanking.Rank.LINK_LOCAL;
                best = Math.min(best, local ? 1 : 0);
            }
        }
        return best;
    }

    /**
     * The first device of the list, if it can be used.
     *
     * @throws DeviceUnavailableException if none can be used; the message says why for each
     */
    public static Device preferred() {
        return select(list(), "can be used", device -> device.obstacle().isEmpty());
    }

    /**
     * The device with this name, such as {@code soft0} or {@code mlx5_0}.
     *
     * @throws DeviceUnavailableException if there is none; the message lists what there is
     */
    public static Device named(String name) {
        return select(list(), "has the name " + name, device -> device.name().equals(name));
    }

    /** The device with this node GUID. Throws as {@link #named}. */
    public static Device withGuid(Guid guid) {
        return select(
                list(), "has the node GUID " + guid, device -> device.nodeGuid().equals(guid));
    }

    /** The first device with a GID that belongs to this network interface, such as {@code eth0}. Throws as {@link #named}. */
    public static Device onNetDevice(String netDevice) {
        return select(
                list(),
                "has a GID on net device " + netDevice,
                device -> device.gids().stream().anyMatch(gid -> gid.netDevice().equals(netDevice)));
    }

    /** The first device with this local address as a GID. Throws as {@link #named}. */
    public static Device at(InetAddress address) {
        Gid wanted = Gid.of(address);
        return select(
                list(),
                "has the address " + address.getHostAddress(),
                device -> device.gids().stream().anyMatch(gid -> gid.gid().equals(wanted)));
    }

    /** The first device that the predicate takes, in the order of the list. Throws as {@link #named}. */
    public static Device matching(Predicate<? super Device> predicate) {
        return select(list(), "has what the predicate asks for", predicate);
    }

    static Device select(List<Device> devices, String wanted, Predicate<? super Device> predicate) {
        return devices.stream().filter(predicate).findFirst().orElseThrow(() -> {
            String there = devices.isEmpty()
                    ? "there are no devices at all"
                    : "there are "
                            + String.join(
                                    "; ", devices.stream().map(Device::summary).toList());
            return new DeviceUnavailableException(Refusal.of(Errno.ENODEV, "find", "the devices of this host")
                    .rule("none " + wanted + "; " + there)
                    .remedy(String.join(". ", DeviceCatalog.current().absences())));
        });
    }

    private String summary() {
        return name() + " (" + entry.kernel()
                + obstacle().map(text -> ", not usable: " + text).orElse("") + ")";
    }

    /** The kernel's name for it. */
    public String name() {
        return entry.device().name();
    }

    /** The node's GUID. */
    public Guid nodeGuid() {
        return entry.device().nodeGuid();
    }

    /** Name of the kernel that has it, such as {@code linux 6.12.0} or {@code embedded}. */
    public String kernel() {
        return entry.kernel();
    }

    /** Name of the user-mode driver for it, such as {@code rxe}; empty if none was found. */
    public Optional<String> driver() {
        return Optional.ofNullable(entry.provider()).map(Provider::name);
    }

    /** What whoever uses that driver should know beforehand, a line for people; empty if there is nothing to say. */
    public Optional<String> driverRemark() {
        return Optional.ofNullable(entry.provider()).flatMap(Provider::remark);
    }

    /**
     * The drivers that can drive it here, that of {@link #driver()} first. Which comes first can be chosen from outside:
     * see {@link dev.doorbell.verbs.spi.DeviceCatalog}.
     */
    public List<String> drivers() {
        return Stream.concat(Stream.of(entry), entry.others().stream())
                .map(DeviceEntry::provider)
                .filter(Objects::nonNull)
                .map(Provider::name)
                .toList();
    }

    /**
     * The same device by another of its {@link #drivers()}, such as {@code libibverbs}.
     *
     * @throws DeviceUnavailableException if that does not drive it
     */
    public Device withDriver(String driver) {
        return Stream.concat(Stream.of(entry), entry.others().stream())
                .filter(way -> way.provider() != null && way.provider().name().equals(driver))
                .findFirst()
                .map(way ->
                        way.equals(entry) && entry.obstacle().isEmpty() ? this : new Device(way.asked(), enumeration))
                .orElseThrow(() ->
                        new DeviceUnavailableException(Refusal.of(Errno.ENODEV, "choose driver", "device " + name())
                                .limit("the driver " + driver, drivers())));
    }

    /** Version of the ABI between its kernel driver and its user-mode driver. */
    public int driverAbi() {
        return entry.device().driverAbi();
    }

    /** Version of the ABI of the kernel's commands. */
    public int coreAbi() {
        return entry.device().coreAbi();
    }

    /** What is opened to use it, such as {@code /dev/infiniband/uverbs0}. */
    public String node() {
        return entry.device().node();
    }

    /** Physical ports; they are numbered from 1. */
    public int ports() {
        return entry.device().ports();
    }

    /** Why it cannot be used by this process, with the remedy; empty if nothing is known to stand in the way. */
    public Optional<String> obstacle() {
        return entry.obstacle();
    }

    /** Whether nothing is known to stand in the way of using it. */
    public boolean isUsable() {
        return obstacle().isEmpty();
    }

    /** The used slots of a port's GID table (ibv_query_gid_table(3)). */
    public List<GidEntry> gids(int port) {
        checkPort(port);
        return read("read GIDs", () -> List.copyOf(entry.device().gids(port)));
    }

    /** The used slots of the GID tables of all ports. */
    public List<GidEntry> gids() {
        List<GidEntry> gids = new ArrayList<>();
        for (int port = 1; port <= ports(); port++) {
            gids.addAll(gids(port));
        }
        return List.copyOf(gids);
    }

    /** The P_Key in a slot of a port's table (ibv_query_pkey(3)), 0 for an empty one. */
    public int pkey(int port, int index) {
        checkPort(port);
        return read("read P_Key", () -> entry.device().pkey(port, index));
    }

    /**
     * What a port has counted since the device was made, by the kernel's names, such as {@code sent_pkts} of rxe; empty if
     * it counts nothing. For people and for monitoring: which counters there are differs between drivers and kernels.
     */
    public Map<String, Long> counters(int port) {
        checkPort(port);
        return read(
                "read counters",
                () -> Collections.unmodifiableMap(entry.device().counters(port)));
    }

    private <T> T read(String operation, Supplier<T> table) {
        try {
            return table.get();
        } catch (KernelException e) {
            throw Refusal.of(e, operation, "device " + name()).exception();
        }
    }

    void checkPort(int port) {
        if (port < 1 || port > ports()) {
            throw Refusal.of(Errno.EINVAL, "query port", "device " + name())
                    .limit("port " + port, "1 to " + ports())
                    .exception();
        }
    }

    /** What is special about it, for people. Do not branch on it. */
    public Map<String, String> properties() {
        return Map.copyOf(entry.device().properties());
    }

    /** Opens it (ibv_open_device(3)). */
    public Context open() {
        return open(OpenOptions.plain());
    }

    /** Opens it and tells the steps. */
    public Context open(OpenListener listener) {
        return open(OpenOptions.plain().listener(listener));
    }

    /**
     * Opens it.
     *
     * @throws DeviceUnavailableException if it has an obstacle, or the kernel refuses; with errno and remedy
     */
    public Context open(OpenOptions options) {
        return new Opening(this, options).run();
    }

    DeviceEntry entry() {
        return entry;
    }

    Duration enumeration() {
        return enumeration;
    }

    /** Whether both are the device of this name of the same kernel. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Device device
                && device.name().equals(name())
                && device.kernel().equals(kernel())
                && device.node().equals(node());
    }

    @Override
    public int hashCode() {
        return name().hashCode();
    }

    @Override
    public String toString() {
        return summary();
    }
}
