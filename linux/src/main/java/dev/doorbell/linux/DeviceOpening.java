package dev.doorbell.linux;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.syscall.Libc;
import dev.doorbell.linux.syscall.NativeAccess;
import java.nio.file.Path;

/** Opens a device's character device, and chooses how commands travel. */
final class DeviceOpening {
    private DeviceOpening() {}

    /** @throws KernelException with the errno and the remedy */
    static CommandChannel open(Path node, DeviceIdentity identity) {
        int fd = NativeAccess.first("opening " + node, () -> Libc.open(node.toString(), Libc.O_RDWR_CLOEXEC));
        if (fd < 0) {
            throw new KernelException(
                    -fd, "opening " + node + " of " + identity.name() + ": " + DeviceNode.explain(node, -fd));
        }
        return new UverbsChannel(
                node.toString(),
                fd,
                identity.driverId(),
                LinuxSettings.current().carrier());
    }
}
