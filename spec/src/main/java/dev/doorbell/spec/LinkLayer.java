package dev.doorbell.spec;

/**
 * What carries the packets of a port.
 *
 * <p>Follows {@code link_layer} of ibv_query_port(3).
 *
 * <p>Thread rules: immutable.
 */
public enum LinkLayer {
    /** Not said; InfiniBand in old kernels. */
    UNSPECIFIED(0),
    /** InfiniBand. */
    INFINIBAND(1),
    /** Ethernet: RoCE or iWARP. */
    ETHERNET(2);

    private static final LinkLayer[] VALUES = values();

    private final int code;

    LinkLayer(int code) {
        this.code = code;
    }

    /** The number that kernel commands use. */
    public int code() {
        return code;
    }

    /** The name that ibv_devinfo prints, such as {@code Ethernet}. */
    public String label() {
        return switch (this) {
            case UNSPECIFIED -> "Unspecified";
            case INFINIBAND -> "InfiniBand";
            case ETHERNET -> "Ethernet";
        };
    }

    /**
     * The constant with this number.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static LinkLayer of(int code) {
        for (LinkLayer value : VALUES) {
            if (value.code == code) {
                return value;
            }
        }
        throw new IllegalArgumentException("LinkLayer has no number " + code);
    }
}
