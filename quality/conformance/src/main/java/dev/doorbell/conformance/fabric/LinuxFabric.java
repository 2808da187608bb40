package dev.doorbell.conformance.fabric;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.Fabric;
import dev.doorbell.conformance.FabricKind;
import dev.doorbell.verbs.Device;
import java.util.EnumMap;
import java.util.Map;

/** Linux's Soft-RoCE, both sides on one device that is there already: for the kernel lab. */
public final class LinuxFabric implements Fabric {
    private static final String NO_PACKETS = "both sides are on one device";

    private final String device;
    private final String release;
    private final int patience;
    private final boolean byLibrary;

    private LinuxFabric(String device, String release, int patience, boolean byLibrary) {
        this.device = device;
        this.release = release;
        this.patience = patience;
        this.byLibrary = byLibrary;
    }

    /**
     * A device of the kernel that runs here.
     *
     * @param device its name
     * @param release the kernel's release, such as {@code 6.12}: what it offers depends on it
     * @param patience how many times longer than elsewhere a case may take
     */
    public static LinuxFabric of(String device, String release, int patience) {
        return new LinuxFabric(device, release, patience, false);
    }

    /** The same device, driven through the system's libibverbs. */
    public LinuxFabric byLibrary() {
        return new LinuxFabric(device, release, patience, true);
    }

    @Override
    public String name() {
        return (byLibrary ? "libibverbs-" : "linux-") + release;
    }

    @Override
    public String title() {
        return "Linux " + release + ", Soft-RoCE, to itself" + (byLibrary ? ", through libibverbs" : "");
    }

    @Override
    public FabricKind kind() {
        return byLibrary ? FabricKind.LIBIBVERBS : FabricKind.LINUX_RXE;
    }

    @Override
    public int patience() {
        return patience;
    }

    @Override
    public Map<Capability, String> lacks() {
        Map<Capability, String> lacks = new EnumMap<>(Capability.class);
        lacks.put(Capability.TWO_DEVICES, NO_PACKETS);
        lacks.put(Capability.FAULTS, NO_PACKETS);
        lacks.put(Capability.COMPLETION_TIMESTAMP, "the kernel's completions have no room for it");
        lacks.put(Capability.LAST_WORD_LAST, "the kernel copies a payload in whatever order it likes");
        lacks.put(Capability.DEVICE_FAILURE, "deleting the link waits until its last context is closed");
        lacks.put(
                Capability.SQD_RETRY, "rxe counts a work request that has to be sent again as one that has not begun");
        lacks.put(
                Capability.MULTICAST,
                "rxe hears a group only if its address has joined it too (IGMP), as rdma_cm does");
        if (isBefore(6, 2)) {
            lacks.put(Capability.ATOMIC_WRITE, "since kernel 6.2");
            lacks.put(Capability.FLUSH, "since kernel 6.2");
        }
        if (isBefore(6, 5)) {
            lacks.put(Capability.REREGISTER, "since kernel 6.5");
            lacks.put(Capability.LAST_REQUEST_EVENT, "rxe raises QP_LAST_WQE_REACHED since kernel 6.5");
        }
        // On 6.12 the case that opens memory for writing which was registered to be read failed too; why is not known
        // yet.
        lacks.put(Capability.REREGISTER_MEMORY, "rxe changes a region's domain and access, but not its memory");
        if (byLibrary) {
            lacks.put(Capability.ATOMIC_WRITE, "needs the library's extended way of posting, which is not used");
            lacks.put(Capability.FLUSH, "needs the library's extended way of posting, which is not used");
            lacks.put(
                    Capability.SQD_RESUMES,
                    "rxe goes on when it is told to send, which rdma-core's driver does only when it posts");
            lacks.put(Capability.REREGISTER, "rdma-core's driver of rxe does not have it");
        }
        return lacks;
    }

    private boolean isBefore(int major, int minor) {
        String[] numbers = release.split("\\.", -1);
        int mine = Integer.parseInt(numbers[0]);
        return mine < major || mine == major && Integer.parseInt(numbers[1]) < minor;
    }

    @Override
    public Session join() {
        Device listed = Device.named(device);
        Device found = byLibrary ? listed.withDriver("libibverbs") : listed;
        return new Session() {
            @Override
            public Device a() {
                return found;
            }

            @Override
            public Device b() {
                return found;
            }

            @Override
            public void close() {
                // The kernel destroys with its context what a program has left in it.
            }
        };
    }

    @Override
    public String toString() {
        return name();
    }
}
