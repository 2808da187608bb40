package dev.doorbell.spec;

import java.util.StringJoiner;

/** An IPv6 address as inet_ntop(3) and RFC 5952 write it: the longest run of zeros is ::. */
final class Ipv6Text {
    private static final int GROUPS = 8;

    private Ipv6Text() {}

    static String of(Gid gid) {
        int[] groups = groups(gid);
        int start = 0;
        int length = 0;
        for (int at = 0; at < GROUPS; at++) {
            int zeros = zeros(groups, at);
            if (zeros > length) {
                start = at;
                length = zeros;
            }
        }
        return length < 2
                ? join(groups, 0, GROUPS)
                : join(groups, 0, start) + "::" + join(groups, start + length, GROUPS);
    }

    private static int[] groups(Gid gid) {
        int[] groups = new int[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            long half = i < GROUPS / 2 ? gid.high() : gid.low();
            groups[i] = (int) (half >>> 48 - 16 * (i % 4)) & 0xffff;
        }
        return groups;
    }

    private static int zeros(int[] groups, int from) {
        int at = from;
        while (at < GROUPS && groups[at] == 0) {
            at++;
        }
        return at - from;
    }

    private static String join(int[] groups, int from, int to) {
        StringJoiner text = new StringJoiner(":");
        for (int i = from; i < to; i++) {
            text.add(Integer.toHexString(groups[i]));
        }
        return text.toString();
    }
}
