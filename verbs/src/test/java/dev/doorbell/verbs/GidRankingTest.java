package dev.doorbell.verbs;

import static dev.doorbell.verbs.fake.FakeDevice.gid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.GidType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GidRankingTest {
    private static final GidEntry V2_IPV4 = gid(9, "192.0.2.7", GidType.ROCE_V2, "eth0");
    private static final GidEntry V2_IPV6 = gid(8, "2001:db8::7", GidType.ROCE_V2, "eth0");
    private static final GidEntry INFINIBAND = new GidEntry(1, 7, Gid.linkLocal(5), GidType.INFINIBAND, "");
    private static final GidEntry V1 = gid(6, "192.0.2.7", GidType.ROCE_V1, "eth0");
    private static final GidEntry LINK_LOCAL = gid(5, "fe80::7", GidType.ROCE_V2, "eth0");
    private static final GidEntry ELSEWHERE = gid(4, "192.0.2.8", GidType.ROCE_V2, "");
    private static final GidEntry EMPTY = new GidEntry(1, 3, Gid.ZERO, GidType.ROCE_V2, "eth0");
    private static final GidEntry MULTICAST = gid(2, "224.0.0.1", GidType.ROCE_V2, "eth0");

    @Test
    void theClassesAreTriedStrictlyInTheirOrder() {
        List<GidEntry> table =
                new ArrayList<>(List.of(MULTICAST, EMPTY, ELSEWHERE, LINK_LOCAL, V1, INFINIBAND, V2_IPV6, V2_IPV4));
        for (GidEntry best : List.of(V2_IPV4, V2_IPV6, INFINIBAND, V1, LINK_LOCAL)) {
            assertThat(GidRanking.choose(table))
                    .get()
                    .extracting(GidChoice::entry)
                    .isEqualTo(best);
            table.remove(best);
        }
        assertThat(GidRanking.choose(table)).isEmpty();
    }

    @Test
    void withinAClassTheLowestIndexWins() {
        GidEntry second = gid(11, "192.0.2.9", GidType.ROCE_V2, "eth1");

        assertThat(GidRanking.choose(List.of(V2_IPV4, second)).orElseThrow().entry())
                .isEqualTo(V2_IPV4);
    }

    @Test
    void theOnlyEntryNeedsNoComparison() {
        assertThat(GidRanking.choose(List.of(V2_IPV4)).orElseThrow().reason())
                .isEqualTo("index 9 ::ffff:192.0.2.7: RoCE v2 over IPv4 on eth0");
    }
}
