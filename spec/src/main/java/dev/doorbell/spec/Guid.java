package dev.doorbell.spec;

/**
 * A 64-bit globally unique identifier (EUI-64) of a node or a port.
 *
 * <p>Follows ibv_get_device_guid(3).
 *
 * <p>Thread rules: immutable.
 *
 * @param value the identifier, most significant byte first
 */
public record Guid(long value) {
    /** The EUI-64 that a six-byte Ethernet address gives, as RoCE devices make theirs. */
    public static Guid ofMac(byte[] mac) {
        if (mac.length != 6) {
            throw new IllegalArgumentException("an Ethernet address has 6 bytes, not " + mac.length);
        }
        long high = (mac[0] ^ 2L) & 0xff;
        high = high << 16 | (mac[1] & 0xffL) << 8 | mac[2] & 0xffL;
        long low = (mac[3] & 0xffL) << 16 | (mac[4] & 0xffL) << 8 | mac[5] & 0xffL;
        return new Guid(high << 40 | 0xfffeL << 24 | low);
    }

    /** 16 hexadecimal digits, as ibv_devices prints them. */
    public String toHex() {
        return "%016x".formatted(value);
    }

    /** Four groups of four digits, as ibv_devinfo prints them. */
    @Override
    public String toString() {
        String hex = toHex();
        return hex.substring(0, 4) + ':' + hex.substring(4, 8) + ':' + hex.substring(8, 12) + ':' + hex.substring(12);
    }
}
