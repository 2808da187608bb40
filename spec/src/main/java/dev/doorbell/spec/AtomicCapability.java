package dev.doorbell.spec;

import java.util.Arrays;

/**
 * Reach of atomic operations.
 *
 * <p>Follows {@code enum ibv_atomic_cap} (ibv_query_device(3)).
 *
 * <p>Thread rules: immutable.
 */
public enum AtomicCapability {
    /** There are none. */
    NONE(0, "ATOMIC_NONE"),
    /** Atomic among operations through this device. */
    HCA(1, "ATOMIC_HCA"),
    /** Atomic also against the processors and other devices. */
    GLOB(2, "ATOMIC_GLOB"),
    /** A number without a name here; whoever holds the number shows it. */
    UNKNOWN(-1, "unknown");

    private static final AtomicCapability[] BY_CODE = new AtomicCapability[3];

    static {
        Arrays.fill(BY_CODE, UNKNOWN);
        for (AtomicCapability value : values()) {
            if (value != UNKNOWN) {
                BY_CODE[value.code] = value;
            }
        }
    }

    private final int code;
    private final String label;

    AtomicCapability(int code, String label) {
        this.code = code;
        this.label = label;
    }

    /** The number that kernel commands use. -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** The name for people. */
    public String label() {
        return label;
    }

    /** The constant with this number; {@link #UNKNOWN} for a number that has none. */
    public static AtomicCapability of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : UNKNOWN;
    }
}
