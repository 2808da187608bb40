package dev.doorbell.testkit;

import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.soft.fault.FaultInjector;
import dev.doorbell.soft.kernel.Census;
import dev.doorbell.soft.kernel.SoftLimits;
import dev.doorbell.soft.link.CaptureFile;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Embedded devices {@code soft0}, {@code soft1} and so on, joined in memory under virtual time. They are driven through
 * the verbs API like any other device, by one thread.
 *
 * <p>Nothing runs by itself: posting, polling and waiting for events run all devices. The clock moves when a program
 * waits for an event, when it keeps polling in vain, and when the test says so. Two runs with the same seed are the same.
 *
 * <pre>{@code
 * try (Fabric fabric = Fabric.builder().faults("soft1", FaultInjector.seeded(7).loss(0.01)).build();
 *         Context here = fabric.device(0).open();
 *         Context there = fabric.device(1).open()) {
 *     ...
 * }
 * }</pre>
 *
 * <p>Thread rules: one thread at a time.
 */
public final class Fabric implements AutoCloseable {
    private static final long FOR_EVER = Long.MAX_VALUE;

    private final VirtualClock clock;
    private final SoftNetwork network;
    private final DeviceCatalog catalog;
    private final List<Device> devices;

    private Fabric(Builder builder) {
        this.clock = builder.clock;
        SoftNetwork.Builder networkBuilder = SoftNetwork.builder()
                .devices(builder.count)
                .limits(builder.limits)
                .seed(builder.seed)
                .virtualTime(clock);
        builder.faults.forEach(networkBuilder::faults);
        LinkModel model = builder.model;
        if (model != null) {
            networkBuilder.link((name, link) -> new ModelledLink(link, model, clock));
        }
        CaptureFile capture = builder.capture;
        if (capture != null) {
            networkBuilder.capture(capture);
        }
        this.network = networkBuilder.build();
        this.catalog =
                DeviceCatalog.of(List.of(network), DeviceCatalog.installed().providers());
        this.devices = catalog.devices();
    }

    /** Two devices, no faults, rxe's limits, seed 1. */
    public static Builder builder() {
        return new Builder();
    }

    /** Two devices without faults. */
    public static Fabric pair() {
        return builder().build();
    }

    /** The devices in the order of their names' numbers. */
    public List<Device> devices() {
        return devices;
    }

    /** The device {@code soft<index>}. */
    public Device device(int index) {
        return devices.get(index);
    }

    /** Connects two queue pairs with each other; those for datagrams are activated. */
    public static void connect(QueuePair one, QueuePair other) {
        if (one.type() == QueuePairType.UD) {
            one.activate();
            other.activate();
        } else {
            one.connect(other.endpoint());
            other.connect(one.endpoint());
        }
    }

    /** Runs a program that finds these devices, and no others, in {@link Device#list()}. */
    public <T> T call(Supplier<T> program) {
        return catalog.call(program);
    }

    /** The devices' time. */
    public VirtualClock clock() {
        return clock;
    }

    /** Does all that can be done at this moment, without moving the clock. */
    public void settle() {
        while (network.doWork()) {
            // Each round may have made work for the next.
        }
    }

    /** Lets time pass, doing everything that falls due meanwhile at its time. */
    public void advance(Duration time) {
        long end = clock.nanoTime() + time.toNanos();
        runTo(end);
        clock.advanceTo(Math.max(end, clock.nanoTime()));
        settle();
    }

    /**
     * Lets time pass until nothing will happen any more unless a program posts something.
     *
     * @param limit the most time to let pass
     * @return whether it came to that
     */
    public boolean quiesce(Duration limit) {
        runTo(clock.nanoTime() + limit.toNanos());
        return network.nextDeadlineNs() == FOR_EVER;
    }

    /**
     * Lets time pass to the next moment at which something happens by itself, and does it.
     *
     * @param limit the most time to let pass
     * @return false if nothing would happen until then; no time has passed
     */
    public boolean step(Duration limit) {
        settle();
        long next = network.nextDeadlineNs();
        if (next == FOR_EVER || next - clock.nanoTime() > limit.toNanos()) {
            return false;
        }
        clock.advanceTo(Math.max(next, clock.nanoTime() + 1));
        settle();
        return true;
    }

    private void runTo(long end) {
        settle();
        for (long next = network.nextDeadlineNs(); next <= end; next = network.nextDeadlineNs()) {
            clock.advanceTo(Math.max(next, clock.nanoTime() + 1));
            settle();
        }
    }

    /** Pulls a device's cable: packets are dropped, and its contexts get PORT_ERR. */
    public void unplug(int index) {
        network.plug(device(index).name(), false);
    }

    /** Plugs a device's cable in again; its contexts get PORT_ACTIVE. */
    public void plug(int index) {
        network.plug(device(index).name(), true);
    }

    /** Lets a device fail: its contexts get DEVICE_FATAL, and from then on posting and commands answer EIO. */
    public void fail(int index) {
        network.device(device(index).name()).fail();
    }

    /** Raises an event of a device's port, such as GID_CHANGE, in all contexts of the device. */
    public void raise(int index, AsyncEventType portEvent) {
        network.device(device(index).name()).raisePortEvent(portEvent);
    }

    /**
     * A stranger's link into the devices' network, for packets that no device would send, whatever source they name. Whoever
     * gets it closes it.
     */
    public PacketLink join(Gid address) {
        return network.join(address);
    }

    /** What is alive on each device, by name. */
    public Map<String, Census> census() {
        return network.census();
    }

    /** The counters of a device, by rxe's names. */
    public Map<String, Long> counters(int index) {
        return network.device(device(index).name()).counters();
    }

    /**
     * Removes the devices.
     *
     * @throws IllegalStateException if a context or anything in one was not closed; the message says what
     */
    @Override
    public void close() {
        List<String> left = new ArrayList<>();
        census().forEach((name, census) -> {
            if (!census.isEmpty()) {
                left.add(name + " " + census);
            }
        });
        network.close();
        if (!left.isEmpty()) {
            throw new IllegalStateException("not everything was closed: " + String.join("; ", left));
        }
    }

    /** Says what devices there are and what goes wrong between them. */
    public static final class Builder {
        private final Map<String, FaultInjector> faults = new HashMap<>();
        private VirtualClock clock = new VirtualClock();
        private @Nullable CaptureFile capture;
        private SoftLimits limits = SoftLimits.RXE;
        private @Nullable LinkModel model;
        private int count = 2;
        private long seed = 1;

        private Builder() {}

        /** Sets the number of devices. */
        public Builder devices(int value) {
            count = value;
            return this;
        }

        /** Sets what each device hands out. */
        public Builder limits(SoftLimits value) {
            limits = value;
            return this;
        }

        /** Sets where keys, numbers and handles come from. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /** Sets the clock. */
        public Builder clock(VirtualClock value) {
            clock = value;
            return this;
        }

        /** Sets what goes wrong with the packets that a device sends and receives; null for nothing. */
        public Builder faults(String device, @Nullable FaultInjector value) {
            if (value == null) {
                faults.remove(device);
            } else {
                faults.put(device, value);
            }
            return this;
        }

        /** Sets how fast the devices' links are; packets arrive at once unless this is set. */
        public Builder links(LinkModel value) {
            model = value;
            return this;
        }

        /**
         * Writes the packets between the devices into a file for Wireshark. It stays open; close it after the fabric. For times
         * by the {@link #clock}, make it with that clock.
         */
        public Builder capture(CaptureFile value) {
            capture = value;
            return this;
        }

        /** The fabric; no device is open yet. */
        public Fabric build() {
            return new Fabric(this);
        }
    }
}
