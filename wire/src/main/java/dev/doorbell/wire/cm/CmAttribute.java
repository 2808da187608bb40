package dev.doorbell.wire.cm;

import org.jspecify.annotations.Nullable;

/** The messages of the connection manager, with the numbers that stand in the header's attribute id. */
public enum CmAttribute {
    REQ,
    MRA,
    REJ,
    REP,
    RTU,
    DREQ,
    DREP,
    SIDR_REQ,
    SIDR_REP,
    LAP,
    APR;

    private static final int FIRST = 0x10;
    private static final CmAttribute[] VALUES = values();

    /** The attribute id. */
    public int id() {
        return FIRST + ordinal();
    }

    /** The message with this attribute id; null if there is none. */
    public static @Nullable CmAttribute of(int id) {
        int index = id - FIRST;
        return index >= 0 && index < VALUES.length ? VALUES[index] : null;
    }
}
