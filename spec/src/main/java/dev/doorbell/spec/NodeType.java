package dev.doorbell.spec;

import java.util.Arrays;

/**
 * Kinds of nodes (IBV_NODE_*).
 *
 * <p>Follows {@code enum ibv_node_type}.
 *
 * <p>Thread rules: immutable.
 */
public enum NodeType {
    /** A channel adapter, also on Ethernet. */
    CA(1, "InfiniBand channel adapter"),
    /** A switch. */
    SWITCH(2, "InfiniBand switch"),
    /** A router. */
    ROUTER(3, "InfiniBand router"),
    /** An iWARP card. */
    RNIC(4, "iWARP NIC"),
    /** A usNIC card. */
    USNIC(5, "usNIC"),
    /** A usNIC card over UDP. */
    USNIC_UDP(6, "usNIC UDP"),
    /** Any other. */
    UNSPECIFIED(7, "unspecified"),
    /** A number without a name here; whoever holds the number shows it. */
    UNKNOWN(-1, "unknown");

    private static final NodeType[] BY_CODE = new NodeType[8];

    static {
        Arrays.fill(BY_CODE, UNKNOWN);
        for (NodeType value : values()) {
            if (value != UNKNOWN) {
                BY_CODE[value.code] = value;
            }
        }
    }

    private final int code;
    private final String label;

    NodeType(int code, String label) {
        this.code = code;
        this.label = label;
    }

    /** The number that the kernel uses. -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** The name for people. */
    public String label() {
        return label;
    }

    /** The constant with this number; {@link #UNKNOWN} for a number that has none. */
    public static NodeType of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : UNKNOWN;
    }
}
