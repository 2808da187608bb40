package dev.doorbell.linux.netlink;

/**
 * The character device through which a device is opened.
 *
 * @param name its name in the kernel, such as {@code uverbs0}
 * @param driverAbi the ABI version between the kernel driver and its user-mode driver
 * @param number major:minor
 * @param driverId the kernel driver, a number of {@link dev.doorbell.kernel.abi.DriverId}
 */
public record CharacterDevice(String name, int driverAbi, String number, int driverId) {}
