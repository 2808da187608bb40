package dev.doorbell.soft.fault;

import java.util.Locale;

/** Which way a packet goes, as the device sees it. */
public enum Direction {
    /** From the device to the network. */
    SENT,
    /** From the network to the device. */
    RECEIVED;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
