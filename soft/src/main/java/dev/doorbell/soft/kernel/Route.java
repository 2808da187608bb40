package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.Gid;
import java.util.Optional;

/**
 * A way from one of a device's addresses to another address, as a program asks for it.
 *
 * @param port the port that it leaves by
 * @param isGlobal whether addresses are given at all
 * @param sourceIndex slot of the GID table
 * @param destination the other address
 */
record Route(int port, boolean isGlobal, int sourceIndex, Gid destination) {
    /** 0 if it leaves by a used slot of the GID table and stays within its address family; the errno otherwise. */
    int check(SoftDevice device) {
        if (port != SoftDevice.PORT || !isGlobal) {
            return Errno.EINVAL;
        }
        Optional<Gid> source = device.gid(sourceIndex);
        if (source.isEmpty()) {
            return sourceIndex < DeviceCommands.GID_TABLE_LENGTH ? Errno.ENODATA : Errno.EINVAL;
        }
        boolean sameFamily = source.get().isIpv4Mapped() == destination.isIpv4Mapped();
        return sameFamily && !destination.isZero() ? 0 : Errno.EINVAL;
    }
}
