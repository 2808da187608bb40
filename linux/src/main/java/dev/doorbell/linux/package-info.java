/**
 * The Linux kernel behind the kernel contract.
 *
 * <pre>
 *   LinuxKernel ──▶ LinuxDevice     what sysfs tells about a device, read without opening it
 *                     │ open
 *                     ▼
 *                   UverbsChannel   /dev/infiniband/uverbsN
 *                     ├── WriteCarrier     a command = one write()
 *                     ├── WriteDoorbell    a doorbell = one prepared write()
 *                     ├── RingMappings     mmap of what commands offer
 *                     └── DescriptorEvents the descriptors that commands return
 * </pre>
 *
 * <p>Read {@link dev.doorbell.linux.LinuxKernel} first, then {@code LinuxDevice} and {@code UverbsChannel}. Only
 * {@code dev.doorbell.linux.syscall} calls native functions.
 */
@NullMarked
package dev.doorbell.linux;

import org.jspecify.annotations.NullMarked;
