package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.soft.link.UdpPlan;
import dev.doorbell.spec.WorkCompletionStatus;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queue pairs that send much get sockets that are connected. */
@Timeout(120)
class UdpLaneTest {
    /** Several times what makes a route busy, and over two looks at the numbering. */
    private static final int MESSAGES = 40_000;

    private static UdpPair pair(UdpPlan left, UdpPlan right) {
        return new UdpPair(left, right, UnaryOperator.identity());
    }

    private static final class Talk {
        private final Endpoint one;
        private final Endpoint other;
        private final UdpPair pair;
        private final Device.Buffer source;
        private final Device.Buffer target;

        Talk(UdpPair pair) {
            this.pair = pair;
            Endpoint.Options options = new Endpoint.Options();
            options.timeout = 18;
            one = pair.left.endpoint(options);
            other = pair.right.endpoint(options);
            Endpoint.connect(one, other);
            source = pair.left.buffer(64).fill(1);
            target = pair.right.buffer(64);
        }

        void send(int count) {
            for (int index = 0; index < count; index++) {
                other.receive(index, sge(target));
                one.send(index, sge(source));
                pair.until(() -> {
                    var done = one.sent();
                    assertThat(done)
                            .as(pair::toString)
                            .extracting(Endpoint.Done::status)
                            .allMatch(WorkCompletionStatus.SUCCESS::equals);
                    return !done.isEmpty();
                });
                other.received();
            }
        }
    }

    private static long count(UdpPair pair, boolean left, String name) {
        return (left ? pair.leftLink : pair.rightLink).counters().getOrDefault(name, 0L);
    }

    private static void staysInStep(UdpPlan left, UdpPlan right) {
        try (UdpPair pair = pair(left, right)) {
            new Talk(pair).send(MESSAGES);
            for (boolean side : new boolean[] {true, false}) {
                assertThat(count(pair, side, "link_lanes")).as(pair::toString).isEqualTo(1);
                // The first packet that comes from the new port, and the first after each look.
                assertThat(count(pair, side, "link_recovered_identifications"))
                        .as(pair::toString)
                        .isLessThanOrEqualTo(1 + MESSAGES / 16_000);
                assertThat(count(pair, side, "dropped_bad_icrc"))
                        .as(pair::toString)
                        .isZero();
            }
        }
    }

    @Test
    void aBusyRouteGetsALaneAndStaysInStep() {
        staysInStep(UdpPair.plan(), UdpPair.plan());
    }

    @Test
    void soItDoesWithoutSegmentation() {
        staysInStep(UdpPair.plan().withSegmentation(false), UdpPair.plan().withSegmentation(false));
    }

    @Test
    void aRouteThatIsNotBusyGetsNone() {
        try (UdpPair pair = pair(UdpPair.plan(), UdpPair.plan())) {
            new Talk(pair).send(500);
            assertThat(count(pair, true, "link_lanes")).isZero();
        }
    }
}
