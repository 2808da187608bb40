package dev.doorbell.spec;

/**
 * Static rates of an address vector (IBV_RATE_*): how fast packets may leave. Codes and rates have no common order.
 *
 * <p>Follows ibv_rate_to_mbps(3).
 *
 * <p>Thread rules: immutable.
 */
public enum Rate {
    /** No limit but the port's. */
    MAX(0, 0),
    GBPS_2_5(2, 2_500),
    GBPS_5(5, 5_000),
    GBPS_10(3, 10_000),
    GBPS_20(6, 20_000),
    GBPS_30(4, 30_000),
    GBPS_40(7, 40_000),
    GBPS_60(8, 60_000),
    GBPS_80(9, 80_000),
    GBPS_120(10, 120_000),
    GBPS_14(11, 14_062),
    GBPS_56(12, 56_250),
    GBPS_112(13, 112_500),
    GBPS_168(14, 168_750),
    GBPS_25(15, 25_781),
    GBPS_100(16, 103_125),
    GBPS_200(17, 206_250),
    GBPS_300(18, 309_375),
    GBPS_28(19, 28_125),
    GBPS_50(20, 53_125),
    GBPS_400(21, 425_000),
    GBPS_600(22, 637_500),
    GBPS_800(23, 850_000),
    GBPS_1200(24, 1_275_000),
    /** A number without a name here; whoever holds the number shows it. */
    UNKNOWN(-1, 0);

    private static final int UNIT_MBPS = 2_500;

    private final int code;
    private final int mbps;

    Rate(int code, int mbps) {
        this.code = code;
        this.mbps = mbps;
    }

    /** The number in kernel commands; -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** Megabits per second on the line; 0 for {@link #MAX} and {@link #UNKNOWN}. */
    public int mbps() {
        return mbps;
    }

    /** The rate as a multiple of 2.5 Gbit/s, rounded; -1 where the verbs define none. */
    public int multiple() {
        return switch (this) {
            case MAX, UNKNOWN, GBPS_14, GBPS_25, GBPS_56, GBPS_100, GBPS_112, GBPS_168, GBPS_200, GBPS_300 -> -1;
            case GBPS_28 -> 11;
            case GBPS_50 -> 20;
            case GBPS_400 -> 160;
            case GBPS_600 -> 240;
            case GBPS_800 -> 320;
            case GBPS_1200 -> 480;
            case GBPS_2_5, GBPS_5, GBPS_10, GBPS_20, GBPS_30, GBPS_40, GBPS_60, GBPS_80, GBPS_120 -> mbps / UNIT_MBPS;
        };
    }

    /** The constant with this number; {@link #UNKNOWN} for a number that has none. */
    public static Rate of(int code) {
        for (Rate rate : values()) {
            if (rate.code == code && rate != UNKNOWN) {
                return rate;
            }
        }
        return UNKNOWN;
    }

    /** The rate of exactly this many megabits per second on the line; {@link #MAX} if there is none. */
    public static Rate ofMbps(int mbps) {
        for (Rate rate : values()) {
            if (rate.mbps == mbps && mbps != 0) {
                return rate;
            }
        }
        return MAX;
    }
}
