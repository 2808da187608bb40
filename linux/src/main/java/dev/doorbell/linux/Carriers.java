package dev.doorbell.linux;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.LinuxSettings.CarrierChoice;
import dev.doorbell.linux.syscall.SystemFile;

/** Chooses how the commands of one open device travel: by ioctl() where the kernel offers it, otherwise by write(). */
final class Carriers {
    private Carriers() {}

    /**
     * Asks the kernel once.
     *
     * @param choice what the user forces
     * @throws KernelException EOPNOTSUPP if ioctl() is forced and not offered
     */
    static CommandCarrier choose(SystemFile file, BufferPool buffers, int driverId, CarrierChoice choice) {
        CommandCarrier write = new WriteCarrier(file::write, buffers);
        if (choice == CarrierChoice.WRITE) {
            return write;
        }
        if (IoctlCarrier.isOffered(file::ioctl, buffers, driverId)) {
            return new IoctlCarrier(file::ioctl, buffers, driverId, write);
        }
        if (choice == CarrierChoice.IOCTL) {
            throw new KernelException(
                    Errno.EOPNOTSUPP,
                    "this kernel takes no commands by ioctl; unset " + LinuxSettings.CARRIER_VARIABLE + " and "
                            + LinuxSettings.CARRIER_PROPERTY);
        }
        return write;
    }
}
