package dev.doorbell.kernel;

import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.Guid;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A device as a kernel lists it: identity and tables that can be read without opening it. */
public interface KernelDevice {
    /** The kernel's name for it, such as {@code rxe0}, {@code mlx5_0} or {@code soft0}. */
    String name();

    /** The node's GUID. */
    Guid nodeGuid();

    /** Number of physical ports; ports are numbered from 1. */
    int ports();

    /** Which driver the kernel runs for it: a number of {@link dev.doorbell.kernel.abi.DriverId}; 0 where unknown. */
    int driverId();

    /** The ABI version between the kernel driver and its user-mode driver. */
    int driverAbi();

    /** The ABI version of the uverbs commands. */
    int coreAbi();

    /** The device's modalias, or an empty string; user-mode drivers for PCI devices match on it. */
    String modalias();

    /** What is opened to use it, such as {@code /dev/infiniband/uverbs0}. */
    String node();

    /** Why it cannot be opened by this process, with the remedy; empty if nothing is known to stand in the way. */
    Optional<String> obstacle();

    /** The used slots of a port's GID table, in order of their index. */
    List<GidEntry> gids(int port);

    /** The P_Key in a slot of a port's table, 0 for an empty slot. */
    int pkey(int port, int index);

    /**
     * What the device has counted on a port since it was made, by the names that the kernel uses; empty if it counts
     * nothing. For people and for monitoring: which counters there are differs between drivers and kernels.
     */
    default Map<String, Long> counters(int port) {
        return Map.of();
    }

    /**
     * What is special about this device, as names and values for people, such as {@code link} → {@code local only}.
     * Nothing in the product branches on it.
     */
    Map<String, String> properties();

    /**
     * Opens the device: the character device of a real kernel, a context of the embedded one. No command has been sent
     * yet on the channel that comes back.
     *
     * @throws KernelException with the errno and the remedy
     */
    CommandChannel open();
}
