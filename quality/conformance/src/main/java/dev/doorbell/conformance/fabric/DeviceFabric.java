package dev.doorbell.conformance.fabric;

import dev.doorbell.cm.EventChannel;
import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.Fabric;
import dev.doorbell.conformance.FabricKind;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.VerbsException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Devices that are there already, of whatever make: both sides on one, or a device each. */
public final class DeviceFabric implements Fabric {
    private static final String SAYS_SO = "the device, or its driver, says that it has none";
    private static final String EMBEDDED = "embedded";
    private static final String RXE = "rxe";
    private static final String MLX5 = "mlx5";

    private final Device a;
    private final Device b;
    private final FabricKind kind;
    private final int patience;
    private final Map<Capability, String> lacks;

    private DeviceFabric(Device a, Device b, FabricKind kind, int patience, Map<Capability, String> lacks) {
        this.a = a;
        this.b = b;
        this.kind = kind;
        this.patience = patience;
        this.lacks = lacks;
    }

    /**
     * A fabric of devices, which are asked what they have.
     *
     * @param b may be the same
     * @param patience how many times longer than it says a case may take
     * @throws dev.doorbell.verbs.VerbsException if a device cannot be opened
     */
    public static DeviceFabric of(Device a, Device b, int patience) {
        FabricKind kind = kind(a);
        Map<Capability, String> lacks = new EnumMap<>(Capability.class);
        if (kind == FabricKind.MLX5) {
            lacks.putAll(EmbeddedFabric.MLX5_LACKS);
        }
        if (kind == FabricKind.LINUX_RXE) {
            lacks.putAll(LinuxFabric.of(a.name(), release(System.getProperty("os.version", "")), patience)
                    .lacks());
        } else {
            lacks.putAll(missing(a));
            lacks.putAll(missing(b));
        }
        if (a.equals(b)) {
            lacks.put(Capability.TWO_DEVICES, "both sides are on one device");
        } else {
            lacks.remove(Capability.TWO_DEVICES);
        }
        lacks.put(Capability.FAULTS, "nobody tampers with the packets of a device that others may use");
        lacks.put(Capability.DEVICE_FAILURE, "nobody breaks a device that others may use");
        if (kind != FabricKind.EMBEDDED) {
            lacks.put(Capability.LAST_WORD_LAST, "a promise of the embedded device only");
        }
        noConnectionManager(a).ifPresent(reason -> lacks.put(Capability.CONNECTION_MANAGER, reason));
        return new DeviceFabric(a, b, kind, patience, lacks);
    }

    /** Why the connection manager of a device's kernel cannot be used; empty if it can. */
    private static Optional<String> noConnectionManager(Device device) {
        try {
            EventChannel.open(device).close();
            return Optional.empty();
        } catch (VerbsException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static FabricKind kind(Device device) {
        String driver = device.driver().orElse("");
        if (driver.equals(MLX5)) {
            return FabricKind.MLX5;
        }
        if (device.kernel().equals(EMBEDDED)) {
            return FabricKind.EMBEDDED;
        }
        return driver.equals(RXE) ? FabricKind.LINUX_RXE : FabricKind.LIBIBVERBS;
    }

    /** The first two numbers of a kernel's version; of another system's, or none, such as no kernel lacks anything for. */
    static String release(String version) {
        String[] numbers = version.split("[^0-9]+", -1);
        return numbers.length < 2 || numbers[0].isEmpty() || numbers[1].isEmpty()
                ? Integer.MAX_VALUE + ".0"
                : numbers[0] + "." + numbers[1];
    }

    private static Map<Capability, String> missing(Device device) {
        Map<Capability, String> missing = new EnumMap<>(Capability.class);
        try (Context context = device.open()) {
            Set<dev.doorbell.verbs.Capability> offered = context.capabilities();
            for (Capability needed : Capability.values()) {
                if (named(needed).filter(name -> !offered.contains(name)).isPresent()) {
                    missing.put(needed, SAYS_SO);
                }
            }
        }
        return missing;
    }

    /** The API's name for what a case may need; empty where every device has it, or none says whether it has. */
    private static Optional<dev.doorbell.verbs.Capability> named(Capability needed) {
        return switch (needed) {
            case MULTICAST -> Optional.of(dev.doorbell.verbs.Capability.MULTICAST);
            case SRQ -> Optional.of(dev.doorbell.verbs.Capability.SHARED_RECEIVE_QUEUE);
            case RESIZE_CQ -> Optional.of(dev.doorbell.verbs.Capability.COMPLETION_QUEUE_RESIZE);
            case WINDOW_TYPE_1 -> Optional.of(dev.doorbell.verbs.Capability.MEMORY_WINDOW_TYPE_1);
            case WINDOW_TYPE_2B -> Optional.of(dev.doorbell.verbs.Capability.MEMORY_WINDOW_TYPE_2);
            case REREGISTER, REREGISTER_MEMORY -> Optional.of(dev.doorbell.verbs.Capability.REREGISTRATION);
            case ATOMIC_WRITE -> Optional.of(dev.doorbell.verbs.Capability.ATOMIC_WRITE);
            case FLUSH -> Optional.of(dev.doorbell.verbs.Capability.FLUSH_GLOBAL);
            case COMPLETION_TIMESTAMP -> Optional.of(dev.doorbell.verbs.Capability.COMPLETION_TIMESTAMPS);
            case UC,
                    UD,
                    SQD,
                    SQD_RESUMES,
                    SQD_RETRY,
                    RESIZE_SRQ,
                    EXACT_SRQ,
                    COMPLETIONS_OUTLIVE_QUEUE_PAIR,
                    EVENTS,
                    ANY_OUTWEIGHS_SOLICITED,
                    LAST_REQUEST_EVENT,
                    TWO_DEVICES,
                    FAULTS,
                    DEVICE_FAILURE,
                    POSTING_SEES_FAILURE,
                    LAST_WORD_LAST,
                    CONNECTION_MANAGER -> Optional.empty();
        };
    }

    @Override
    public String name() {
        return a.equals(b) ? a.name() : a.name() + "-" + b.name();
    }

    @Override
    public String title() {
        return a.equals(b) ? describe(a) + ", to itself" : describe(a) + ", and " + describe(b);
    }

    private static String describe(Device device) {
        return device.name() + " (kernel " + device.kernel() + ", driver "
                + device.driver().orElse("none") + ")";
    }

    @Override
    public FabricKind kind() {
        return kind;
    }

    @Override
    public Map<Capability, String> lacks() {
        return lacks;
    }

    @Override
    public int patience() {
        return patience;
    }

    @Override
    public Session join() {
        return new Session() {
            @Override
            public Device a() {
                return a;
            }

            @Override
            public Device b() {
                return b;
            }

            @Override
            public void close() {
                // The devices go on without us; their kernel frees with a context what was left in it.
            }
        };
    }

    @Override
    public String toString() {
        return name();
    }
}
