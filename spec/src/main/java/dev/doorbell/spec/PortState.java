package dev.doorbell.spec;

/**
 * Logical states of a port.
 *
 * <p>Follows {@code enum ibv_port_state} (ibv_query_port(3)).
 *
 * <p>Thread rules: immutable.
 */
public enum PortState {
    /** No state. */
    NOP(0),
    /** No link. */
    DOWN(1),
    /** Link is up, addresses are not set. */
    INIT(2),
    /** Addresses are set, data does not flow yet. */
    ARMED(3),
    /** Data flows. */
    ACTIVE(4),
    /** Link broke a moment ago and may come back. */
    ACTIVE_DEFER(5);

    private static final PortState[] VALUES = values();

    private final int code;

    PortState(int code) {
        this.code = code;
    }

    /** The number that kernel commands use ({@code enum ib_port_state}). */
    public int code() {
        return code;
    }

    /** The name that ibv_devinfo prints, such as {@code PORT_ACTIVE}. */
    public String label() {
        return "PORT_" + name();
    }

    /**
     * The constant with this number.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static PortState of(int code) {
        for (PortState value : VALUES) {
            if (value.code == code) {
                return value;
            }
        }
        throw new IllegalArgumentException("PortState has no number " + code);
    }
}
