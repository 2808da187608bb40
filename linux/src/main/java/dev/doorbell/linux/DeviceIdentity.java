package dev.doorbell.linux;

import dev.doorbell.spec.Guid;

/**
 * What identifies a device, as netlink or sysfs says it.
 *
 * @param name the device's name, such as {@code rxe0}
 * @param file its character device's name, such as {@code uverbs0}; empty if it has none
 * @param number what that character device's number is, as major:minor; empty if that is not known
 * @param nodeGuid the node's GUID
 * @param ports how many ports it has
 * @param driverId a number of {@link dev.doorbell.kernel.abi.DriverId}; 0 if nothing gives it away
 * @param driverAbi the ABI version between the kernel driver and its user-mode driver
 * @param coreAbi the ABI version of the commands
 * @param protocol such as {@code roce}; empty if that is not known
 */
record DeviceIdentity(
        String name,
        String file,
        String number,
        Guid nodeGuid,
        int ports,
        int driverId,
        int driverAbi,
        int coreAbi,
        String protocol) {
    private static final String PREFIX = "uverbs";

    boolean hasFile() {
        return !file.isEmpty();
    }

    /** The N of uverbsN, which is the order in which the kernel met its devices; one without comes last. */
    int rank() {
        int number = fileNumber(file);
        return number < 0 ? Integer.MAX_VALUE : number;
    }

    /** The N of uverbsN; -1 for other names. */
    static int fileNumber(String file) {
        try {
            return file.startsWith(PREFIX) ? Integer.parseInt(file.substring(PREFIX.length())) : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
