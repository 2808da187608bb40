package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many connections of one device whose packets come together. */
@Timeout(60)
class UdpManyTest {
    private static final int CONNECTIONS = 64;

    /** The code of a timeout of a second: nothing is sent twice. */
    private static final int PATIENT = 18;

    @Test
    void everyConnectionOfABatchIsAnswered() {
        try (UdpPair pair = new UdpPair(UdpPair.plan(), UdpPair.plan(), UnaryOperator.identity())) {
            Device.Buffer source = pair.left.buffer(8);
            Device.Buffer target = pair.right.buffer(8);
            List<Endpoint> senders = new ArrayList<>();
            Endpoint.Options options = new Endpoint.Options();
            options.timeout = PATIENT;
            for (int count = 0; count < CONNECTIONS; count++) {
                Endpoint sender = pair.left.endpoint(options);
                Endpoint.connect(sender, pair.right.endpoint(options));
                senders.add(sender);
            }
            for (Endpoint sender : senders) {
                sender.write(1, target, 0, sge(source));
            }
            pair.until(() -> senders.stream()
                    .noneMatch(sender -> sender.queuePair.requester().isBusy()));
            assertThat(pair.rightLink.counters().getOrDefault("dropped_no_buffer", 0L))
                    .as("answers for which there was no buffer: " + pair)
                    .isZero();
            assertThat(pair.rightLink.counters().get("link_sends"))
                    .as("acknowledgements to one peer share a send: " + pair)
                    .isLessThanOrEqualTo(CONNECTIONS / 8);
        }
    }
}
