package dev.doorbell.linux;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.netlink.Nldev;
import dev.doorbell.linux.netlink.RdmaDevice;
import dev.doorbell.linux.netlink.RdmaPort;
import dev.doorbell.spec.PortPhysicalState;
import dev.doorbell.spec.PortState;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Software devices of this host's kernel: made on a network interface, and removed, as {@code rdma link} (rdma-link(8))
 * does. Both need CAP_NET_ADMIN; looking does not. All of it needs native access ({@code --enable-native-access}).
 *
 * <p>Thread rules: any thread.
 */
public final class RdmaLinks {
    private static final int MAX_DEVICE_NAME = 63;
    private static final int MAX_NET_DEVICE_NAME = 15;
    private static final int MAX_TYPE = 15;
    private static final String CONTEXTS = "ctx";

    private static final Path NODES = Path.of("/dev/infiniband");

    private final Supplier<Nldev> kernel;
    private final OpenFiles files;

    /** Those of the kernel that this process runs on. */
    public RdmaLinks() {
        this(Nldev::open, OpenFiles.LOCAL);
    }

    /**
     * @param kernel opens a connection, once for each call
     * @param files tells who has a node open
     */
    RdmaLinks(Supplier<Nldev> kernel, OpenFiles files) {
        this.kernel = kernel;
        this.files = files;
    }

    /**
     * Every port of every device, in the order of the kernel.
     *
     * @throws KernelException EPROTONOSUPPORT if the kernel has no RDMA
     */
    public List<RdmaLink> list() {
        try (Nldev nldev = kernel.get()) {
            List<RdmaLink> links = new ArrayList<>();
            for (RdmaDevice device : nldev.devices()) {
                for (RdmaPort port : nldev.ports(device)) {
                    links.add(new RdmaLink(
                            device.name(),
                            port.number(),
                            device.protocol(),
                            state(port.state()),
                            physicalState(port.physicalState()),
                            port.netDevice()));
                }
            }
            return links;
        }
    }

    private static Optional<PortState> state(int code) {
        return Arrays.stream(PortState.values())
                .filter(state -> state.code() == code)
                .findFirst();
    }

    private static Optional<PortPhysicalState> physicalState(int code) {
        return Arrays.stream(PortPhysicalState.values())
                .filter(state -> state.code() == code)
                .findFirst();
    }

    /**
     * Makes a device. The kernel loads the driver's module if it can.
     *
     * @param name the new device's name, such as {@code rxe0}; at most 63 bytes
     * @param type the driver: {@code rxe} (Soft-RoCE) or {@code siw} (soft iWARP)
     * @param netDevice the network interface to stand on
     * @throws KernelException EPERM without CAP_NET_ADMIN, EEXIST if the name is taken or the interface has one already,
     *     EINVAL if there is no such driver, ENODEV if there is no such interface; with the remedy
     */
    public void add(String name, String type, String netDevice) {
        String operation = "adding link " + name + " of type " + type + " on " + netDevice;
        checkName(operation, "a device", name, MAX_DEVICE_NAME);
        checkName(operation, "a driver", type, MAX_TYPE);
        checkName(operation, "a network interface", netDevice, MAX_NET_DEVICE_NAME);
        try (Nldev nldev = kernel.get()) {
            nldev.newLink(name, type, netDevice);
        } catch (KernelException e) {
            throw new KernelException(e.errno(), operation + ": " + addCause(e, type, netDevice));
        }
    }

    private static String addCause(KernelException refusal, String type, String netDevice) {
        return switch (refusal.errno()) {
            case Errno.EPERM, Errno.EACCES ->
                "needs CAP_NET_ADMIN in the initial user namespace: run it as root (sudo); if you are root, "
                        + netDevice + " may be a VLAN, on which no device can stand";
            case Errno.EEXIST ->
                "the name is taken, or " + netDevice + " has such a device already; see the list of links";
            case Errno.ENFILE -> "the name is taken; see the list of links";
            case Errno.EINVAL, Errno.EOPNOTSUPP ->
                "the kernel has no driver that makes links of type " + type + ": load its module (modprobe "
                        + (type.equals("rxe") ? "rdma_rxe" : type) + "), or install the kernel's extra modules";
            case Errno.ENODEV -> "there is no network interface " + netDevice + " in this network namespace";
            case Errno.EADDRINUSE -> "UDP port 4791 is held by a program on this host: end that first";
            default -> reason(refusal);
        };
    }

