package dev.doorbell.verbs;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.GidType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which GID of a port to use. Strict classes, best first, and within a class the lowest index: no guessing from subnets
 * or names.
 */
final class GidRanking {
    /** The classes, best first. */
    enum Rank {
        ROCE_V2_IPV4("RoCE v2 over IPv4"),
        ROCE_V2_IPV6("RoCE v2 over global IPv6"),
        INFINIBAND("InfiniBand"),
        ROCE_V1("RoCE v1, which routers do not forward"),
        LINK_LOCAL("link-local, which reaches one link only"),
        NO_NET_DEVICE("its net device is not in this network namespace"),
        NO_ADDRESS("no unicast address");

        private final String text;

        Rank(String text) {
            this.text = text;
        }

        boolean isUsable() {
            return compareTo(LINK_LOCAL) <= 0;
        }

        String text() {
            return text;
        }
    }

    private GidRanking() {}

    static Rank rank(GidEntry entry) {
        Gid gid = entry.gid();
        if (gid.isZero() || gid.isMulticast()) {
            return Rank.NO_ADDRESS;
        }
        if (entry.type() == GidType.INFINIBAND) {
            return Rank.INFINIBAND;
        }
        if (entry.netDevice().isEmpty()) {
            return Rank.NO_NET_DEVICE;
        }
        if (gid.isLinkLocal()) {
            return Rank.LINK_LOCAL;
        }
        if (entry.type() == GidType.ROCE_V1) {
            return Rank.ROCE_V1;
        }
        return gid.isIpv4Mapped() ? Rank.ROCE_V2_IPV4 : Rank.ROCE_V2_IPV6;
    }

    /** The best usable entry; empty if there is none. */
    static Optional<GidChoice> choose(List<GidEntry> entries) {
        GidEntry best = null;
        for (GidEntry entry : entries) {
            if (rank(entry).isUsable() && (best == null || rank(entry).compareTo(rank(best)) < 0)) {
                best = entry;
            }
        }
        return best == null ? Optional.empty() : Optional.of(new GidChoice(best, reason(best, entries)));
    }

    private static String reason(GidEntry best, List<GidEntry> entries) {
        StringBuilder text =
                new StringBuilder(describe(best)).append(": ").append(rank(best).text());
        if (!best.netDevice().isEmpty()) {
            text.append(" on ").append(best.netDevice());
        }
        String others = passedOver(entries, best);
        return others.isEmpty()
                ? text.toString()
                : text.append("; passed over ").append(others).toString();
    }

    /** Every entry but one with its class, for messages. */
    static String passedOver(List<GidEntry> entries, GidEntry... chosen) {
        List<String> others = new ArrayList<>();
        for (GidEntry entry : entries) {
            if (chosen.length == 0 || !entry.equals(chosen[0])) {
                others.add(describe(entry) + " (" + rank(entry).text() + ")");
            }
        }
        return String.join(", ", others);
    }

    private static String describe(GidEntry entry) {
        return "index " + entry.index() + " " + entry.gid();
    }
}
