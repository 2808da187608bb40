package dev.doorbell.soft.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.KernelException;
import dev.doorbell.soft.Loopback;
import dev.doorbell.spec.Gid;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Datagram channels of the JDK. */
@Timeout(60)
class PortableCarrierTest {
    @Test
    void whoeverSleepsHearsOfAGroup() throws IOException, InterruptedException {
        PortableCarrier carrier = bind();
        Gid group = Gid.of(InetAddress.ofLiteral("239.77.1.2"));
        try {
            Thread joining = sleep(carrier);
            try {
                carrier.join(group);
            } catch (KernelException refused) {
                Assumptions.abort("no multicast here: " + refused.getMessage());
            }
            assertThat(joining.join(Duration.ofSeconds(20))).as("looked again").isTrue();
            Thread leaving = sleep(carrier);
            carrier.leave(group);
            assertThat(leaving.join(Duration.ofSeconds(20))).as("looked again").isTrue();
        } finally {
            carrier.close();
        }
    }

    @Test
    void aShortSleepIsNotNoSleep() {
        assertThat(PortableCarrier.timeoutMs(1)).isEqualTo(1);
        assertThat(PortableCarrier.timeoutMs(999_999)).isEqualTo(1);
        assertThat(PortableCarrier.timeoutMs(1_000_001)).isEqualTo(2);
        assertThat(PortableCarrier.timeoutMs(Long.MAX_VALUE)).as("for ever").isZero();
        assertThat(PortableCarrier.timeoutMs(-5)).isEqualTo(1);
    }

    private static Thread sleep(PortableCarrier carrier) {
        return Thread.ofPlatform().start(() -> carrier.await(PacketWatch.Seat.BACKGROUND, Long.MAX_VALUE));
    }

    private static PortableCarrier bind() throws IOException {
        InetAddress address = Loopback.next();
        try {
            return PortableCarrier.bind(List.of(address), UdpPlan.at(List.of(address)), new LinkCounters(), "test");
        } catch (BindException held) {
            return Assumptions.abort("rdma_rxe holds UDP port 4791: " + held.getMessage());
        }
    }
}
