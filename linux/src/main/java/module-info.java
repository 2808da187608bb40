/** The kernel contract over the Linux kernel: discovery through sysfs, commands through /dev/infiniband. */
module dev.doorbell.linux {
    requires static org.jspecify;
    requires transitive dev.doorbell.kernel;

    exports dev.doorbell.linux;
    exports dev.doorbell.linux.syscall to
            dev.doorbell.soft,
            dev.doorbell.libibverbs;

    provides dev.doorbell.kernel.Kernel with
            dev.doorbell.linux.LinuxKernel;
}
