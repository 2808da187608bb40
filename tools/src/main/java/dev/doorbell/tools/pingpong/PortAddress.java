package dev.doorbell.tools.pingpong;

import dev.doorbell.spec.Gid;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One queue pair's address, as the programs of ibverbs-utils tell it to each other.
 *
 * <pre>
 *   0    4 5      11 12     18 19                               51
 *   LLLL : QQQQQQ  : PPPPPP  : GGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGG  NUL      52 bytes, hexadecimal digits
 * </pre>
 *
 * @param lid LID of the port; 0 on Ethernet
 * @param queuePairNumber number of the queue pair, 24 bits
 * @param psn packet sequence number that it sends first, 24 bits
 * @param gid GID of the port; zero where the peer named none
 */
record PortAddress(int lid, int queuePairNumber, int psn, Gid gid) {
    /** Length of the message, with the NUL that ends it. */
    static final int BYTES = 52;

    /** Stands where there is no queue pair. */
    static final PortAddress NONE = new PortAddress(0, 0, 0, Gid.ZERO);

    private static final Pattern FORM =
            Pattern.compile("([0-9a-fA-F]{4}):([0-9a-fA-F]{6}):([0-9a-fA-F]{6}):([0-9a-fA-F]{32})\0");

    /** Whether it is a queue pair's: none that a program has is number 0. */
    boolean isThere() {
        return queuePairNumber != 0;
    }

    /** The message: lower case, as the C programs write it. */
    byte[] toMessage() {
        return String.format(Locale.ROOT, "%04x:%06x:%06x:%s\0", lid, queuePairNumber, psn, gid.toHex())
                .getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Reads the message: digits of either case, as the C programs read it.
     *
     * @throws PingpongException if it is anything else
     */
    static PortAddress fromMessage(byte[] message) {
        String text = new String(message, StandardCharsets.ISO_8859_1);
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new PingpongException("the peer sent " + quoted(text)
                    + " where LID:QPN:PSN:GID in hexadecimal digits and a NUL were expected;"
                    + " does it run the same program?");
        }
        return new PortAddress(
                Integer.parseInt(matcher.group(1), 16),
                Integer.parseInt(matcher.group(2), 16),
                Integer.parseInt(matcher.group(3), 16),
                Gid.parseHex(matcher.group(4)));
    }

    /** What a stranger sent, safe for a terminal. */
    static String quoted(String text) {
        StringBuilder safe = new StringBuilder("'");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 0x7f) {
                safe.append(c);
            } else {
                safe.append(String.format(Locale.ROOT, "\\x%02x", (int) c));
            }
        }
        return safe.append('\'').toString();
    }

    /** As the programs print it, with what they put before the GID. */
    String toText(String separator) {
        return String.format(
                Locale.ROOT, "LID 0x%04x, QPN 0x%06x, PSN 0x%06x%s GID %s", lid, queuePairNumber, psn, separator, gid);
    }
}
