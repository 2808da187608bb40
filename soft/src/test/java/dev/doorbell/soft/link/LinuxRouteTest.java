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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a route gets a lane, and when it has to do without again. The sockets are this machine's. */
@Timeout(60)
class LinuxRouteTest {
    private static final int LENGTH = 64;

    private final MemorySegment memory = Arena.ofAuto().allocate(1 << 12);
    private final LinkCounters counters = new LinkCounters();
    private final InetAddress own = Loopback.next();
    private final InetAddress peer = Loopback.next();
    private final LinuxPort port = new LinuxPort(own, UdpPlan.at(List.of(own)), counters);

    LinuxRouteTest() {
        port.open();
    }

    @AfterEach
    void close() {
        port.close();
    }

    private DatagramPort.Route route() {
        return Objects.requireNonNull(port.route(Gid.of(peer)));
    }

    /** What a transmitter does for each batch; the outcome of the first try. */
    private long send(DatagramPort.Route route) {
        SentHeaders headers = route.headers();
        assertThat(headers.identification(0, false)).isBetween(0, 0xffff);
        return route.send(memory, 0, LENGTH, 0);
    }

    private void makeBusy(DatagramPort.Route route) {
        for (int count = 0; count < LinuxRoute.BUSY; count++) {
            assertThat(send(route)).isEqualTo(LENGTH);
        }
    }

    private long lanes() {
        Map<String, Long> totals = new TreeMap<>();
        counters.addTo(totals);
        return totals.getOrDefault("link_lanes", 0L);
    }

    @Test
    void aBusyRouteHasALaneUntilNobodyListensAnyMore() {
        DatagramPort.Route route = route();
        SentHeaders plain = route.headers();
        try (UdpSocket listener = UdpSocket.bind(peer, Icrc.PORT)) {
            assertThat(listener.isClosed()).isFalse();
            makeBusy(route);
            assertThat(lanes()).isZero();
            assertThat(send(route)).isEqualTo(LENGTH);
            assertThat(lanes()).isEqualTo(1);
            assertThat(route.headers()).isNotSameAs(plain);
        }
        // The first one is sent, and brings the answer that nobody is there; that is what the second one hears.
        assertThat(send(route)).isEqualTo(LENGTH);
        assertThat(send(route)).isEqualTo(-Errno.ECONNREFUSED);
        assertThat(route.retreat(Errno.ECONNREFUSED)).isTrue();
        assertThat(route.headers()).isSameAs(plain);
        assertThat(send(route)).isEqualTo(LENGTH);
        assertThat(route.retreat(Errno.ECONNREFUSED))
                .as("there is no further way")
                .isFalse();
    }

    @Test
    void aFullBufferIsNoReasonToLeaveTheLane() {
        DatagramPort.Route route = route();
        makeBusy(route);
        SentHeaders headers = route.headers();
        assertThat(route.retreat(Errno.EAGAIN)).isFalse();
        assertThat(route.headers()).isSameAs(headers);
    }

    @Test
    void thereAreNotManyLanes() {
        List<DatagramPort.Route> routes = new ArrayList<>();
        for (int count = 0; count < Lanes.MOST + 3; count++) {
            DatagramPort.Route route = route();
            makeBusy(route);
            route.headers();
            routes.add(route);
        }
        assertThat(lanes()).isEqualTo(Lanes.MOST);
        assertThat(routes).hasSize(Lanes.MOST + 3);
    }

    @Test
    void aPortThatGoesTakesItsLanesWithIt() {
        DatagramPort.Route route = route();
        makeBusy(route);
        route.headers();
        port.close();
        assertThat(send(route)).isEqualTo(-Errno.ENETDOWN);
        assertThat(route.retreat(Errno.ENETDOWN)).isTrue();
        assertThat(send(route)).isEqualTo(-Errno.ENETDOWN);
        assertThat(lanes()).isEqualTo(1);
    }

    @Test
    void aNewSocketOfThePortMeansANewLane() {
        DatagramPort.Route route = route();
        makeBusy(route);
        route.headers();
        port.close();
        port.open();
        assertThat(send(route)).isEqualTo(-Errno.ENOTCONN);
        assertThat(route.retreat(Errno.ENOTCONN)).isTrue();
        assertThat(send(route)).isEqualTo(LENGTH);
    }
}
