package dev.doorbell.soft.link;

/**
 * The fields of an IP header that an address sets, in a number: traffic class (type of service), flow label and hop limit
 * (time to live). They are outside the ICRC.
 *
 * <pre>
 *   63 … 36 zero │ 35 … 16 flow label │ 15 … 8 traffic class │ 7 … 0 hop limit, 0 for the usual one
 * </pre>
 */
public final class IpFields {
    /** What is sent unless something else is asked for, and what is taken for sent where nobody knows. */
    public static final long USUAL = 0;

    /** The usual hop limit. */
    public static final int HOPS = 64;

    private static final int CLASS_SHIFT = 8;
    private static final int LABEL_SHIFT = 16;
    private static final int BYTE = 0xff;
    private static final int LABEL = 0xf_ffff;

    private IpFields() {}

    /** The fields as they are, of a packet that came. */
    public static long of(int trafficClass, int flowLabel, int hopLimit) {
        int hops = hopLimit == HOPS ? 0 : hopLimit & BYTE;
        return (long) (flowLabel & LABEL) << LABEL_SHIFT | (trafficClass & BYTE) << CLASS_SHIFT | hops;
    }

    /**
     * The fields that an address asks for. Hop limits 0 and 1 to a single port stand for the usual one: they are InfiniBand's
     * for "not beyond the subnet", which programs write without a thought, and Linux takes the route's for all of them.
     */
    public static long toSend(int trafficClass, int flowLabel, int hopLimit, boolean multicast) {
        return of(trafficClass, flowLabel, hopLimit == 1 && !multicast ? 0 : hopLimit);
    }

    /** Traffic class, or type of service. */
    public static int trafficClass(long fields) {
        return (int) (fields >>> CLASS_SHIFT) & BYTE;
    }

    /** Flow label; IPv4 has none. */
    public static int flowLabel(long fields) {
        return (int) (fields >>> LABEL_SHIFT) & LABEL;
    }

    /** Hop limit, or time to live; 0 for the usual one, which sockets have by themselves. */
    static int hops(long fields) {
        return (int) fields & BYTE;
    }

    /** Hop limit, or time to live. */
    public static int hopLimit(long fields) {
        int hops = hops(fields);
        return hops == 0 ? HOPS : hops;
    }
}
