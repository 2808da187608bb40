/**
 * The Linux kernel behind the kernel contract.
 *
 * <pre>
 *   LinuxKernel ──▶ Discovery       which devices there are: NetlinkDiscovery, or SysfsDiscovery
 *     │             RdmaLinks       makes and removes software devices
 *     ▼
 *   LinuxDevice                     what was listed, and the tables of sysfs, read without opening it
 *     │ open
 *     ▼
 *   UverbsChannel   /dev/infiniband/uverbsN
 *     ├── IoctlCarrier     a command = one ioctl(): NativeMethods, or the method INVOKE_WRITE
 *     ├── WriteCarrier     a command = one write()
 *     ├── WriteDoorbell    a doorbell = one prepared write()
 *     ├── RingMappings     mmap of what commands offer
 *     └── DescriptorEvents the descriptors that commands return
 * </pre>
 *
 * <p>Read {@link dev.doorbell.linux.LinuxKernel} first, then {@code LinuxDevice} and {@code UverbsChannel}. Only
 * {@code dev.doorbell.linux.syscall} calls native functions. What a user may force stands in {@code LinuxSettings}.
 */
@NullMarked
package dev.doorbell.linux;

import org.jspecify.annotations.NullMarked;
