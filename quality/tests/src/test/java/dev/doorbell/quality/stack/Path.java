package dev.doorbell.quality.stack;

/** How two queue pairs reach each other. */
public enum Path {
    /** Within one device, by copying. */
    DIRECT,
    /** From one device to another, in packets over a link in memory. */
    LINK
}
