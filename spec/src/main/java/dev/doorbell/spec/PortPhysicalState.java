package dev.doorbell.spec;

import java.util.Arrays;

/**
 * Physical states of a port.
 *
 * <p>Follows {@code phys_state} of ibv_query_port(3).
 *
 * <p>Thread rules: immutable.
 */
public enum PortPhysicalState {
    /** Asleep. */
    SLEEP(1, "SLEEP"),
    /** Looks for a link. */
    POLLING(2, "POLLING"),
    /** Switched off. */
    DISABLED(3, "DISABLED"),
    /** Agrees on width and speed. */
    PORT_CONFIGURATION_TRAINING(4, "PORT_CONFIGURATION TRAINING"),
    /** The link is up. */
    LINK_UP(5, "LINK_UP"),
    /** Mends the link. */
    LINK_ERROR_RECOVERY(6, "LINK_ERROR_RECOVERY"),
    /** Tests the transceiver. */
    PHY_TEST(7, "PHY TEST"),
    /** A number without a name here; whoever holds the number shows it. */
    UNKNOWN(-1, "unknown");

    private static final PortPhysicalState[] BY_CODE = new PortPhysicalState[8];

    static {
        Arrays.fill(BY_CODE, UNKNOWN);
        for (PortPhysicalState value : values()) {
            if (value != UNKNOWN) {
                BY_CODE[value.code] = value;
            }
        }
    }

    private final int code;
    private final String label;

    PortPhysicalState(int code, String label) {
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
    public static PortPhysicalState of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : UNKNOWN;
    }
}
