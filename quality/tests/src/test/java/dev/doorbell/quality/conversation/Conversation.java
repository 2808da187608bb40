package dev.doorbell.quality.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.soft.fault.Direction;
import dev.doorbell.soft.fault.FaultInjector;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.testkit.Draw;
import dev.doorbell.testkit.Fabric;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** Two programs on two devices in one thread, which talk in both directions over one or two connections. */
final class Conversation implements AutoCloseable {
    /** Virtual time within which what is under way must end; a hang would last for ever. */
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private static final int LAST_PSN = 0xff_ffff;

    private final Fabric fabric;
    private final SplittableRandom random;
    private final int mtu;
    private final Side left;
    private final Side right;
    private final List<Lane> lanes = new ArrayList<>();
    private final List<QueuePair> queuePairs = new ArrayList<>();

    /** Opens everything, as drawn. */
    Conversation(Draw draw, double faultRate) {
        mtu = draw.oneOf(List.of(256, 512, 1024, 2048, 4096));
        int connections = draw.intIn(1, 2);
        random = new SplittableRandom(draw.anyLong());
        fabric = Fabric.builder()
                .seed(random.nextLong())
                .faults("soft0", faults(faultRate))
                .faults("soft1", faults(faultRate))
                .build();
        long bytes = connections * 2L * Lane.bytes(mtu) + 4096;
        int completions = 2 * connections * Lane.DEPTH;
        left = new Side(fabric.device(0), bytes, completions, random);
        right = new Side(fabric.device(1), bytes, completions, random);
        for (int i = 0; i < connections; i++) {
            connect(draw);
        }
    }

    private FaultInjector faults(double rate) {
        return FaultInjector.seeded(random.nextLong())
                .only(Direction.RECEIVED)
                .loss(rate)
                .duplication(rate)
                .reordering(rate)
                .hold(Duration.ofNanos(random.nextLong(1_000, 40_000)));
    }

    private void connect(Draw draw) {
        QueuePair one = queuePair(left, draw);
        QueuePair other = queuePair(right, draw);
        ConnectOptions options = ConnectOptions.defaults()
                .maxMtu(Mtu.ofBytes(mtu))
                .ackTimeout(Duration.ofNanos(draw.oneOf(List.of(131_000L, 262_000L, 524_000L))))
                .rnrTimer(Duration.ofNanos(draw.oneOf(List.of(10_000L, 80_000L))));
        assertThat(one.connect(other.endpoint(), options).mtu().bytes()).isEqualTo(mtu);
        other.connect(one.endpoint(), options);
        lanes.add(new Lane(left, right, one, other, mtu, random));
        lanes.add(new Lane(right, left, other, one, mtu, random));
        queuePairs.add(one);
        queuePairs.add(other);
    }

    /** Half of them begin shortly before the sequence numbers wrap. */
    private static QueuePair queuePair(Side side, Draw draw) {
        int psn = draw.chance(0.5) ? LAST_PSN - draw.intIn(0, 1000) : draw.intIn(0, LAST_PSN);
        return side.domain
                .queuePair(side.sent)
                .receiveCompletions(side.received)
                .depth(Lane.DEPTH, Lane.DEPTH)
                .sge(4, 4)
                .inline(Lane.INLINE)
                .psn(psn)
                .readAtomicDepth(draw.intIn(1, 16))
                .build();
    }

    /**
     * Talks until the devices have sent so many packets, and then until everything has arrived.
     *
     * @return whether it came to that; if not, a device gave up after too many losses in a row
     */
    boolean run(int packets) {
        for (int rounds = 1; rounds % 64 != 0 || packets() < packets; rounds++) {
            step();
            if (isBroken()) {
                returnEverything();
                return false;
            }
            if (rounds % 2048 == 0 && !drain()) {
                return false;
            }
        }
        return drain();
    }

    /** Packets that both devices have sent. */
    long packets() {
        long packets = 0;
        for (int device = 0; device < 2; device++) {
            packets += fabric.counters(device).getOrDefault("sent_pkts", 0L);
        }
        return packets;
    }

    private void step() {
        Lane lane = lanes.get(random.nextInt(lanes.size()));
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> lane.post(random.nextInt(1, 7), false);
            case 3, 4 -> lane.postReceives(random.nextInt(1, 5));
            case 5, 6 -> poll(left, random.nextInt(1, 9));
            case 7, 8 -> poll(right, random.nextInt(1, 9));
            default -> fabric.advance(Duration.ofNanos(random.nextLong(20_000)));
        }
    }

    private void poll(Side side, int most) {
        side.sent.poll(
                most,
                completion -> lane(completion, lane -> lane.sendsFrom(side, completion.queuePairNumber()))
                        .onSent(completion));
        side.received.poll(
                most,
                completion -> lane(completion, lane -> lane.receivesAt(side, completion.queuePairNumber()))
                        .onReceived(completion));
    }

    private Lane lane(WorkCompletion completion, Predicate<Lane> which) {
        return lanes.stream()
                .filter(which)
                .findFirst()
                .orElseThrow(() -> new AssertionError("nobody expects " + completion));
    }

    /** Lets everything arrive that is under way, and compares all memory. */
    private boolean drain() {
        for (Lane lane : lanes) {
            lane.signal();
        }
        Duration end = fabric.clock().elapsed().plus(DEADLINE);
        while (!lanes.stream().allMatch(Lane::isIdle)) {
            for (Lane lane : lanes) {
                if (lane.lacksReceives()) {
                    lane.postReceives(Lane.DEPTH);
                }
                lane.signal();
            }
            poll(left, Integer.MAX_VALUE);
            poll(right, Integer.MAX_VALUE);
            if (isBroken()) {
                returnEverything();
                return false;
            }
            fabric.advance(Duration.ofNanos(20_000));
            assertThat(fabric.clock().elapsed()).as("it hangs: %s", lanes).isLessThan(end);
        }
        // Late copies of packets must do no harm either.
        fabric.advance(Duration.ofMillis(1));
        left.mirror.verifyAll("the left side's memory");
        right.mirror.verifyAll("the right side's memory");
        for (QueuePair queuePair : queuePairs) {
            assertThat(queuePair.query().state()).isEqualTo(QueuePairState.RTS);
        }
        return true;
    }

    private boolean isBroken() {
        return lanes.stream().anyMatch(Lane::isBroken);
    }

    /** Closes the queue pairs: each work request comes back once, in order. */
    private void returnEverything() {
        lanes.forEach(Lane::close);
        queuePairs.forEach(queuePair -> queuePair.close(Duration.ZERO));
        poll(left, Integer.MAX_VALUE);
        poll(right, Integer.MAX_VALUE);
        lanes.forEach(Lane::assertAccountedFor);
    }

    @Override
    public void close() {
        left.close();
        right.close();
        fabric.close();
    }
}
