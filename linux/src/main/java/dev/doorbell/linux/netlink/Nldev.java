package dev.doorbell.linux.netlink;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.NldevIds;
import dev.doorbell.spec.Guid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What the RDMA subsystem tells over netlink, and the orders that it takes there.
 *
 * <p>Thread rules: used by one thread at a time.
 */
public final class Nldev implements AutoCloseable {
    private static final long TIMEOUT_NS = 5_000_000_000L;
    private static final String UVERBS = "uverbs";
    private static final int MAX_NUMBER = Integer.MAX_VALUE;
    private static final int MAX_PORTS = 255;
    private static final int MAX_CODE = 255;

    private final NetlinkClient client;

    Nldev(NetlinkTransport transport, int firstSequence) {
        this.client = new NetlinkClient(transport, firstSequence, TIMEOUT_NS);
    }

    /**
     * A connection to this host's kernel.
     *
     * @throws KernelException EPROTONOSUPPORT if the kernel has no RDMA
     */
    public static Nldev open() {
        return new Nldev(NetlinkSocket.open(), ThreadLocalRandom.current().nextInt());
    }

    /**
     * The devices, in the order of the kernel.
     *
     * @throws KernelException if the kernel refused, or what it said could not be read
     */
    public List<RdmaDevice> devices() {
        List<RdmaDevice> devices = new ArrayList<>();
        for (NetlinkAttributes each : client.list(new NetlinkRequest(NldevIds.GET, NldevIds.FLAG_DUMP))) {
            int index = each.number(NldevIds.DEVICE_INDEX, MAX_NUMBER, -1);
            String name = each.text(NldevIds.DEVICE_NAME);
            if (index >= 0 && isName(name)) {
                devices.add(new RdmaDevice(
                        index,
                        name,
                        each.number(NldevIds.PORT_INDEX, MAX_PORTS, 0),
                        new Guid(each.number(NldevIds.NODE_GUID, 0L)),
                        each.number(NldevIds.NODE_TYPE, MAX_CODE, 0),
                        each.text(NldevIds.PROTOCOL)));
            }
        }
        return devices;
    }

    /** The device of this name. Throws as {@link #devices}. */
    public Optional<RdmaDevice> device(String name) {
        return devices().stream().filter(device -> device.name().equals(name)).findFirst();
    }

    /**
     * The character device for verbs; empty if there is none, because the module ib_uverbs is not loaded.
     *
     * @throws KernelException EINVAL if the kernel does not know the question (before 5.1), or as {@link #devices}
     */
    public Optional<CharacterDevice> characterDevice(RdmaDevice device) {
        NetlinkAttributes answer;
        try {
            answer = client.get(new NetlinkRequest(NldevIds.CHARDEV_GET, 0)
                    .number(NldevIds.DEVICE_INDEX, device.index())
                    .text(NldevIds.CHARDEV_TYPE, UVERBS));
        } catch (KernelException e) {
            if (e.errno() == Errno.ENOENT || e.errno() == Errno.EOPNOTSUPP || e.errno() == Errno.ENODEV) {
                return Optional.empty();
            }
            throw e;
        }
        String name = answer.text(NldevIds.CHARDEV_NAME);
        if (!isName(name)) {
            return Optional.empty();
        }
        return Optional.of(new CharacterDevice(
                name,
                // Its upper half is not of this driver.
                (int) answer.number(NldevIds.CHARDEV_ABI, 0L),
                DeviceNumber.text(answer.number(NldevIds.CHARDEV_NUMBER, 0L)),
                answer.number(NldevIds.DRIVER_ID, MAX_NUMBER, 0)));
    }

    /** The ports. Throws as {@link #devices}. */
    public List<RdmaPort> ports(RdmaDevice device) {
        List<RdmaPort> ports = new ArrayList<>();
        for (NetlinkAttributes each : client.list(new NetlinkRequest(NldevIds.PORT_GET, NldevIds.FLAG_DUMP)
                .number(NldevIds.DEVICE_INDEX, device.index()))) {
            int port = each.number(NldevIds.PORT_INDEX, MAX_PORTS, 0);
            if (port > 0) {
                ports.add(new RdmaPort(
                        port,
                        each.number(NldevIds.PORT_STATE, MAX_CODE, 0),
                        each.number(NldevIds.PORT_PHYSICAL_STATE, MAX_CODE, 0),
                        each.text(NldevIds.NET_DEVICE_NAME)));
            }
        }
        return ports;
    }

    /** How many objects of each kind the device has, by the kernel's short names such as {@code qp}. */
    public Map<String, Long> resources(RdmaDevice device) {
        Map<String, Long> counts = new LinkedHashMap<>();
        NetlinkAttributes answer =
                client.get(new NetlinkRequest(NldevIds.RESOURCES_GET, 0).number(NldevIds.DEVICE_INDEX, device.index()));
        for (NetlinkAttributes table : answer.nested(NldevIds.RESOURCES)) {
            for (NetlinkAttributes entry : table.nested(NldevIds.RESOURCE)) {
                counts.put(entry.text(NldevIds.RESOURCE_NAME), entry.number(NldevIds.RESOURCE_COUNT, 0L));
            }
        }
        return counts;
    }

    /**
     * The processes that have a context of the device open, one entry a context; those of other process namespaces are
     * not among them. Throws as {@link #devices}.
     */
    public List<Integer> openers(RdmaDevice device) {
        List<Integer> processes = new ArrayList<>();
        for (NetlinkAttributes message : client.list(new NetlinkRequest(NldevIds.CONTEXTS_GET, NldevIds.FLAG_DUMP)
                .number(NldevIds.DEVICE_INDEX, device.index()))) {
            for (NetlinkAttributes table : message.nested(NldevIds.CONTEXTS)) {
                for (NetlinkAttributes entry : table.nested(NldevIds.CONTEXT)) {
                    int process = entry.number(NldevIds.PROCESS, MAX_NUMBER, 0);
                    if (process > 0) {
                        processes.add(process);
                    }
                }
            }
        }
        return processes;
    }

    /**
     * Makes a device.
     *
     * @param type the driver that makes it, such as {@code rxe}
     * @throws KernelException EPERM without CAP_NET_ADMIN, EEXIST, EINVAL for an unknown driver, ENODEV, ...
     */
    public void newLink(String name, String type, String netDevice) {
        client.order(new NetlinkRequest(NldevIds.NEW_LINK, NldevIds.FLAG_ACK)
                .text(NldevIds.DEVICE_NAME, name)
                .text(NldevIds.LINK_TYPE, type)
                .text(NldevIds.NET_DEVICE_NAME, netDevice));
    }

    /**
     * Removes a device that {@link #newLink} made. The kernel waits until nobody has it open; neither a deadline nor a
     * signal ends that.
     *
     * @throws KernelException EPERM without CAP_NET_ADMIN, EINVAL for a device that cannot be removed so, ENODEV
     */
    public void deleteLink(RdmaDevice device) {
        client.order(new NetlinkRequest(NldevIds.DELETE_LINK, NldevIds.FLAG_ACK)
                .number(NldevIds.DEVICE_INDEX, device.index()));
    }

    @Override
    public void close() {
        client.close();
    }

    /** Names become parts of paths: they must be names. */
    private static boolean isName(String name) {
        return !name.isEmpty() && !name.equals(".") && !name.equals("..") && name.indexOf('/') < 0;
    }
}
