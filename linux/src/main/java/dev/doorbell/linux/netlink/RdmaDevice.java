package dev.doorbell.linux.netlink;

import dev.doorbell.spec.Guid;

/**
 * A device as the kernel lists it.
 *
 * @param index the kernel's number for it, by which other questions name it
 * @param name such as {@code rxe0}
 * @param ports how many ports it has
 * @param nodeGuid the node's GUID
 * @param nodeType what kind of node: 1 for a channel adapter
 * @param protocol such as {@code roce}, {@code ib} or {@code iw}; empty if the kernel does not say
 */
public record RdmaDevice(int index, String name, int ports, Guid nodeGuid, int nodeType, String protocol) {}
