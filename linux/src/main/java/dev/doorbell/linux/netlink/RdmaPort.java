package dev.doorbell.linux.netlink;

/**
 * A port as the kernel lists it.
 *
 * @param number from 1
 * @param state code of the port's state
 * @param physicalState code of its link's state
 * @param netDevice its network interface; empty if it has none, or none in this network namespace
 */
public record RdmaPort(int number, int state, int physicalState, String netDevice) {}
