package dev.doorbell.soft;

import dev.doorbell.kernel.CmChannel;
import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.soft.fault.FaultInjector;
import dev.doorbell.soft.hca.NanoClock;
import dev.doorbell.soft.kernel.Census;
import dev.doorbell.soft.kernel.CmCensus;
import dev.doorbell.soft.kernel.Conductor;
import dev.doorbell.soft.kernel.Personality;
import dev.doorbell.soft.kernel.Placement;
import dev.doorbell.soft.kernel.RdmaCm;
import dev.doorbell.soft.kernel.SoftDevice;
import dev.doorbell.soft.kernel.SoftDeviceSetup;
import dev.doorbell.soft.kernel.SoftLimits;
import dev.doorbell.soft.link.CaptureFile;
import dev.doorbell.soft.link.CaptureLink;
import dev.doorbell.soft.link.InMemoryLink;
import dev.doorbell.soft.link.InMemoryNetwork;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.soft.link.UdpLink;
import dev.doorbell.soft.link.UdpPlan;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Embedded devices that reach each other in memory: a kernel of one's own.
 *
 * <p>With {@link Builder#virtualTime} nothing runs by itself: whoever polls or waits runs all devices, in its own
 * thread, and a wait moves the clock. A whole conversation then runs in one thread and is the same in every run.
 *
 * <p>Thread rules: any thread; with virtual time one thread at a time.
 */
public final class SoftNetwork implements Kernel, AutoCloseable {
    static final String NAME = "embedded";

    /** After the devices of an operating system. */
    static final int RANK = 100;

    private final List<SoftDevice> devices = new ArrayList<>();
    private final Map<String, InMemoryLink> links;
    private final @Nullable InMemoryNetwork medium;
    private final RdmaCm manager;

    private SoftNetwork(Builder builder) {
        VirtualTime time = builder.time;
        Conductor conductor = time == null ? null : new VirtualConductor(devices, time);
        this.links = builder.links;
        boolean alone = builder.addresses.size() == 1 && builder.plan == null;
        this.medium = alone ? null : new InMemoryNetwork();
        for (DeviceAddress address : builder.addresses) {
            devices.add(new SoftDevice(builder.setup(address, medium, conductor)));
        }
        this.manager = new RdmaCm(devices, builder.clock, builder.random);
    }

    /** Starts from no devices, rxe's limits, real time and unpredictable keys. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int rank() {
        return RANK;
    }

    @Override
    public List<KernelDevice> devices() {
        return List.copyOf(devices);
    }

    @Override
    public CmChannel openConnectionManager() {
        return manager.open();
    }

    /** What is alive in the connection manager. */
    public CmCensus connections() {
        return manager.census();
    }

    /**
     * The device with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public SoftDevice device(String name) {
        for (SoftDevice device : devices) {
            if (device.name().equals(name)) {
                return device;
            }
        }
        throw new IllegalArgumentException("no device is named " + name);
    }

    /**
     * Pulls a device's cable, or plugs it in again: while it is out, packets from and to the device are dropped. Its contexts
     * get PORT_ERR and PORT_ACTIVE.
     *
     * @throws IllegalArgumentException if there is no device with this name, or it has no cable: one device alone has none
     */
    public void plug(String name, boolean in) {
        InMemoryLink link = links.get(device(name).name());
        if (link == null) {
            throw new IllegalArgumentException(name + " has no link");
        }
        link.setUp(in);
    }

    /**
     * A link of one's own into the devices' network in memory, for packets that no device would send. Whoever gets it closes it.
     *
     * @throws IllegalArgumentException if the address is taken
     * @throws IllegalStateException if the devices have no such network: one alone, or devices on the IP network
     */
    public PacketLink join(Gid address) {
        InMemoryNetwork network = medium;
        if (network == null || links.isEmpty()) {
            throw new IllegalStateException("these devices have no network in memory");
        }
        return network.join(List.of(address));
    }

    /** What is alive on each device, by name. */
    public Map<String, Census> census() {
        Map<String, Census> census = new LinkedHashMap<>();
        devices.forEach(device -> census.put(device.name(), device.census()));
        return census;
    }

    /** Does what can be done now, once on each device. Returns whether anything was done. */
    public boolean doWork() {
        boolean worked = false;
        for (SoftDevice device : devices) {
            worked |= device.doWork();
        }
        return worked;
    }

    /** When {@link #doWork} must be called next if nobody posts anything; {@link Long#MAX_VALUE} for never. */
    public long nextDeadlineNs() {
        long next = Long.MAX_VALUE;
        for (SoftDevice device : devices) {
            next = Math.min(next, device.nextDeadlineNs());
        }
        return next;
    }

    /** Removes all devices. Idempotent. */
    @Override
    public void close() {
        devices.forEach(SoftDevice::close);
    }

    /** Says what devices there are and how they behave. */
    public static final class Builder {
        private final List<DeviceAddress> addresses = new ArrayList<>();
        private final Set<String> mlx5 = new HashSet<>();
        private Map<String, InMemoryLink> links = new HashMap<>();
        private SoftLimits limits = SoftLimits.RXE;
        private int completionVectors = Runtime.getRuntime().availableProcessors();
        private NanoClock clock = System::nanoTime;
        private @Nullable VirtualTime time;
        private RandomGenerator random = new SecureRandom();
        private BiFunction<String, PacketLink, PacketLink> decorator = (name, link) -> link;
        private @Nullable CaptureFile capture;
        private final Map<String, FaultInjector> faults = new HashMap<>();
        private @Nullable UnaryOperator<UdpPlan> plan;

        private Builder() {}

        Builder device(DeviceAddress address) {
            addresses.add(address);
            return this;
        }

        /** Adds a device at an address. */
        public Builder device(String name, InetAddress address) {
            return device(DeviceAddress.at(name, address));
        }

        /** Adds devices soft0, soft1, and so on, at 127.0.0.1 and up. */
        public Builder devices(int count) {
            for (int i = 0; i < count; i++) {
                device("soft" + i, InetAddress.ofLiteral("127.0.0." + (i + 1)));
            }
            return this;
        }

        /**
         * Lets a device present itself as an mlx5 device, which keeps its queues in memory of the program and sees doorbells
         * only when somebody looks.
         */
        public Builder mlx5(String device) {
            mlx5.add(device);
            return this;
        }

        /** Adds a device at the first of 127.0.0.1, 127.0.0.2 and so on that is free when the device is opened. */
        public Builder device(String name) {
            return device(DeviceAddress.anywhere(name));
        }

        /**
         * Connects the devices to the IP network, RoCEv2 on UDP port 4791, instead of a network in memory. A device binds
         * its addresses when it is opened.
         *
         * @param change what shall differ from the best that this system offers
         */
        public Builder udp(UnaryOperator<UdpPlan> change) {
            plan = change;
            return this;
        }

        /** Sets what each device hands out. */
        public Builder limits(SoftLimits value) {
            limits = value;
            return this;
        }

        /** Sets the number of completion vectors. */
        public Builder completionVectors(int value) {
            completionVectors = value;
            return this;
        }

        /** Sets the devices' clock; they keep their threads. */
        public Builder clock(NanoClock value) {
            clock = value;
            time = null;
            return this;
        }

        /** Sets a clock that stands still unless somebody waits, and takes away the devices' threads. */
        public Builder virtualTime(VirtualTime value) {
            clock = value;
            time = value;
            return this;
        }

        /** Makes keys, numbers and handles the same in every run. */
        public Builder seed(long value) {
            random = new Random(value);
            return this;
        }

        /**
         * Puts something between a device and the network, such as faults or a capture: gets the device's name and its
         * link, and returns what the device shall use. Only where there is more than one device.
         */
        public Builder link(BiFunction<String, PacketLink, PacketLink> value) {
            decorator = value;
            return this;
        }

        /**
         * Sets what goes wrong with the packets that a device sends and receives. It suffers on top of what
         * {@link #link} put there. Only where there is more than one device.
         */
        public Builder faults(String device, FaultInjector value) {
            faults.put(device, value);
            return this;
        }

        /**
         * Writes all packets that the devices send and receive into a file, as they are on the network: above what
         * {@link #link} put there, and below {@link #faults}. The file stays open; close it after the network. Queue pairs of
         * one device exchange by copying, without packets.
         */
        public Builder capture(CaptureFile value) {
            capture = value;
            return this;
        }

        /** The network with its devices; nothing is started yet. */
        public SoftNetwork build() {
            links = new HashMap<>();
            return new SoftNetwork(this);
        }

        private SoftDeviceSetup setup(
                DeviceAddress address, @Nullable InMemoryNetwork medium, @Nullable Conductor conductor) {
            Placement placement = address.placement();
            PacketLink link = medium == null ? null : decorated(address.name(), link(address, placement, medium));
            return new SoftDeviceSetup(
                    address.name(),
                    mlx5.contains(address.name()) ? Personality.MLX5 : Personality.RXE,
                    placement,
                    address.netDevice(),
                    limits,
                    completionVectors,
                    clock,
                    random,
                    link,
                    conductor);
        }

        private PacketLink decorated(String device, PacketLink plain) {
            PacketLink link = captured(decorator.apply(device, plain));
            FaultInjector injector = faults.get(device);
            return injector == null ? link : injector.on(link, clock::nanoTime);
        }

        private PacketLink captured(PacketLink link) {
            CaptureFile file = capture;
            return file == null ? link : new CaptureLink(link, file);
        }

        private PacketLink link(DeviceAddress address, Placement placement, InMemoryNetwork medium) {
            UnaryOperator<UdpPlan> change = plan;
            if (change == null) {
                InMemoryLink plain =
                        medium.join(placement.gids().stream().map(GidEntry::gid).toList());
                links.put(address.name(), plain);
                return plain;
            }
            return new UdpLink(change.apply(UdpPlan.at(address.addresses())), medium);
        }
    }
}
