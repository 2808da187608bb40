package dev.doorbell.linux;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.linux.netlink.CharacterDevice;
import dev.doorbell.linux.netlink.Nldev;
import dev.doorbell.linux.netlink.RdmaDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Devices as the kernel lists them over netlink: with the number of their driver, which sysfs does not have, and with
 * the character device that is theirs.
 */
final class NetlinkDiscovery implements Discovery {
    static final String SOURCE = "netlink";

    private final Supplier<Nldev> kernel;
    private final Sysfs sysfs;

    /** @param kernel opens a connection, once for each list */
    NetlinkDiscovery(Supplier<Nldev> kernel, Sysfs sysfs) {
        this.kernel = kernel;
        this.sysfs = sysfs;
    }

    /** @throws KernelException if the kernel has no RDMA, or cannot be asked */
    @Override
    public Listing list() {
        try (Nldev nldev = kernel.get()) {
            List<DeviceIdentity> devices = new ArrayList<>();
            for (RdmaDevice device : nldev.devices()) {
                devices.add(identity(nldev, device));
            }
            return new Listing(devices, SOURCE);
        }
    }

    private DeviceIdentity identity(Nldev nldev, RdmaDevice device) {
        CharacterDevice file;
        try {
            file = nldev.characterDevice(device).orElse(null);
        } catch (KernelException e) {
            if (e.errno() != Errno.EINVAL) {
                throw e;
            }
            // Kernels before 5.1 do not know the question.
            DeviceIdentity known = new SysfsDiscovery(sysfs, "").identity(device.name());
            file = known.hasFile()
                    ? new CharacterDevice(known.file(), known.driverAbi(), known.number(), known.driverId())
                    : null;
        }
        return identity(device, file);
    }

    private DeviceIdentity identity(RdmaDevice device, @Nullable CharacterDevice file) {
        int driverId = file == null ? DriverId.UNKNOWN : file.driverId();
        return new DeviceIdentity(
                device.name(),
                file == null ? "" : file.name(),
                file == null ? "" : file.number(),
                device.nodeGuid(),
                device.ports(),
                driverId == DriverId.UNKNOWN ? SysfsDiscovery.driverId(sysfs, device.name()) : driverId,
                file == null ? 0 : file.driverAbi(),
                SysfsDiscovery.coreAbi(sysfs),
                device.protocol());
    }
}
