package dev.doorbell.linux;

import dev.doorbell.kernel.Errno;
import dev.doorbell.linux.netlink.DeviceNumber;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The character device that stands for a device in /dev, and what can be wrong with it. */
final class DeviceNode {
    private DeviceNode() {}

    /**
     * Why the node cannot be opened, with the remedy; empty if nothing is known to stand in the way.
     *
     * @param number what sysfs says that the node's device number is, as major:minor; empty if it does not say
     */
    static Optional<String> obstacle(Path node, String number) {
        if (!Files.exists(node)) {
            return Optional.of(explain(node, Errno.ENOENT));
        }
        if (!Files.isReadable(node) || !Files.isWritable(node)) {
            return Optional.of(explain(node, Errno.EACCES));
        }
        String found = number(node);
        if (!number.isEmpty() && !found.isEmpty() && !found.equals(number)) {
            return Optional.of(
                    "%s stands for device %s, not for %s: it is left over from another device; let udev make it"
                                    .formatted(node, found, number)
                            + " again, or mknod it");
        }
        return Optional.empty();
    }

    /** What an errno of open() means for a device node, and what to do about it. */
    static String explain(Path node, int errno) {
        return explain(node, "ib_uverbs", errno);
    }

    /** The same for a node that another module makes. */
    static String explain(Path node, String module, int errno) {
        return switch (errno) {
            case Errno.ENOENT ->
                node + " does not exist: load the module " + module + " (modprobe " + module + "); in a container, hand"
                        + " the device in (--device " + node + ")";
            case Errno.EACCES, Errno.EPERM ->
                node + " may not be read and written by this user (" + owner(node) + "): join its group, or have a udev"
                        + " rule give it mode 0666; in a container, hand the device in (--device " + node + ")";
            case Errno.ENODEV -> "the device behind " + node + " is gone";
            case Errno.EMFILE -> "too many open files in this process (ulimit -n)";
            case Errno.EIO -> "the device is being removed";
            default -> "refused";
        };
    }

    private static String owner(Path node) {
        try {
            var attributes = Files.readAttributes(node, "unix:owner,group,permissions");
            return "owner %s, group %s".formatted(attributes.get("owner"), attributes.get("group"));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return "owner unknown";
        }
    }

    /** The node's device number as major:minor; empty if it is not a device. */
    private static String number(Path node) {
        try {
            if (Files.isRegularFile(node)) {
                return "";
            }
            long device = ((Number) Files.getAttribute(node, "unix:rdev")).longValue();
            return DeviceNumber.text(device);
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return "";
        }
    }
}
