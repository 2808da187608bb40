package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.soft.link.ForwardingLink;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.soft.link.PacketSink;
import dev.doorbell.spec.Gid;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a device whose link makes mistakes. */
@Timeout(30)
class BrokenLinkTest {
    private boolean refusing = true;
    private boolean breaking;
    private int attached;

    private final SoftDevice device = SoftNetwork.builder()
            .devices(2)
            .seed(1)
            .link((name, link) -> new Broken(link))
            .build()
            .device("soft0");

    private final class Broken extends ForwardingLink {
        Broken(PacketLink link) {
            super(link);
        }

        @Override
        public Optional<List<Gid>> attach() {
            if (refusing) {
                throw new IllegalStateException("no network");
            }
            attached++;
            return super.attach();
        }

        @Override
        public void detach() {
            attached--;
            super.detach();
        }

        @Override
        public int receive(PacketSink sink, long nowNs, int limit) {
            if (breaking) {
                throw new IllegalStateException("a mistake");
            }
            return super.receive(sink, nowNs, limit);
        }
    }

    @Test
    void whoeverOpensTheDeviceNextTriesAgain() {
        assertThatThrownBy(device::open).hasMessage("no network");
        assertThat(device.census()).isEqualTo(Census.EMPTY);
        refusing = false;
        try (CommandChannel first = device.open();
                CommandChannel second = device.open()) {
            assertThat(first).isNotSameAs(second);
            assertThat(attached).isEqualTo(1);
        }
        assertThat(attached).isZero();
    }

    @Test
    void aMistakeFailsTheDeviceByName() {
        assertThat(device.obstacle()).isEmpty();
        breaking = true;
        assertThatThrownBy(device::doWork).hasMessage("a mistake");
        assertThat(device.obstacle()).hasValueSatisfying(why -> assertThat(why).contains("DEVICE_FATAL"));
        assertThat(device.doWork()).isFalse();
    }
}
