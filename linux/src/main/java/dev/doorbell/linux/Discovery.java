package dev.doorbell.linux;

import java.util.List;

/** Where the list of devices comes from. */
interface Discovery {
    /** The devices that there are now, and what told so. */
    Listing list();

    /**
     * A list of devices.
     *
     * @param devices in no order
     * @param source netlink or sysfs, and why not netlink, for people
     */
    record Listing(List<DeviceIdentity> devices, String source) {}
}
