package dev.doorbell.linux;

import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.netlink.Nldev;
import dev.doorbell.linux.syscall.NativeAccess;
import java.nio.file.Files;

/**
 * Netlink where it can be had, otherwise sysfs, which says why.
 *
 * <p>Netlink needs system calls, and with them native access; a program without it can list devices all the same.
 * A netlink socket would also load the kernel's RDMA core; where that is not loaded there is nothing to list, so the
 * socket is not opened.
 */
final class PreferredDiscovery implements Discovery {
    private final Sysfs sysfs;
    private final LinuxSettings.DiscoveryChoice choice;

    PreferredDiscovery(Sysfs sysfs, LinuxSettings.DiscoveryChoice choice) {
        this.sysfs = sysfs;
        this.choice = choice;
    }

    @Override
    public Listing list() {
        return switch (choice) {
            case SYSFS -> sysfs("sysfs (asked for)");
            case NETLINK -> netlink();
            case AUTOMATIC -> automatic();
        };
    }

    private Listing automatic() {
        if (isEmpty()) {
            return sysfs("sysfs");
        }
        if (!NativeAccess.isGranted()) {
            return sysfs("sysfs (no netlink: this JVM was started without native access)");
        }
        try {
            return netlink();
        } catch (KernelException e) {
            return sysfs("sysfs (" + e.getMessage() + ")");
        }
    }

    /** Whether sysfs is there and shows no device. */
    private boolean isEmpty() {
        return Files.isDirectory(sysfs.root().resolve("class"))
                && sysfs.names(SysfsDiscovery.DEVICE_CLASS).isEmpty()
                && sysfs.names(SysfsDiscovery.VERBS_CLASS).stream()
                        .noneMatch(name -> DeviceIdentity.fileNumber(name) >= 0);
    }

    private Listing netlink() {
        return new NetlinkDiscovery(Nldev::open, sysfs).list();
    }

    private Listing sysfs(String source) {
        return new SysfsDiscovery(sysfs, source).list();
    }
}
