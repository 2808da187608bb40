package dev.doorbell.spec;

/**
 * Path MTUs: bytes of payload that one packet carries at most.
 *
 * <p>Follows {@code enum ibv_mtu} (ibv_query_port(3), ibv_modify_qp(3)).
 *
 * <p>Thread rules: immutable.
 */
public enum Mtu {
    MTU_256,
    MTU_512,
    MTU_1024,
    MTU_2048,
    MTU_4096;

    private static final Mtu[] VALUES = values();

    /** The code on the wire and in kernel commands, 1 to 5. */
    public int code() {
        return ordinal() + 1;
    }

    /** Bytes of payload. */
    public int bytes() {
        return 256 << ordinal();
    }

    /** The smaller of two. */
    public Mtu min(Mtu other) {
        return ordinal() <= other.ordinal() ? this : other;
    }

    /**
     * The MTU with this code.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Mtu of(int code) {
        if (code < 1 || code > VALUES.length) {
            throw new IllegalArgumentException("no MTU has the code " + code + "; 1 to 5 are 256 to 4096 bytes");
        }
        return VALUES[code - 1];
    }

    /**
     * The MTU of exactly this many bytes.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Mtu ofBytes(int bytes) {
        for (Mtu mtu : VALUES) {
            if (mtu.bytes() == bytes) {
                return mtu;
            }
        }
        throw new IllegalArgumentException("no MTU has " + bytes + " bytes; allowed are 256, 512, 1024, 2048, 4096");
    }

    @Override
    public String toString() {
        return Integer.toString(bytes());
    }
}
