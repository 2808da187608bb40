package dev.doorbell.soft.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Opcode;
import dev.doorbell.wire.Bth;
import dev.doorbell.wire.Icrc;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a sender makes of the answers of the system. */
class UdpTransmitterTest {
    private static final Gid SOURCE = Gid.of(InetAddress.ofLiteral("192.0.2.1"));
    private static final Gid ONE = Gid.of(InetAddress.ofLiteral("192.0.2.2"));
    private static final Gid OTHER = Gid.of(InetAddress.ofLiteral("192.0.2.3"));
    private static final int LENGTH = 40;
    private static final int BATCH = 5;

    private final Map<Gid, List<Integer>> sends = new HashMap<>();
    private final Set<Gid> cuttingRefused = new HashSet<>();
    private final Map<Gid, Integer> refused = new HashMap<>();
    private final Set<Gid> lanes = new HashSet<>();
    private int laneSends = Integer.MAX_VALUE;
    private final List<Boolean> intact = new ArrayList<>();
    private final LinkCounters counters = new LinkCounters();
    private final SendBuffers buffers = new SendBuffers(1 << 16);
    private final UdpTransmitter transmitter =
            new UdpTransmitter(buffers, List.of(new Port()), Segmentation.ASKED_FOR, counters, 4096);

    /** A network that notes what it is given. */
    private final class Port implements DatagramPort {
        @Override
        public Gid gid() {
            return SOURCE;
        }

        @Override
        public Route route(Gid destination) {
            return new Way(destination);
        }
    }

    /** Through a lane until that is refused, if there is one for the destination. */
    private final class Way implements DatagramPort.Route {
        private static final int LANE_PORT = 50_000;

        private final Gid destination;
        private final SentHeaders plain;
        private final SentHeaders numbered;
        private boolean retreated;

        Way(Gid destination) {
            this.destination = destination;
            this.plain = SentHeaders.unconnected(SOURCE, destination);
            this.numbered = SentHeaders.connected(SOURCE, destination, LANE_PORT, 0xfffe);
        }

        @Override
        public SentHeaders headers() {
            return inLane() ? numbered : plain;
        }

        private boolean inLane() {
            return lanes.contains(destination) && !retreated;
        }

        @Override
        public boolean retreat(int errno) {
            boolean before = inLane();
            retreated |= before;
            return before;
        }

        @Override
        public long send(MemorySegment memory, long at, int length, int segmentBytes) {
            int errno = refused.getOrDefault(destination, 0);
            if (segmentBytes > 0 && cuttingRefused.contains(destination)) {
                errno = Errno.EINVAL;
            }
            if (inLane() && laneSends-- <= 0) {
                errno = Errno.ECONNREFUSED;
            }
            sends.computeIfAbsent(destination, key -> new ArrayList<>()).add(segmentBytes > 0 ? BATCH : 1);
            check(memory, at, segmentBytes > 0 ? BATCH : 1);
            if (errno == 0) {
                headers().sent();
            }
            return errno == 0 ? length : -errno;
        }

        /** What the peer will check, who sees the port and the numbers. */
        private void check(MemorySegment memory, long from, int datagrams) {
            Icrc icrc = new Icrc(SOURCE, destination, inLane() ? LANE_PORT : Icrc.PORT);
            var view = memory.asByteBuffer();
            for (int index = 0; index < datagrams; index++) {
                int at = (int) from + index * (LENGTH + Icrc.SIZE);
                int number = (inLane() ? numbered.next() : 0) + index & 0xffff;
                intact.add(icrc.compute(view, at, LENGTH, number, Icrc.DONT_FRAGMENT) == Icrc.load(view, at + LENGTH));
            }
        }
    }

    private void batch(Gid destination) {
        for (int number = 0; number < BATCH; number++) {
            long at = transmitter.claim();
            Bth.write(transmitter.memory(), at, Opcode.RC_SEND_ONLY, 0, 0x12, number);
            transmitter.send(LENGTH, SOURCE, destination);
        }
        transmitter.flush();
    }

    private Map<String, Long> counts() {
        Map<String, Long> totals = new TreeMap<>();
        counters.addTo(totals);
        return totals;
    }

    @Test
    void aWayThatDoesNotCutGetsDatagramsAndOthersAreCutForAsBefore() {
        cuttingRefused.add(ONE);
        batch(ONE);
        assertThat(sends.get(ONE)).containsExactly(BATCH, 1, 1, 1, 1, 1);
        assertThat(intact).as("numbered anew, all with identification 0").containsOnly(true);
        batch(OTHER);
        assertThat(sends.get(OTHER)).containsExactly(BATCH);
        sends.clear();
        batch(ONE);
        assertThat(sends.get(ONE)).as("not asked each time").containsExactly(1, 1, 1, 1, 1);
        assertThat(counts()).doesNotContainKey("dropped_unreachable");
    }

    @Test
    void afterAWhileItIsAskedAgain() {
        cuttingRefused.add(ONE);
        batch(ONE);
        cuttingRefused.clear();
        for (int round = 0; round < 2000; round++) {
            batch(ONE);
        }
        assertThat(sends.get(ONE)).endsWith(BATCH, BATCH);
    }

    /** Older kernels answer EINVAL too where the source address has gone. */
    @Test
    void anAddressThatHasGoneIsNoRefusalToCut() {
        refused.put(ONE, Errno.EINVAL);
        batch(ONE);
        assertThat(counts()).containsEntry("dropped_unreachable", (long) BATCH);
        refused.clear();
        sends.clear();
        batch(ONE);
        assertThat(sends.get(ONE)).containsExactly(BATCH);
    }

    @Test
    void whatIsTooLongForThePathIsCountedApart() {
        refused.put(ONE, Errno.EMSGSIZE);
        batch(ONE);
        assertThat(counts()).containsEntry("dropped_longer_than_path_mtu", (long) BATCH);
        assertThat(buffers.take()).as("the buffer was given back").isZero();
    }

    @Test
    void throughALaneEachSendHasTheNextNumber() {
        lanes.add(ONE);
        for (int round = 0; round < 4; round++) {
            batch(ONE);
        }
        assertThat(sends.get(ONE)).containsExactly(BATCH, BATCH, BATCH, BATCH);
        assertThat(intact).hasSize(4 * BATCH).containsOnly(true);
    }

    @Test
    void whatALaneRefusesGoesTheOtherWayWithOtherNumbers() {
        lanes.add(ONE);
        laneSends = 1;
        batch(ONE);
        batch(ONE);
        batch(ONE);
        assertThat(sends.get(ONE)).containsExactly(BATCH, BATCH, BATCH, BATCH);
        assertThat(intact).containsOnly(true);
        assertThat(counts()).containsEntry("link_sent_packets", 3L * BATCH).doesNotContainKey("dropped_unreachable");
    }

    @Test
    void aLaneMayEndBetweenTheDatagramsOfABatch() {
        cuttingRefused.add(ONE);
        batch(ONE);
        lanes.add(ONE);
        laneSends = 2;
        sends.clear();
        batch(ONE);
        assertThat(sends.get(ONE)).as("the third is refused, and sent again").hasSize(BATCH + 1);
        assertThat(intact).containsOnly(true);
    }
}
