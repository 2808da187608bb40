package dev.doorbell.spec;

/**
 * How packets of a GID look on the wire; the codes are those of the verbs' GID table entries.
 *
 * <p>Follows {@code enum ibv_gid_type} (ibv_query_gid_ex(3)).
 *
 * <p>Thread rules: immutable.
 */
public enum GidType {
    /** InfiniBand, with a global route header. */
    INFINIBAND("IB"),
    /** RoCE version 1: Ethernet with a global route header. */
    ROCE_V1("RoCE v1"),
    /** RoCE version 2: UDP port 4791. */
    ROCE_V2("RoCE v2");

    private final String label;

    GidType(String label) {
        this.label = label;
    }

    /** The number that kernel commands use. */
    public int code() {
        return ordinal();
    }

    @Override
    public String toString() {
        return label;
    }
}
