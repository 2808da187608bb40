package dev.doorbell.soft.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.linux.syscall.UdpSocket;
import dev.doorbell.soft.Loopback;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Icrc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who has a lane when there are not enough. */
@Timeout(60)
class LanesTest {
    private static final int LENGTH = 64;

    private final MemorySegment memory = Arena.ofAuto().allocate(LENGTH);
    private final InetAddress own = Loopback.next();
    private final InetAddress peer = Loopback.next();
    private final UdpSocket listener = UdpSocket.bind(peer, Icrc.PORT);
    private final UdpSocket beside = UdpSocket.bind(own, Icrc.PORT);
    private long nowNs = -5;
    private final Lanes lanes = new Lanes(UdpPlan.at(List.of(own)), new LinkCounters(), () -> nowNs);

    @AfterEach
    void close() {
        lanes.closeAll();
        beside.close();
        listener.close();
    }

    private @Nullable Lane open() {
        return lanes.open(beside, Gid.of(own), Gid.of(peer), peer);
    }

    private long send(Lane lane) {
        return lane.send(memory, 0, LENGTH, 0);
    }

    private List<Lane> openAll() {
        List<Lane> open = new ArrayList<>();
        for (int count = 0; count < Lanes.MOST; count++) {
            open.add(Objects.requireNonNull(open()));
        }
        return open;
    }

    private void pass(Duration time) {
        nowNs += time.toNanos();
    }

    @Test
    void whoSendsKeepsItsLaneAndWhoDoesNotLosesIt() {
        List<Lane> open = openAll();
        assertThat(open()).as("too early to say who is idle").isNull();
        pass(Duration.ofSeconds(2));
        assertThat(open()).as("this is the first look").isNull();
        open.subList(1, Lanes.MOST).forEach(this::send);
        pass(Duration.ofMillis(500));
        assertThat(open()).as("too early").isNull();
        pass(Duration.ofSeconds(1));
        assertThat(open()).isNotNull();
        assertThat(send(open.getFirst())).as("was idle").isEqualTo(-Errno.EBADF);
        assertThat(send(open.getLast())).isEqualTo(LENGTH);
        assertThat(open()).as("one has gone, one has come").isNull();
    }

    @Test
    void aLaneThatIsGivenBackIsFree() {
        List<Lane> open = openAll();
        lanes.close(open.get(7));
        lanes.close(open.get(7));
        assertThat(open()).isNotNull();
        assertThat(open()).isNull();
    }

    @Test
    void noneIsOpenedBesideASocketThatIsClosed() {
        beside.close();
        assertThat(open()).isNull();
    }

    @Test
    void noneIsOpenedWhereTheNumberingIsNotTrusted() {
        lanes.distrust();
        assertThat(open()).isNull();
    }

    /** What has been counted by two is out of step. */
    @Test
    void aLaneThatIsOutOfStepIsFoundOut() {
        Lane lane = Objects.requireNonNull(open());
        lane.headers.sent();
        for (int count = 1; count < 1 << 14; count++) {
            assertThat(lane.isInStep()).isTrue();
            send(lane);
        }
        assertThat(lane.isInStep()).isFalse();
        assertThat(open()).as("and nobody trusts the numbering any more").isNull();
    }
}
