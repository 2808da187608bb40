package dev.doorbell.linux.netlink;

/** The kernel's number of a character device. */
public final class DeviceNumber {
    private DeviceNumber() {}

    /**
     * A device number as major:minor, for people and for comparing.
     *
     * @param number as the kernel encodes it for user space: {@code dev_t}, low 8 bits of the minor, 12 bits of the
     *     major, then the rest of both
     */
    public static String text(long number) {
        long major = number >>> 8 & 0xfff | number >>> 32 & ~0xfffL;
        long minor = number & 0xff | number >>> 12 & ~0xffL & 0xffff_ffffL;
        return major + ":" + minor;
    }
}