    /**
     * Who has a device open.
     *
     * @throws KernelException ENODEV if there is no such device
     */
    public LinkUse use(String name) {
        try (Nldev nldev = kernel.get()) {
            return use(nldev, find(nldev, "looking at link " + name, name));
        }
    }

    private LinkUse use(Nldev nldev, RdmaDevice device) {
        long contexts = nldev.resources(device).getOrDefault(CONTEXTS, 0L);
        List<Integer> processes = new ArrayList<>(nldev.openers(device));
        nldev.characterDevice(device).ifPresent(file -> processes.addAll(files.holders(NODES.resolve(file.name()))));
        return new LinkUse(contexts, processes.stream().distinct().sorted().toList());
    }

    /**
     * Removes a device that was made with {@link #add}, unless somebody has it open: the kernel would wait for them, and
     * nothing could end the wait but they.
     *
     * @throws KernelException EBUSY if it is open, naming the processes; EPERM without CAP_NET_ADMIN, ENODEV, EINVAL for a
     *     device that was not made with {@link #add}
     */
    public void delete(String name) {
        String operation = "deleting link " + name;
        try (Nldev nldev = kernel.get()) {
            RdmaDevice device = find(nldev, operation, name);
            LinkUse use = use(nldev, device);
            if (use.isOpen()) {
                throw new KernelException(
                        Errno.EBUSY,
                        operation + ": " + use
                                + ", and the kernel would wait until all of them have closed it, without a"
                                + " way to stop that");
            }
            delete(nldev, operation, device);
        }
    }

    /**
     * Removes a device that was made with {@link #add}, waiting until nobody has it open. Neither interrupting the thread
     * nor a signal to the process ends the wait, not even SIGKILL.
     *
     * @throws KernelException as {@link #delete}, but for EBUSY
     */
    public void deleteWhenClosed(String name) {
        String operation = "deleting link " + name;
        try (Nldev nldev = kernel.get()) {
            delete(nldev, operation, find(nldev, operation, name));
        }
    }

    private static void delete(Nldev nldev, String operation, RdmaDevice device) {
        try {
            nldev.deleteLink(device);
        } catch (KernelException e) {
            throw new KernelException(e.errno(), operation + ": " + deleteCause(e));
        }
    }

    private static String deleteCause(KernelException refusal) {
        return switch (refusal.errno()) {
            case Errno.EPERM, Errno.EACCES ->
                "needs CAP_NET_ADMIN in the initial user namespace: run it as root (sudo)";
            case Errno.EINVAL ->
                "it was not made as a link: it belongs to hardware, or to a driver that removes it itself";
            case Errno.ENODEV -> "it is gone already";
            default -> reason(refusal);
        };
    }

    private static String reason(KernelException refusal) {
        String text = refusal.getMessage();
        if (text == null) {
            return "refused";
        }
        // The exception that tells this ends in the errno's name itself.
        String errno = " (" + Errno.name(refusal.errno()) + ")";
        return "refused, " + (text.endsWith(errno) ? text.substring(0, text.length() - errno.length()) : text);
    }

    private static RdmaDevice find(Nldev nldev, String operation, String name) {
        List<RdmaDevice> devices = nldev.devices();
        return devices.stream()
                .filter(device -> device.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new KernelException(
                        Errno.ENODEV,
                        operation + ": there is no such device; there are "
                                + devices.stream().map(RdmaDevice::name).toList()));
    }

    /** What the kernel would refuse with a bare EINVAL. A percent sign would be a pattern. */
    private static void checkName(String operation, String kind, String name, int limit) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        boolean odd = name.chars().anyMatch(c -> c <= ' ' || c == '/' || c == '%' || c == 0x7f);
        if (bytes == 0 || bytes > limit || odd || name.equals(".") || name.equals("..")) {
            throw new KernelException(
                    Errno.EINVAL,
                    operation + ": the name of " + kind + " has 1 to " + limit
                            + " bytes without blanks, '/' and '%', not '" + name + "'");
        }
    }
}
