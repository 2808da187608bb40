package dev.doorbell.conformance.fabric;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.Fabric;
import dev.doorbell.conformance.FabricKind;
import dev.doorbell.conformance.LinkFaults;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.soft.kernel.Census;
import dev.doorbell.soft.kernel.CmCensus;
import dev.doorbell.soft.link.UdpPlan;
import dev.doorbell.testkit.Loopback;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The embedded kernel: fresh devices for each case, on which nothing may be left when the case is over. */
public final class EmbeddedFabric implements Fabric {
    /** The name of the one with sockets. */
    public static final String UDP = "embedded-udp";

    /** The name of the one that is driven by mlx5. */
    public static final String MLX5 = "embedded-mlx5";

    /** How many runs may happen at the same time: each has two of the addresses that end in 1 to 254. */
    public static final int RUNS = 127;

    /** What mlx5, or its driver, does otherwise or not at all. */
    static final Map<Capability, String> MLX5_LACKS = Map.of(
            Capability.ATOMIC_WRITE,
            "mlx5 has no such work request",
            Capability.FLUSH,
            "mlx5 has no such work request",
            Capability.RESIZE_SRQ,
            "mlx5 has none",
            Capability.EXACT_SRQ,
            "the queue has more places than were asked for, and at least one",
            Capability.COMPLETIONS_OUTLIVE_QUEUE_PAIR,
            "the driver takes them out, since they would name nobody",
            Capability.ANY_OUTWEIGHS_SOLICITED,
            "the latest wish stands in the doorbell record, and replaces the one before",
            Capability.POSTING_SEES_FAILURE,
            "posting is a store, which nobody answers");

    private final String name;
    private final String title;
    private final FabricKind kind;
    private final int devices;
    private final UnaryOperator<SoftNetwork.Builder> network;

    private EmbeddedFabric(String name, String title, int devices, UnaryOperator<SoftNetwork.Builder> network) {
        this(name, title, FabricKind.EMBEDDED, devices, network);
    }

    private EmbeddedFabric(
            String name, String title, FabricKind kind, int devices, UnaryOperator<SoftNetwork.Builder> network) {
        this.name = name;
        this.title = title;
        this.kind = kind;
        this.devices = devices;
        this.network = network;
    }

    /** Both sides on one device, which copies from memory to memory. */
    public static EmbeddedFabric direct() {
        return new EmbeddedFabric("embedded-direct", "embedded device, to itself", 1, builder -> builder.devices(1));
    }

    /** A device each, with packets over a link in memory. */
    public static EmbeddedFabric link() {
        return new EmbeddedFabric(
                "embedded-link",
                "two embedded devices, packets over a link in memory",
                2,
                builder -> builder.devices(2));
    }

    /** The same with devices that present themselves as mlx5, and are driven by that driver. */
    public static EmbeddedFabric mlx5() {
        return new EmbeddedFabric(
                MLX5,
                "two embedded devices that present themselves as mlx5, packets over a link in memory",
                FabricKind.MLX5,
                2,
                builder -> builder.devices(2).mlx5("soft0").mlx5("soft1"));
    }

    /** A device each, with packets through sockets of this machine, by the system calls of Linux. */
    public static EmbeddedFabric udp() {
        return udp(0);
    }

    /** The same for one of several runs that happen in this process at the same time. */
    private static EmbeddedFabric udp(int run) {
        return sockets(UDP, "two embedded devices, packets through UDP sockets", UdpPlan.Carrier.LINUX, run);
    }

    /** A device each, with packets through Java's datagram channels. */
    public static EmbeddedFabric portableUdp() {
        return sockets(
                UDP + "-portable",
                "two embedded devices, packets through datagram channels",
                UdpPlan.Carrier.PORTABLE,
                0);
    }

    private static EmbeddedFabric sockets(String name, String title, UdpPlan.Carrier carrier, int run) {
        return new EmbeddedFabric(
                name,
                title,
                2,
                builder -> builder.udp(plan -> plan.with(carrier))
                        .device("soft0", Loopback.at(2 * run + 1))
                        .device("soft1", Loopback.at(2 * run + 2)));
    }

    /** Those whose results are written down. By datagram channels nothing may come out differently. */
    public static List<Fabric> all() {
        return List.of(direct(), link(), udp(), mlx5());
    }

    /**
     * One of those whose results are written down.
     *
     * @param run a number below {@value #RUNS}, different for runs that happen in this process at the same time
     * @throws IllegalArgumentException if none has this name
     */
    public static Fabric named(String name, int run) {
        if (run < 0 || run >= RUNS) {
            throw new IllegalArgumentException("run " + run + " of " + RUNS);
        }
        if (name.equals(UDP)) {
            return udp(run);
        }
        return all().stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no fabric is named " + name));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public FabricKind kind() {
        return kind;
    }

    @Override
    public Map<Capability, String> lacks() {
        if (kind == FabricKind.MLX5) {
            return MLX5_LACKS;
        }
        return devices == 1
                ? Map.of(
                        Capability.TWO_DEVICES,
                        "both sides are on one device",
                        Capability.FAULTS,
                        "there are no packets between queue pairs of one device")
                : Map.of();
    }

    @Override
    public Session join() {
        ScriptedFaults faults = new ScriptedFaults();
        SoftNetwork.Builder builder = SoftNetwork.builder().link((device, link) -> new ScriptedLink(link, faults));
        return new Devices(network.apply(builder).build(), faults, kind == FabricKind.MLX5);
    }

    @Override
    public String toString() {
        return name;
    }

    private static final class Devices implements Session {
        private final SoftNetwork network;
        private final ScriptedFaults faults;
        private final DeviceCatalog catalog;
        private final List<Device> devices;

        Devices(SoftNetwork network, ScriptedFaults faults, boolean byMlx5) {
            this.network = network;
            this.faults = faults;
            this.catalog =
                    DeviceCatalog.of(List.of(network), DeviceCatalog.installed().providers());
            this.devices = catalog.devices().stream()
                    .map(device -> byMlx5 ? device.withDriver("mlx5") : device)
                    .toList();
        }

        @Override
        public Device a() {
            return devices.getFirst();
        }

        @Override
        public Device b() {
            return devices.getLast();
        }

        @Override
        public <T> T onItsKernel(Supplier<T> program) {
            return catalog.call(program);
        }

        @Override
        public LinkFaults faults() {
            return faults;
        }

        @Override
        public void failB() {
            network.device(b().name()).fail();
        }

        @Override
        public void close() {
            Map<String, Census> census = network.census();
            CmCensus connections = network.connections();
            network.close();
            if (connections.files() + connections.identifiers() + connections.memberships() > 0) {
                throw new IllegalStateException("left in the connection manager: " + connections);
            }
            census.forEach((device, left) -> {
                if (!left.isEmpty()) {
                    throw new IllegalStateException("left on " + device + ": " + left);
                }
            });
        }
    }
}
