package dev.doorbell.wire.cm;

/** The transport service that a request asks for, with the code of two bits that stands in it. */
public enum CmTransport {
    RC,
    UC,
    RD,
    /** Another one, which the extended transport field names. */
    EXTENDED;

    private static final CmTransport[] VALUES = values();

    /** The code. */
    public int code() {
        return ordinal();
    }

    /** The service with this code, of which the low two bits count. */
    public static CmTransport of(int code) {
        return VALUES[code & 3];
    }
}
